// Kysely and Knex write an order that an index serves, by the plans of the engines.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PGlite } from '@electric-sql/pglite';
import { parseQuery } from '@fledge/query';
import { knexAdapter } from '@fledge/query/knex';
import { kyselyAdapter } from '@fledge/query/kysely';
import Sqlite from 'better-sqlite3';
import createKnex from 'knex';
import {
  DummyDriver,
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

const LIST = {
  columns: {
    id: { type: 'integer', nullable: false },
    due: 'integer',
    at: 'timestamp',
    status: { type: 'enum', values: ['open', 'done'], nullable: false },
  },
  primaryKey: 'id',
} as const;
const NULLS_FIRST = { ...LIST, nulls: 'first' } as const;
type Config = typeof LIST | typeof NULLS_FIRST;

interface Sent {
  readonly sql: string;
  readonly values: readonly unknown[];
}
type Dialect = 'postgres' | 'sqlite' | 'mysql';
/** The SQL of a page; after the row, for a page by cursor. */
type Send = (dialect: Dialect, wire: object, config: Config, after?: object) => Sent;

const SECRET = 'of tests alone, and long enough';

const DIALECTS = {
  postgres: [PostgresAdapter, PostgresQueryCompiler, PostgresIntrospector, 'pg'],
  sqlite: [SqliteAdapter, SqliteQueryCompiler, SqliteIntrospector, 'better-sqlite3'],
  mysql: [MysqlAdapter, MysqlQueryCompiler, MysqlIntrospector, 'mysql2'],
} as const;

const byKysely: Send = (dialect, wire, config, after) => {
  const [Adapter, Compiler, Introspector] = DIALECTS[dialect];
  const db = new Kysely<{ tasks: { id: number } }>({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new Introspector(of),
      createQueryCompiler: () => new Compiler(),
    },
  });
  const parsed = parseQuery(wire, config);
  const options = { secret: SECRET };
  const first = kyselyAdapter.buildKeyset(parsed, config, options);
  const page = after
    ? kyselyAdapter.buildKeyset(parsed, config, { ...options, after: first.cursorOf(after) })
    : kyselyAdapter.build(parsed, config);
  const { sql, parameters } = page.apply(db.selectFrom('tasks').selectAll()).compile();
  return { sql, values: parameters };
};

const byKnex: Send = (dialect, wire, config, after) => {
  const knex = createKnex({ client: DIALECTS[dialect][3], useNullAsDefault: true });
  const parsed = parseQuery(wire, config);
  const options = { secret: SECRET };
  const first = knexAdapter.buildKeyset(parsed, config, options);
  const page = after
    ? knexAdapter.buildKeyset(parsed, config, { ...options, after: first.cursorOf(after) })
    : knexAdapter.build(parsed, config);
  const { sql, bindings } = page.apply(knex('tasks').select('*')).toSQL().toNative();
  void knex.destroy();
  return { sql, values: bindings };
};

const TABLE = 'create table tasks (id integer primary key, due integer, status text not null)';
const ROWS = Array.from({ length: 5000 }, (_, i) => [
  i + 1,
  i % 10 === 0 ? null : (i * 7919) % 5000,
  i % 2 === 0 ? 'open' : 'done',
]);
const INSERT = `insert into tasks values ${ROWS.map(([id, due, status]) => `(${id},${due},'${status}')`).join()}`;
const INDEXES = ['due', 'status'].map((column) => `create index by_${column} on tasks (${column})`);

describe.each([
  ['Kysely', byKysely],
  ['Knex', byKnex],
])('an index serves the order of %s', (_, send) => {
  let postgres: PGlite;
  let sqlite: Sqlite.Database;
  beforeAll(async () => {
    postgres = await PGlite.create();
    sqlite = new Sqlite(':memory:');
    const setup = [TABLE, INSERT, ...INDEXES, 'analyze'];
    await postgres.exec(setup.join(';'));
    sqlite.exec(setup.join(';'));
  });
  afterAll(async () => {
    await postgres.close();
    sqlite.close();
  });

  const ORDERS: [wire: object, config: Config, after: object | undefined, index: string][] = [
    [{ sort: 'due:asc' }, LIST, undefined, 'by_due'],
    [{ sort: 'due:desc' }, NULLS_FIRST, undefined, 'by_due'],
    [{ sort: 'status:asc' }, LIST, undefined, 'by_status'],
    // After a row with NULL, and in an order in which NULLs come before the value.
    [{ sort: 'due:asc' }, LIST, { id: 9, due: null }, 'by_due'],
    [{ sort: 'due:desc' }, NULLS_FIRST, { id: 9, due: 2500 }, 'by_due'],
  ];

  it.each(ORDERS)('on PostgreSQL: %j', async (wire, config, after, index) => {
    const { sql, values } = send('postgres', { ...wire, limit: '20' }, config, after);
    const { rows } = await postgres.query(`explain ${sql}`, [...values]);
    const plan = rows.map((row) => Object.values(row as object).join()).join('\n');
    expect(plan).toContain(`using ${index}`);
    expect(plan).not.toContain('Seq Scan');
  });

  it.each(ORDERS.slice(0, 3))('on SQLite: %j', (wire, config, after, index) => {
    const { sql, values } = send('sqlite', { ...wire, limit: '20' }, config, after);
    const plan = sqlite.prepare(`explain query plan ${sql}`).all(...values);
    expect(JSON.stringify(plan)).toContain(`USING INDEX ${index}`);
  });

  it('writes an order without nulls last for MySQL', () => {
    expect(send('mysql', { sort: 'due:asc' }, LIST).sql).toMatch(
      /order by `due` is null(?: asc)?, `due` asc, `id` asc/,
    );
    expect(send('mysql', { sort: 'status:asc' }, LIST).sql).toContain(
      'coalesce(`status`, `status`)',
    );
  });

  // In the order of the index, PostgreSQL would read each row before the page.
  it.each([
    ['due', 2500],
    ['at', new Date(2500)],
    ['at', '2026-01-31 10:30:15.250123+00'],
  ])('sorts the rows of a page that may go on with NULLs: %s %p', (key, value) => {
    const { sql } = send('postgres', { sort: `${key}:asc` }, LIST, { id: 9, [key]: value });
    expect(sql).toMatch(new RegExp(`order by "${key}" is null(?: asc)?, "${key}" asc`));
  });
});
