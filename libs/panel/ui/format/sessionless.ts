import type { PanelCall } from '../../src/panel.api.js';

/** A client without a session, known only by the calls that the application keeps. */
export interface SessionlessClient {
  readonly client: string;
  readonly revision: string;
  readonly user?: string | undefined;
  readonly tenant?: string | undefined;
  readonly calls: number;
  readonly lastAt: string;
}

/**
 * The first protocol version without sessions. Versions are dates, so they can be compared as
 * strings.
 */
const SESSIONLESS = '2026-07-28';

/** Returns the clients whose protocol version has no sessions, the most recent caller first. */
export function sessionless(calls: readonly PanelCall[]): readonly SessionlessClient[] {
  const found = new Map<string, SessionlessClient>();
  for (const { client = 'unnamed client', revision = '', user, tenant, at } of calls) {
    if (revision < SESSIONLESS) continue;
    const key = JSON.stringify([client, user, tenant]);
    const before = found.get(key)?.calls ?? 0;
    found.delete(key);
    found.set(key, { client, revision, user, tenant, calls: before + 1, lastAt: at });
  }
  return [...found.values()].reverse();
}
