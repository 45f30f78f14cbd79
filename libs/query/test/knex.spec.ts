import { afterAll, describe, expect, it } from '@jest/globals';
import { knexAdapter, type KnexQueryConfig } from '@fledge/query/knex';
import knex, { type Knex } from 'knex';
import { parseQuery } from '../src/parse/parse-query.js';
import { describeCursors, pageOf } from './support/cursors.js';
import { openMariadb, openPostgres, openSqlite } from './support/databases.js';
import { localDayOf, TASKS, type TaskRow } from './support/dataset.js';
import { testDeclaredColumns } from './support/declared-adapter.js';
import { describeAgainstOracle } from './support/differential.js';
import { describeFields, fieldsPageOf, SELECTABLE } from './support/fields.js';
import { SENT_CONFIG, SENT_PARAMETERS, SENT_QUERY } from './support/sent-query.js';

interface KnexEngine {
  readonly db: Knex;
  readonly table: string;
  close(): Promise<void>;
}

async function sqliteEngine(): Promise<KnexEngine> {
  // Knex sends a Date to SQLite as milliseconds.
  const { path, table, close } = await openSqlite('milliseconds');
  const db = knex({
    client: 'better-sqlite3',
    connection: { filename: path },
    useNullAsDefault: true,
  });
  return { db, table, close: () => db.destroy().then(close) };
}

async function postgresEngine(): Promise<KnexEngine | undefined> {
  const opened = await openPostgres();
  if (!opened) return undefined;
  const db = knex({ client: 'pg', connection: opened.url });
  return { db, table: opened.table, close: () => db.destroy().then(() => opened.close()) };
}

async function mariadbEngine(): Promise<KnexEngine | undefined> {
  const opened = await openMariadb();
  if (!opened) return undefined;
  const connection = { uri: opened.url, timezone: 'Z', dateStrings: ['DATE'] as never };
  const db = knex({ client: 'mysql2', connection });
  return { db, table: opened.table, close: () => db.destroy().then(() => opened.close()) };
}

for (const [name, open] of [
  ['SQLite', sqliteEngine],
  ['PostgreSQL', postgresEngine],
  ['MariaDB', mariadbEngine],
] as const) {
  describeAgainstOracle(`Knex on ${name}`, async () => {
    const engine = await open();
    if (!engine) return undefined;
    const { db, table } = engine;
    return {
      async find(parsed) {
        const query = knexAdapter.build(parsed, TASKS);
        const rows: TaskRow[] = await query.apply(db(table).select('id'));
        const [count] = await query.applyCount(db(table));
        return { ids: rows.map(({ id }) => id), total: Number(count?.total) };
      },
      close: () => engine.close(),
    };
  });
  describeCursors(`Knex on ${name}`, async () => {
    const engine = await open();
    if (!engine) return undefined;
    const { db, table } = engine;
    return {
      async page(parsed, options) {
        const query = knexAdapter.buildKeyset(parsed, TASKS, options);
        const rows: TaskRow[] = await query.apply(db(table).select('*'));
        return pageOf(rows, (row) => query.cursorOf(readable(row)));
      },
      close: () => engine.close(),
    };
  });
}

for (const [name, open] of [
  ['SQLite', sqliteEngine],
  ['PostgreSQL', postgresEngine],
  ['MariaDB', mariadbEngine],
] as const) {
  describeFields(`Knex on ${name}`, async () => {
    const engine = await open();
    if (!engine) return undefined;
    const { db, table } = engine;
    return {
      find: (parsed) => knexAdapter.build(parsed, SELECTABLE).apply(db(table).select('*')),
      async page(parsed, options) {
        const query = knexAdapter.buildKeyset(parsed, SELECTABLE, options);
        const rows: object[] = await query.apply(db(table).select('*'));
        return fieldsPageOf(rows, {
          cursorOf: (row) => query.cursorOf(readable(row)),
          project: query.project,
        });
      },
      close: () => engine.close(),
    };
  });
}

/** Converts drivers' values to the types of the columns: timestamps in milliseconds, and days. */
function readable(row: object): object {
  const { created, due } = row as Record<string, unknown>;
  return {
    ...row,
    ...(typeof created === 'number' && { created: new Date(created) }),
    ...(due instanceof Date && { due: localDayOf(due) }),
  };
}

const DIALECTS = {
  pg: knex({ client: 'pg' }),
  mysql: knex({ client: 'mysql2' }),
  sqlite: knex({ client: 'better-sqlite3', useNullAsDefault: true }),
};
afterAll(() => Promise.all(Object.values(DIALECTS).map((db) => db.destroy())));

describe('what Knex sends', () => {
  const query = knexAdapter.build(parseQuery(SENT_QUERY, SENT_CONFIG), SENT_CONFIG);
  const where =
    'where "status" = $1 and "priority" >= $2' +
    ` and lower("title") like lower($3) escape '!' and "id" in ($4, $5)` +
    ' and "created_at" between $6 and $7' +
    ` and (lower("title") like lower($8) escape '!' or lower("key") like lower($9) escape '!')`;
  const collated = where.replace(/lower\(("\w+")\)/g, 'lower($1 collate "default")');
  const page = (order: string, conditions = where) =>
    `select "id" from "tasks" ${conditions} order by ${order}, "id" asc limit $10 offset $11`;

  it('to PostgreSQL', () => {
    expect(query.apply(DIALECTS.pg('tasks').select('id')).toSQL().toNative()).toMatchObject({
      sql: page('"created_at" desc nulls last', collated),
      bindings: [...SENT_PARAMETERS, 10, 10],
    });
  });

  it.each([
    ['MySQL', DIALECTS.mysql, '`', '"created_at" is null asc, "created_at" desc'],
    ['SQLite', DIALECTS.sqlite, '`', '"created_at" desc nulls last'],
  ])('to %s', (_, db, quote, order) => {
    expect(query.apply(db('tasks').select('id')).toSQL().toNative()).toMatchObject({
      sql: page(order).replaceAll(/\$\d+/g, '?').replaceAll('"', quote),
      bindings: [...SENT_PARAMETERS, 10, 10],
    });
  });

  it('for the count', () => {
    expect(query.applyCount(DIALECTS.pg('tasks')).toSQL().toNative()).toMatchObject({
      sql: `select count(*) as "total" from "tasks" ${collated}`,
      bindings: SENT_PARAMETERS,
    });
  });

  it('changes and returns the given builder', () => {
    const builder = DIALECTS.pg('tasks').select('id');
    expect(query.apply(builder)).toBe(builder);
  });
});

describe('edge cases', () => {
  const sent = (query: object, config: KnexQueryConfig, db = DIALECTS.pg) =>
    knexAdapter
      .build(parseQuery(query, config), config)
      .apply(db('t').select('*'))
      .toSQL()
      .toNative();

  it.each(Object.entries(DIALECTS))('NULLs last keeps the column: %s', (name, db) => {
    const config = { columns: { a: 'string', b: 'string' } } as const;
    const { sql } = sent({ sort: ['a:desc', 'b:asc'] }, config, db);
    expect(sql.replaceAll('`', '"')).toContain(
      name === 'mysql'
        ? 'order by "a" is null asc, "a" desc, "b" is null asc, "b" asc limit'
        : 'order by "a" desc nulls last, "b" asc nulls last limit',
    );
  });

  it('question marks and colons in values are not placeholders', () => {
    const config: KnexQueryConfig = { columns: { a: 'string' } };
    expect(sent({ filter: ['a:eq:?', 'a:contains:??', 'a:in:\\?,:x'] }, config)).toMatchObject({
      sql: `select * from "t" where "a" = $1 and lower("a" collate "default") like lower($2) escape '!' and "a" in ($3, $4) limit $5`,
      bindings: ['?', '%??%', '\\?', ':x', 20],
    });
  });

  it('quotes column names, with table and schema', () => {
    const config: KnexQueryConfig = {
      columns: {
        owner: { name: 'users.name', type: 'string', nullable: false },
        odd: { name: 'id desc', type: 'integer', nullable: false },
        evil: { name: 'a"b', type: 'integer', nullable: false },
      },
    };
    expect(sent({ sort: ['owner:asc', 'odd:asc', 'evil:desc'] }, config).sql).toBe(
      'select * from "t" order by "users"."name" asc, "id desc" asc, "a""b" desc limit $1',
    );
  });

  it('takes no name from the query', () => {
    const filter = ['__proto__', 'constructor', 'title" or 1=1 --'].map((field) => `${field}:eq:x`);
    const parsed = parseQuery({ filter, sort: ['constructor:asc', 'id desc:asc'] });
    const built = knexAdapter.build(parsed, { columns: { title: 'string' } });
    expect(built.apply(DIALECTS.sqlite('t')).toSQL().toNative()).toMatchObject({
      sql: 'select * from `t` limit ?',
      bindings: [20],
    });
  });

  it('an empty list matches no row', () => {
    expect(sent({ filter: 'title:in:,' }, { columns: { title: 'string' } }).sql).toBe(
      'select * from "t" where 1 = 0 limit $1',
    );
  });

  testDeclaredColumns((query, config) => sent(query, config).bindings);
});
