// Of the built package, in a process of its own: Jest cannot load @nestjs-cls/transactional.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platforms } from './platforms.js';
import { type Database, openPostgres } from './rls/databases.js';
import { createNotes } from './rls/notes.js';

const FLOWS = fileURLToPath(new URL('./rls/transactions.mjs', import.meta.url));

let database: Database;
beforeAll(async () => {
  database = await openPostgres();
  await createNotes(database);
});
afterAll(() => database.close());

describe.each(platforms)('transactions of nestjs-cls on $name', ({ name }) => {
  let reports: Record<string, unknown>;
  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--no-warnings', FLOWS, name, database.engine.url as string],
      { timeout: 60_000 },
    );
    reports = JSON.parse(stdout) as Record<string, unknown>;
  }, 60_000);

  it.each(['drizzle', 'knex', 'kysely', 'typeorm'])('belong to one tenant by %s', (orm) => {
    expect(reports[orm]).toEqual({
      // C4
      outer: [['A1'], ['B1'], ['A1']],
      // D2
      wrongOf40: 0,
      withoutTenant: 500,
      withoutTenantCode: 'TENANT_CONTEXT_MISSING',
      // D1
      withoutTransaction: [],
      // R6
      central: [],
      nested: ['A1'],
      requiresNew: ['A1'],
      notSupported: [],
      // D7. Kysely's adapter begins one beside the other.
      nestedInOther: [orm === 'kysely' ? 'no failure' : 'TENANT_TX_MISMATCH', ['A1']],
      rolledBack: 'undone',
      afterwards: ['A1'],
    });
  });
});
