// Needs PostgreSQL.
// Of the built package, in a process of its own: Jest cannot load @nestjs-cls/transactional.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { platforms } from '../../../../test/support/platforms.js';
import { LONGEST_WAIT_MS } from '../../../../test/support/longest-wait.js';

const FLOWS = fileURLToPath(new URL('../connections/transactions.mjs', import.meta.url));
const DATABASE_URL = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';

/** Databases of tenants a and b with the same tables, at `url` with the tenant behind it. */
async function createDatabases() {
  const prefix = `fledge_tenant_${randomBytes(6).toString('hex')}_`;
  const url = new URL(DATABASE_URL);
  url.pathname = `/${prefix}`;
  const server = new pg.Client({ connectionString: DATABASE_URL });
  await server.connect();
  for (const tenant of ['a', 'b']) {
    await server.query(`create database ${prefix}${tenant}`);
    const database = new pg.Client({ connectionString: url.href + tenant });
    await database.connect();
    await database.query('create table note (text text); create table whose (tenant text)');
    await database.query('insert into whose values ($1)', [tenant]);
    await database.end();
  }
  return {
    url: url.href,
    async drop() {
      // It waits for connections that are about to close, and fails where one stays.
      for (const tenant of ['a', 'b']) await server.query(`drop database ${prefix}${tenant}`);
      await server.end();
    },
  };
}

describe.each(platforms)('a database for each tenant on $name', ({ name }) => {
  let databases: Awaited<ReturnType<typeof createDatabases>>;
  let reports: Record<string, unknown>;
  beforeAll(async () => {
    databases = await createDatabases();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--no-warnings', FLOWS, name, databases.url],
      { timeout: LONGEST_WAIT_MS },
    );
    reports = JSON.parse(stdout) as Record<string, unknown>;
  });
  afterAll(() => databases.drop());

  it.each(['drizzle', 'typeorm', 'knex', 'kysely'])('by %s', (orm) => {
    expect(reports[orm]).toEqual({
      // One TransactionHost, one pool of connections for each tenant.
      wrongOf100: 0,
      counts: [50, 50],
      strangers: [],
      pools: ['a', 'b'],
      atMost4Sockets: true,
      undone: [500, 50, 50],
      // nestjs-cls #404: b inside of a's transaction, undone there, and a again.
      around: ['a,x', 'b', 'undone', 'b'],
      afterwards: ['a,x', 'b'],
      ended: ['a', 'b'],
      // With room for one, which a transaction of a uses.
      meanwhile: 'b',
      slow: { read: 'a,x,y' },
      evicted: ['a,b', 'b'],
      endedToo: 'b,a',
    });
  });
});
