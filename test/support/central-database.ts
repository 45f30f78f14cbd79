import { randomBytes } from 'node:crypto';
import pg from 'pg';

const DATABASE_URL = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';

export interface CentralDatabase {
  readonly name: string;
  readonly url: string;
  ask(sql: string, params?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Drops the database and the databases of its tenants. */
  drop(): Promise<void>;
}

/** Creates a new database on the server. */
export async function createCentralDatabase(): Promise<CentralDatabase> {
  const name = `fledge_fleet_${randomBytes(6).toString('hex')}`;
  const url = new URL(DATABASE_URL);
  url.pathname = `/${name}`;
  const server = new pg.Client({ connectionString: DATABASE_URL });
  await server.connect();
  await server.query(`create database ${name}`);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return {
    name,
    url: url.href,
    ask: async (sql, params = []) => (await client.query(sql, [...params])).rows,
    async drop() {
      await client.end();
      const { rows } = await server.query<{ datname: string }>(
        'select datname from pg_database where starts_with(datname, $1)',
        [name],
      );
      for (const { datname } of rows) await server.query(`drop database "${datname}" with (force)`);
      await server.end();
    },
  };
}
