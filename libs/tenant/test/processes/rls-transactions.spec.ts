// Needs PostgreSQL.
// Of the built package, in a process of its own: Jest cannot load @nestjs-cls/transactional.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rlsSql } from '@fledge/tenant/rls';
import { platforms } from '../../../../test/support/platforms.js';
import { type Database, openPostgres } from '../rls/databases.js';
import { createNotes, createSchemas } from '../rls/notes.js';
import { LONGEST_WAIT_MS } from '../../../../test/support/longest-wait.js';

const FLOWS = fileURLToPath(new URL('../rls/transactions.mjs', import.meta.url));

let database: Database;
let hardened: Database;
let bySchema: Database;
beforeAll(async () => {
  database = await openPostgres();
  await createNotes(database);
  hardened = await openPostgres();
  await createNotes(hardened);
  await hardened.exec(rlsSql([], { setConfig: 'revoked' }));
  bySchema = await openPostgres();
  await createSchemas(bySchema, { a: 'A1', b: 'B1' });
});
afterAll(async () => {
  await database.close();
  await hardened.close();
  await bySchema.close();
});

type Reports = Record<string, Record<string, unknown>>;

async function reportsOf(platform: string): Promise<Reports> {
  const databases = Object.entries({ policies: database, hardened, schemas: bySchema });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...['--no-warnings', FLOWS, platform],
      ...databases.map(([by, { engine }]) => `${by}=${engine.url}`),
    ],
    { timeout: LONGEST_WAIT_MS },
  );
  return JSON.parse(stdout) as Reports;
}

const orms = ['drizzle', 'knex', 'kysely', 'typeorm'];
const ways = (['policies', 'hardened'] as const).flatMap((by) => orms.map((orm) => ({ by, orm })));

describe.each(platforms)('transactions of nestjs-cls on $name', ({ name }) => {
  let reports: Reports;
  beforeAll(async () => {
    reports = await reportsOf(name);
  });

  it.each(ways)('belong to one tenant by $orm, database: $by', ({ by, orm }) => {
    expect(reports[by]?.[orm]).toEqual({
      outer: [['A1'], ['B1'], ['A1']],
      wrongOf40: 0,
      withoutTenant: 500,
      withoutTenantCode: 'TENANT_CONTEXT_MISSING',
      withoutTransaction: [],
      central: [],
      nested: ['A1'],
      requiresNew: ['A1'],
      notSupported: [],
      // Kysely's adapter begins one beside the other.
      nestedInOther: [orm === 'kysely' ? 'no failure' : 'TENANT_TX_MISMATCH', ['A1']],
      rolledBack: 'undone',
      afterwards: ['A1'],
    });
  });

  it('find the schema of their tenant, where each has its own', () => {
    const apart = { outer: [['A1'], ['B1'], ['A1']], wrongOf40: 0 };
    expect(reports['schemas']).toEqual({
      drizzle: apart,
      knex: apart,
      kysely: apart,
      typeorm: apart,
    });
  });
});
