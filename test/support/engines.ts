import { expect } from '@jest/globals';

const SERVERS = { PostgreSQL: /PostgreSQL|postgres/, MariaDB: /MariaDB|mariadb/ };
const absent = (process.env['FLEDGE_ABSENT_SERVICES'] ?? '').split(',');
const isServerTier = expect.getState().testPath?.includes('/databases/') ?? false;

/**
 * Returns true if this machine has a service or program of scripts/services.mjs, which checked this
 * before the run.
 */
export function isOnMachine(service: string): boolean {
  return !absent.includes(service);
}

/**
 * Returns true if the tests of an engine belong to the tier of this spec. In `databases/`, these
 * are the available servers; in other folders, the embedded engines.
 * @param title names the engine, such as `Kysely on PostgreSQL`
 */
export function isInTier(title: string): boolean {
  const server = Object.entries(SERVERS).find(([, pattern]) => pattern.test(title))?.[0];
  if (server === undefined) return !isServerTier;
  return isServerTier && isOnMachine(server);
}
