import { randomBytes } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { isInTier } from '../../../../test/support/engines.js';
import type { Engine } from './orms.mjs';

/** A database of its own, with an owner of the tables and a role that the application connects as. */
export interface Database {
  /** As the application. */
  readonly engine: Engine;
  readonly name: string;
  /** Undefined of PGlite, which has no connections. */
  readonly superuserUrl: string | undefined;
  readonly app: string;
  readonly owner: string;
  /** As a superuser: several statements without parameters. */
  exec(sql: string): Promise<void>;
  /** Asks as one of the roles, a superuser where none is named. */
  ask(
    role: string | undefined,
    sql: string,
    params?: readonly string[],
  ): Promise<readonly Record<string, unknown>[]>;
  /** As the application: several statements without parameters. Returns the rows of the last one. */
  asApp(sql: string): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

const DATABASE_URL = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';

/** On a server. Roles are the whole server's, so they have names of their own. */
export async function openPostgres(): Promise<Database> {
  const id = randomBytes(6).toString('hex');
  const [database, app, owner] = [`fledge_rls_${id}`, `fledge_app_${id}`, `fledge_owner_${id}`];
  const urlOf = (role: string | undefined) => {
    const url = new URL(DATABASE_URL);
    url.pathname = `/${database}`;
    if (role !== undefined) [url.username, url.password] = [role, id];
    return url.href;
  };

  const server = new pg.Client({ connectionString: DATABASE_URL });
  await server.connect();
  await server.query(`create role ${app} login password '${id}'`);
  await server.query(`create role ${owner} login password '${id}'`);
  await server.query(`create database ${database} owner ${owner}`);
  const connect = async <R>(role: string | undefined, run: (client: pg.Client) => Promise<R>) => {
    const client = new pg.Client({ connectionString: urlOf(role) });
    await client.connect();
    return run(client).finally(() => client.end());
  };
  return {
    engine: { url: urlOf(app) },
    name: database,
    superuserUrl: urlOf(undefined),
    app,
    owner,
    exec: (sql) => connect(undefined, async (client) => void (await client.query(sql))),
    ask: (role, sql, params = []) =>
      connect(role, async (client) => (await client.query(sql, [...params])).rows),
    asApp: (sql) =>
      connect(app, async (client) => {
        const results = [await client.query<Record<string, unknown>>(sql)].flat();
        return results.at(-1)?.rows ?? [];
      }),
    async close() {
      // It waits for connections that are about to close.
      await server.query(`drop database ${database}`);
      await server.query(`drop role ${app}`);
      await server.query(`drop role ${owner}`);
      await server.end();
    },
  };
}

/** In this process, over one connection, whose role is set. */
async function openPglite(): Promise<Database> {
  const pglite = await PGlite.create();
  const [app, owner] = ['app', 'owner'];
  await pglite.exec(`create role app; create role owner; set session authorization app;`);
  const within = async <R>(role: string | undefined, run: () => Promise<R>) => {
    await pglite.exec(`set session authorization ${role ?? 'postgres'}`);
    return run().finally(() => pglite.exec('set session authorization app'));
  };
  return {
    engine: { pglite },
    name: 'postgres',
    superuserUrl: undefined,
    app,
    owner,
    exec: (sql) => within(undefined, async () => void (await pglite.exec(sql))),
    ask: (role, sql, params = []) =>
      within(
        role,
        async () => (await pglite.query<Record<string, unknown>>(sql, [...params])).rows,
      ),
    // What one connection leaves behind, a new one would not have.
    asApp: async (sql) => {
      const results = await pglite
        .exec(sql)
        .finally(() => pglite.exec('rollback; reset all; reset role'));
      return results.at(-1)?.rows ?? [];
    },
    close: () => pglite.close(),
  };
}

const ENGINES = [
  { engine: 'PostgreSQL', open: openPostgres },
  { engine: 'PGlite', open: openPglite },
] as const;

/** The engines of the tier. */
export const databases = ENGINES.filter(({ engine }) => isInTier(engine));
