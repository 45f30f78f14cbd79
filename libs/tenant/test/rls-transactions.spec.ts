// Of the built package, in a process of its own: Jest cannot load @nestjs-cls/transactional.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platforms } from '../../../test/support/platforms.js';
import { type Database, openPostgres } from './rls/databases.js';
import { createNotes, createSchemas } from './rls/notes.js';

const FLOWS = fileURLToPath(new URL('./rls/transactions.mjs', import.meta.url));

let database: Database;
let bySchema: Database;
beforeAll(async () => {
  database = await openPostgres();
  await createNotes(database);
  bySchema = await openPostgres();
  await createSchemas(bySchema, { a: 'A1', b: 'B1' });
});
afterAll(async () => {
  await database.close();
  await bySchema.close();
});

async function reportsOf(platform: string, { engine }: Database, by: 'policies' | 'schemas') {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', FLOWS, platform, engine.url as string, by],
    { timeout: 60_000 },
  );
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe.each(platforms)('transactions of nestjs-cls on $name', ({ name }) => {
  let reports: Record<string, unknown>;
  beforeAll(async () => {
    reports = await reportsOf(name, database, 'policies');
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

  it('find the schema of their tenant, where each has its own', async () => {
    const apart = { outer: [['A1'], ['B1'], ['A1']], wrongOf40: 0 };
    expect(await reportsOf(name, bySchema, 'schemas')).toEqual({
      drizzle: apart,
      knex: apart,
      kysely: apart,
      typeorm: apart,
    });
  }, 60_000);
});
