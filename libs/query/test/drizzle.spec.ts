import { afterAll, describe, expect, it } from '@jest/globals';
import { drizzleAdapter, type DrizzleQueryConfig } from '@fledge/query/drizzle';
import Sqlite from 'better-sqlite3';
import { type AnyColumn, eq, getTableColumns, type SQL, sql, type Table } from 'drizzle-orm';
import { drizzle as onSqlite } from 'drizzle-orm/better-sqlite3';
import * as mysql from 'drizzle-orm/mysql-core';
import { drizzle as onMysql } from 'drizzle-orm/mysql2';
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres';
import * as pg from 'drizzle-orm/pg-core';
import { drizzle as onPglite } from 'drizzle-orm/pglite';
import * as sqlite from 'drizzle-orm/sqlite-core';
import { parseQuery } from '../src/parse/parse-query.js';
import { InvalidQueryConfigError, InvalidQueryError } from '../src/query.errors.js';
import { isInTier } from '../../../test/support/engines.js';
import { openMariadb, openPglite, openPostgres, openSqlite } from './support/databases.js';
import { describeCursors, pageOf } from './support/cursors.js';
import { describeAgainstOracle } from './support/differential.js';
import { relations } from './support/drizzle-relations.js';
import { drizzleRows, type DrizzleRows } from './support/drizzle-rows.js';
import { describeFields, fieldsPageOf, SELECTABLE } from './support/fields.js';
import { SENT_QUERY } from './support/sent-query.js';

// Shared, because it takes seconds to start.
const pglite = openPglite();
afterAll(async () => (await pglite).close());

const STATUS = ['open', 'done', 'held'] as const;

const pgTasks = (name: string) =>
  pg.pgTable(name, {
    id: pg.integer().primaryKey(),
    title: pg.text().notNull(),
    note: pg.text(),
    status: pg.text({ enum: STATUS }).notNull(),
    priority: pg.integer().notNull(),
    rating: pg.doublePrecision(),
    price: pg.numeric({ precision: 10, scale: 2 }),
    serial: pg.bigint({ mode: 'bigint' }).notNull(),
    done: pg.boolean(),
    due: pg.date(),
    created: pg.timestamp({ withTimezone: true, precision: 3 }).notNull(),
    uid: pg.uuid().notNull(),
  });
const mysqlTasks = (name: string) =>
  mysql.mysqlTable(name, {
    id: mysql.int().primaryKey(),
    title: mysql.varchar({ length: 200 }).notNull(),
    note: mysql.varchar({ length: 200 }),
    status: mysql.varchar({ length: 10, enum: STATUS }).notNull(),
    priority: mysql.int().notNull(),
    rating: mysql.double(),
    price: mysql.decimal({ precision: 10, scale: 2 }),
    serial: mysql.bigint({ mode: 'bigint' }).notNull(),
    done: mysql.boolean(),
    due: mysql.date(),
    created: mysql.datetime({ fsp: 3 }).notNull(),
    uid: mysql.char({ length: 36 }).notNull(),
  });
const sqliteTasks = sqlite.sqliteTable('tasks', {
  id: sqlite.integer().primaryKey(),
  title: sqlite.text().notNull(),
  note: sqlite.text(),
  status: sqlite.text({ enum: STATUS }).notNull(),
  priority: sqlite.integer().notNull(),
  rating: sqlite.real(),
  price: sqlite.numeric(),
  serial: sqlite.integer().notNull(),
  done: sqlite.integer({ mode: 'boolean' }),
  due: sqlite.text(),
  created: sqlite.integer({ mode: 'timestamp_ms' }).notNull(),
  uid: sqlite.text().notNull(),
});
const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** The fields of the dataset. Types that the schema does not contain are declared. */
function pgConfig(table: ReturnType<typeof pgTasks>): DrizzleQueryConfig {
  return { columns: getTableColumns(table), searchColumns: [table.title, table.note] };
}
function mysqlConfig(table: ReturnType<typeof mysqlTasks>): DrizzleQueryConfig {
  const columns = { ...getTableColumns(table), uid: { column: table.uid, type: 'uuid' as const } };
  return { columns, searchColumns: [table.title, table.note] };
}
function sqliteConfig(table: typeof sqliteTasks): DrizzleQueryConfig {
  return {
    columns: {
      ...getTableColumns(table),
      id: { column: table.id, ...INT32 },
      priority: { column: table.priority, ...INT32 },
      serial: { column: table.serial, type: 'bigint' },
      due: { column: table.due, type: 'date' },
      uid: { column: table.uid, type: 'uuid' },
    },
    searchColumns: [table.title, table.note],
  };
}
async function sqliteEngine(): Promise<DrizzleEngine> {
  const { path, close } = await openSqlite('milliseconds');
  const client = new Sqlite(path);
  const db = onSqlite({ client });
  return {
    table: sqliteTasks,
    config: sqliteConfig(sqliteTasks),
    rows: drizzleRows(db, sqliteTasks),
    count: (where) => db.$count(sqliteTasks, where),
    close: () => (client.close(), close()),
  };
}

async function pgliteEngine(): Promise<DrizzleEngine> {
  const { client, table } = await pglite;
  return pgEngine(onPglite({ client }), table, () => Promise.resolve());
}

async function postgresEngine(): Promise<DrizzleEngine> {
  const opened = await openPostgres();
  return pgEngine(onPostgres({ client: opened.pool }), opened.table, () => opened.close());
}

async function mariadbEngine(): Promise<DrizzleEngine> {
  const opened = await openMariadb();
  const table = mysqlTasks(opened.table);
  const db = onMysql({ client: opened.pool });
  return {
    table,
    config: mysqlConfig(table),
    rows: drizzleRows(db, table),
    count: (where) => db.$count(table, where),
    close: () => opened.close(),
  };
}

function pgEngine(
  db: pg.PgDatabase<pg.PgQueryResultHKT>,
  name: string,
  close: () => Promise<void>,
): DrizzleEngine {
  const table = pgTasks(name);
  return {
    table,
    config: pgConfig(table),
    rows: drizzleRows(db, table),
    count: (where) => db.$count(table, where),
    close,
  };
}

interface DrizzleEngine {
  readonly table: Table;
  readonly config: DrizzleQueryConfig;
  readonly rows: DrizzleRows;
  count(where: SQL | undefined): PromiseLike<number>;
  close(): Promise<void>;
}

for (const [name, open] of [
  ['SQLite', sqliteEngine],
  ['PGlite', pgliteEngine],
  ['PostgreSQL', postgresEngine],
  ['MariaDB', mariadbEngine],
] as const) {
  describeAgainstOracle(`Drizzle on ${name}`, async () => {
    const engine = await open();
    return (
      engine && {
        async find(parsed) {
          const query = drizzleAdapter.build(parsed, engine.config);
          const rows = await engine.rows(query);
          return { ids: rows.map(({ id }) => id), total: await engine.count(query.where) };
        },
        close: () => engine.close(),
      }
    );
  });
  describeCursors(`Drizzle on ${name}`, async () => {
    const engine = await open();
    return (
      engine && {
        async page(parsed, options) {
          const query = drizzleAdapter.buildKeyset(parsed, engine.config, options);
          return pageOf(await engine.rows(query), query.cursorOf);
        },
        close: () => engine.close(),
      }
    );
  });
}

for (const [name, open] of [
  ['SQLite', sqliteEngine],
  ['PGlite', pgliteEngine],
  ['PostgreSQL', postgresEngine],
  ['MariaDB', mariadbEngine],
] as const) {
  describeFields(`Drizzle on ${name}`, async () => {
    const engine = await open();
    if (!engine) return undefined;
    const { columns, searchColumns } = engine.config;
    const all = getTableColumns(engine.table);
    const selectable = Object.fromEntries(
      SELECTABLE.selectable.map((member) => [member, all[member] as AnyColumn]),
    );
    const config = { columns, searchColumns, selectable };
    return {
      find: (parsed) => engine.rows(drizzleAdapter.build(parsed, config)),
      async page(parsed, options) {
        const query = drizzleAdapter.buildKeyset(parsed, config, options);
        return fieldsPageOf(await engine.rows(query), query);
      },
      close: () => engine.close(),
    };
  });
}

describe('what Drizzle sends', () => {
  const PARAMS = {
    before: ['open', 3, '%50!%!_%', 1, 2],
    after: ['%dep%', '%dep%', 10, 10],
  };

  it('to PostgreSQL', () => {
    const tasks = pg.pgTable('tasks', {
      id: pg.serial().primaryKey(),
      status: pg.pgEnum('status', STATUS)(),
      priority: pg.smallint().notNull(),
      title: pg.varchar().notNull(),
      key: pg.text(),
      createdAt: pg.timestamp('created_at', { withTimezone: true }),
    });
    const { where, orderBy, limit, offset } = build(tasks);
    const query = new pg.QueryBuilder().select({ id: tasks.id }).from(tasks).where(where);
    expect(
      query
        .orderBy(...orderBy)
        .limit(limit)
        .offset(offset)
        .toSQL(),
    ).toEqual({
      sql:
        'select "id" from "tasks" where ("tasks"."status" = $1 and "tasks"."priority" >= $2' +
        ` and lower("tasks"."title" collate "default") like lower($3) escape '!' and "tasks"."id" in ($4, $5)` +
        ' and "tasks"."created_at" between $6 and $7' +
        ` and (lower("tasks"."title" collate "default") like lower($8) escape '!'` +
        ` or lower("tasks"."key" collate "default") like lower($9) escape '!'))` +
        ' order by "tasks"."created_at" desc nulls last, "tasks"."id" asc limit $10 offset $11',
      params: [
        ...PARAMS.before,
        '2026-01-01T00:00:00.000Z',
        '2026-02-01T00:00:00.000Z',
        ...PARAMS.after,
      ],
    });
  });

  it('to MySQL', () => {
    const tasks = mysql.mysqlTable('tasks', {
      id: mysql.serial().primaryKey(),
      status: mysql.mysqlEnum(STATUS),
      priority: mysql.tinyint().notNull(),
      title: mysql.varchar({ length: 200 }).notNull(),
      key: mysql.text(),
      createdAt: mysql.datetime('created_at', { mode: 'string', fsp: 3 }),
    });
    const { where, orderBy, limit, offset } = build(tasks);
    const query = new mysql.QueryBuilder().select({ id: tasks.id }).from(tasks).where(where);
    expect(
      query
        .orderBy(...orderBy)
        .limit(limit)
        .offset(offset)
        .toSQL(),
    ).toEqual({
      sql:
        'select `id` from `tasks` where (`tasks`.`status` = ? and `tasks`.`priority` >= ?' +
        " and lower(`tasks`.`title`) like lower(?) escape '!' and `tasks`.`id` in (?, ?)" +
        ' and `tasks`.`created_at` between ? and ?' +
        " and (lower(`tasks`.`title`) like lower(?) escape '!'" +
        " or lower(`tasks`.`key`) like lower(?) escape '!'))" +
        ' order by `tasks`.`created_at` desc, `tasks`.`id` asc limit ? offset ?',
      params: [
        ...PARAMS.before,
        '2026-01-01 00:00:00.000',
        '2026-02-01 00:00:00.000',
        ...PARAMS.after,
      ],
    });
  });

  it('to SQLite', () => {
    const tasks = sqlite.sqliteTable('tasks', {
      id: sqlite.integer().primaryKey(),
      status: sqlite.text({ enum: STATUS }),
      priority: sqlite.integer().notNull(),
      title: sqlite.text().notNull(),
      key: sqlite.text(),
      createdAt: sqlite.integer('created_at', { mode: 'timestamp_ms' }),
    });
    const { where, orderBy, limit, offset } = build(tasks);
    const query = new sqlite.QueryBuilder().select({ id: tasks.id }).from(tasks).where(where);
    expect(
      query
        .orderBy(...orderBy)
        .limit(limit)
        .offset(offset)
        .toSQL(),
    ).toEqual({
      sql:
        'select "id" from "tasks" where ("tasks"."status" = ? and "tasks"."priority" >= ?' +
        ` and lower("tasks"."title") like lower(?) escape '!' and "tasks"."id" in (?, ?)` +
        ' and "tasks"."created_at" between ? and ?' +
        ` and (lower("tasks"."title") like lower(?) escape '!'` +
        ` or lower("tasks"."key") like lower(?) escape '!'))` +
        ' order by "tasks"."created_at" desc, "tasks"."id" asc limit ? offset ?',
      params: [...PARAMS.before, 1767225600000, 1769904000000, ...PARAMS.after],
    });
  });

  it('puts NULLs last in the form that suits the engine', () => {
    const orders = [
      new pg.PgDialect().sqlToQuery(both(pg.pgTable('t', { a: pg.text(), b: pg.text() }))),
      new mysql.MySqlDialect().sqlToQuery(
        both(mysql.mysqlTable('t', { a: mysql.text(), b: mysql.text() })),
      ),
      new sqlite.SQLiteSyncDialect().sqlToQuery(
        both(sqlite.sqliteTable('t', { a: sqlite.text(), b: sqlite.text() })),
      ),
    ];
    expect(orders.map(({ sql }) => sql)).toEqual([
      '"t"."a" asc, "t"."b" desc nulls last',
      '`t`.`a` is null asc, `t`.`a` asc, `t`.`b` desc',
      '"t"."a" asc nulls last, "t"."b" desc',
    ]);

    function both(table: { a: AnyColumn; b: AnyColumn }): SQL {
      const columns = { a: table.a, b: table.b };
      const { orderBy } = drizzleAdapter.build(
        parseQuery({ sort: ['a:asc', 'b:desc'] }, { columns }),
        { columns },
      );
      return sql.join(orderBy, sql`, `);
    }
  });

  function build(
    table: Record<'id' | 'status' | 'priority' | 'title' | 'key' | 'createdAt', AnyColumn>,
  ) {
    const { id, status, priority, title, key, createdAt } = table;
    const config = {
      columns: { id, status, priority, title, createdAt },
      searchColumns: [title, key],
    };
    return drizzleAdapter.build(parseQuery(SENT_QUERY, config), config);
  }
});

describe('the type of a Drizzle column', () => {
  const typeOf = (column: AnyColumn, value: string) =>
    drizzleAdapter.build(parseQuery({ filter: `field:eq:${value}` }), {
      columns: { field: column },
    });
  const table = pg.pgTable('t', {
    small: pg.smallint(),
    big: pg.bigint({ mode: 'number' }),
    real: pg.real(),
    number: pg.numeric({ mode: 'number' }),
    huge: pg.numeric({ mode: 'bigint' }),
    time: pg.time(),
    naive: pg.timestamp({ mode: 'string' }),
    day: pg.date({ mode: 'date' }),
    json: pg.jsonb(),
    tags: pg.text().array(),
    ip: pg.inet(),
    citext: pg.customType<{ data: string }>({ dataType: () => 'citext' })(),
  });

  it.each<[string, AnyColumn, string, unknown]>([
    ['smallint', table.small, '32767', 32767],
    ['bigint as number', table.big, '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['real', table.real, '0.5', 0.5],
    ['numeric as number', table.number, '1.5', '1.5'],
    ['numeric as bigint', table.huge, '9223372036854775807', '9223372036854775807'],
    ['time', table.time, '10:30', '10:30'],
    ['timestamp as string', table.naive, '2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['date as Date', table.day, '2026-01-31', '2026-01-31'],
    [
      'unsigned',
      mysql.mysqlTable('t', { n: mysql.int({ unsigned: true }) }).n,
      '4294967295',
      4294967295,
    ],
    [
      'date as Date in MySQL',
      mysql.mysqlTable('t', { d: mysql.date() }).d,
      '2026-01-31',
      '2026-01-31',
    ],
    [
      'seconds',
      sqlite.sqliteTable('t', { s: sqlite.integer({ mode: 'timestamp' }) }).s,
      '1970-01-01T00:00:00.5',
      0.5,
    ],
  ])('%s', (_, column, text, param) => {
    const { where } = typeOf(column, text);
    expect(new pg.PgDialect().sqlToQuery(where as SQL).params).toEqual([param]);
  });

  it.each<[string, AnyColumn, string]>([
    ['smallint', table.small, '32768'],
    ['bigint as number', table.big, '9007199254740992'],
    ['unsigned', mysql.mysqlTable('t', { n: mysql.int({ unsigned: true }) }).n, '-1'],
    ['enum', pg.pgTable('t', { e: pg.pgEnum('e', ['a'])() }).e, 'b'],
    ['uuid', pg.pgTable('t', { u: pg.uuid() }).u, 'zzz'],
  ])('%s refuses other values', (_, column, text) => {
    expect(() => typeOf(column, text)).toThrow(InvalidQueryError);
  });

  it.each<[string, DrizzleQueryConfig, string]>([
    [
      'json',
      { columns: { json: table.json } },
      'Column "t.json" has the type PgJsonb, which cannot be filtered or sorted. ' +
        "Remove it from the query config, or declare a value in the JSON: { column, type: 'string', json: ['key'] }.",
    ],
    [
      'an array',
      { columns: { tags: table.tags } },
      'Column "t.tags" has the type PgArray, which cannot be filtered or sorted. ' +
        "Remove it from the query config, or declare its elements: { column, type: 'string', array: true }.",
    ],
    ['an address', { columns: { ip: table.ip } }, 'Column "t.ip" has the type PgInet'],
    [
      'a time with a time zone',
      { columns: { at: pg.pgTable('t', { at: pg.time({ withTimezone: true }) }).at } },
      'Column "t.at" has the type PgTime',
    ],
    [
      'a custom type',
      { columns: { citext: table.citext } },
      "Remove it from the query config, or declare its type: { column, type: 'string' }.",
    ],
    [
      'a number in searchColumns',
      { columns: {}, searchColumns: [table.small] },
      'Column "t.small" is searched by `q`, but its type is integer.',
    ],
    [
      'a type that does not fit the column',
      { columns: { small: { column: table.small, type: 'timestamp' } } },
      'Column "t.small" is declared as timestamp, but its data type in Drizzle is number.',
    ],
    [
      'a name instead of a column',
      { columns: { small: 'small' as never } },
      '`columns.small` of a Drizzle query config is not a column. Set it to a column of a table, such as tasks.title.',
    ],
  ])('refuses %s', (_, config, message) => {
    const build = () => drizzleAdapter.build(parseQuery({}), config);
    expect(build).toThrow(InvalidQueryConfigError);
    expect(build).toThrow(message);
  });

  it.each<[string, AnyColumn]>([
    ['a FLOAT of MySQL', mysql.mysqlTable('t', { n: mysql.float() }).n],
    [
      'a numeric of 20 digits as number',
      pg.pgTable('t', { n: pg.numeric({ mode: 'number', precision: 20, scale: 2 }) }).n,
    ],
  ])('refuses cursors over a column whose values are rounded: %s', (_, n) => {
    const config: DrizzleQueryConfig = { columns: { n }, primaryKey: table.small };
    const parsed = parseQuery({ sort: 'n:asc' }, config);
    expect(drizzleAdapter.build(parsed, config).orderBy).not.toHaveLength(0);
    const page = () =>
      drizzleAdapter.buildKeyset(parsed, config, { secret: 'sixteen or more bytes' });
    expect(page).toThrow(InvalidQueryError);
    expect(page).toThrow('sort "n" not-expressible');
  });

  it('orders an enum of MySQL as text, as it is compared', () => {
    const config = { columns: { e: mysql.mysqlTable('t', { e: mysql.mysqlEnum(STATUS) }).e } };
    const { orderBy } = drizzleAdapter.build(parseQuery({ sort: 'e:desc' }, config), config);
    expect(new mysql.MySqlDialect().sqlToQuery(sql.join(orderBy, sql`, `)).sql).toBe(
      'coalesce(`t`.`e`, `t`.`e`) desc',
    );
  });

  it('is overridden by a declaration', () => {
    const config: DrizzleQueryConfig = {
      columns: {
        citext: { column: table.citext, type: 'string', operators: ['contains'], nullable: false },
      },
      searchColumns: [{ column: table.citext, type: 'string' }],
    };
    const { where, orderBy } = drizzleAdapter.build(
      parseQuery({ filter: 'citext:contains:a', sort: 'citext:desc' }, config),
      config,
    );
    const query = new pg.PgDialect().sqlToQuery(sql`${where} order by ${sql.join(orderBy)}`);
    expect(query.sql).toBe(
      `lower("t"."citext" collate "default") like lower($1) escape '!' order by "t"."citext" desc`,
    );
    const refused = parseQuery({ filter: 'citext:eq:a' }, config);
    expect(() => drizzleAdapter.build(refused, config)).toThrow(InvalidQueryError);
  });
});

describe('edge cases', () => {
  const users = sqlite.sqliteTable('users', {
    id: sqlite.integer().primaryKey(),
    name: sqlite.text().notNull(),
  });
  const posts = sqlite.sqliteTable('posts', {
    id: sqlite.integer().primaryKey(),
    name: sqlite.text().notNull(),
    author: sqlite.integer(),
    at: sqlite.integer({ mode: 'timestamp' }),
  });
  const schema = {
    users,
    posts,
    postsRelations: relations(posts, ({ one }) => ({
      by: one(users, { fields: [posts.author], references: [users.id] }),
    })),
  };
  function open() {
    const client = new Sqlite(':memory:');
    client.exec(`create table users (id integer primary key, name text not null);
      create table posts (id integer primary key, name text not null, author integer, at integer);
      insert into users values (1, 'ada'), (2, 'bob');
      insert into posts values (1, 'x', 2, 0), (2, 'x', 1, 1), (3, 'x', null, 2), (4, 'y%', 1, 3)`);
    return onSqlite({ client, schema });
  }

  it('where is undefined without conditions', () => {
    expect(drizzleAdapter.build(parseQuery({}), { columns: { name: users.name } })).toMatchObject({
      where: undefined,
      limit: 20,
      offset: 0,
    });
  });

  it('distinguishes columns of one name in two tables, and ends the order with both primary keys', async () => {
    const db = open();
    const config = {
      columns: { author: { column: users.name, nullable: true }, post: posts.name },
    } satisfies DrizzleQueryConfig;
    const parsed = parseQuery({ sort: ['post:asc', 'author:asc'] }, config);
    const { where, orderBy } = drizzleAdapter.build(parsed, config);
    const query = db
      .select({ id: posts.id })
      .from(posts)
      .leftJoin(users, eq(users.id, posts.author));
    expect((await query.where(where).orderBy(...orderBy)).map(({ id }) => id)).toEqual([
      2, 1, 3, 4,
    ]);
    expect(query.toSQL().sql).toContain(
      'order by "posts"."name" asc, "users"."name" asc nulls last, "users"."id" asc, "posts"."id" asc',
    );
  });

  it('works in a relational query, which renames the table in the conditions', async () => {
    const db = open();
    const config = { columns: { name: posts.name, id: posts.id }, searchColumns: [posts.name] };
    const parsed = parseQuery({ filter: 'name:contains:%', sort: 'id:desc', q: 'Y' }, config);
    const found = await db.query.posts.findMany({
      ...drizzleAdapter.build(parsed, config),
      with: { by: true },
    });
    expect(found).toEqual([expect.objectContaining({ id: 4, by: { id: 1, name: 'ada' } })]);
  });

  it('cuts members in a relational query and in a join, also those of cursors', async () => {
    const db = open();
    const config = {
      columns: { name: posts.name, id: posts.id, by: posts.author },
      // Of cursors: `by` is a record in the row, and a sort key in the table.
      selectable: { name: posts.name, at: posts.at, by: { name: users.name } },
      primaryKey: posts.id,
    } as const;
    const parsed = parseQuery({ fields: 'name', sort: ['by:asc', 'id:desc'] }, config);
    const { select, ...found } = drizzleAdapter.build(parsed, config);
    expect(Object.keys(select ?? {})).toEqual(['id', 'name']);
    expect((await db.query.posts.findMany(found))[0]).toEqual({ id: 4, name: 'y%' });

    const secret = 'of tests alone, and long enough';
    const seen: unknown[] = [];
    let after: string | undefined;
    do {
      const asked = parseQuery({ fields: 'by', sort: ['by:asc', 'id:desc'], limit: '2' }, config);
      const page = drizzleAdapter.buildKeyset(asked, config, { secret, after });
      const rows = await db
        .select(page.select ?? config.selectable)
        .from(posts)
        .leftJoin(users, eq(users.id, posts.author))
        .where(page.where)
        .orderBy(...page.orderBy)
        .limit(page.limit);
      const last = rows.at(-1);
      after = last && page.cursorOf(last);
      seen.push(...rows.map((row) => page.project(row)));
    } while (after !== undefined);
    expect(seen).toEqual([
      { id: 4, by: { name: 'ada' } },
      { id: 2, by: { name: 'ada' } },
      { id: 1, by: { name: 'bob' } },
      { id: 3, by: null },
    ]);
  });

  it('cursors tell a renamed field from a column with its name', async () => {
    const db = open();
    const config = { columns: { name: posts.at, id: posts.id }, primaryKey: posts.id };
    const parsed = parseQuery({ sort: 'name:asc' }, config);
    const page = drizzleAdapter.buildKeyset(parsed, config, { secret: 'of tests alone, and long' });
    const [whole] = await db.select().from(posts).limit(1);
    expect(() => page.cursorOf(whole ?? {})).toThrow(
      'A row has the properties "name" and "at" with different values.',
    );
    const [renamed] = await db.select({ id: posts.id, name: posts.at }).from(posts).limit(1);
    const cursor = page.cursorOf(renamed ?? {});
    expect(page.cursorOf({ ...renamed, at: renamed?.name })).toBe(cursor);
    expect(page.cursorOf({ id: 1, at: renamed?.name })).toBe(cursor);
  });

  it('cursors read a column of a joined table next to a column with the same name', async () => {
    const db = open();
    const author = { column: users.name, nullable: true };
    const config = { columns: { author, key: posts.id }, primaryKey: posts.id } as const;
    const parsed = parseQuery({ sort: 'author:asc' }, config);
    const page = drizzleAdapter.buildKeyset(parsed, config, { secret: 'of tests alone, and long' });
    const [row] = await db
      .select({ key: posts.id, name: posts.name, author: users.name })
      .from(posts)
      .leftJoin(users, eq(users.id, posts.author))
      .limit(1);
    const [payload = ''] = page.cursorOf(row ?? {}).split('.');
    expect(Buffer.from(payload, 'base64url').toString()).toBe('["bob","1"]');
  });

  it('needs a member for the key', () => {
    const columns = { name: posts.name };
    const check = (config: DrizzleQueryConfig) => () => drizzleAdapter.check(config);
    expect(check({ columns, selectable: { id: posts.name } })).toThrow(
      /`selectable` of a Drizzle query config does not contain the primary key "posts\.id"/,
    );
    expect(check({ columns, selectable: { id: posts.id } })).not.toThrow();
  });

  it.each([
    ['eq', []],
    ['gt', [2, 3, 4]],
    ['gte', [2, 3, 4]],
    ['lt', [1]],
    ['lte', [1]],
  ])('compares half seconds with a column in seconds: %s', async (operator, ids) => {
    const config = { columns: { at: posts.at } };
    const parsed = parseQuery({ filter: `at:${operator}:1970-01-01T00:00:00.500Z` }, config);
    const { where, orderBy } = drizzleAdapter.build(parsed, config);
    const found = await open()
      .select()
      .from(posts)
      .where(where)
      .orderBy(...orderBy);
    expect(found.map(({ id }) => id)).toEqual(ids);
  });

  it('a composite primary key can be declared', () => {
    const config: DrizzleQueryConfig = {
      columns: { name: posts.name },
      primaryKey: [posts.author, posts.id],
    };
    const { orderBy } = drizzleAdapter.build(parseQuery({ sort: 'name' }, config), config);
    const query = new sqlite.SQLiteSyncDialect().sqlToQuery(sql.join(orderBy, sql`, `));
    expect(query.sql).toBe('"posts"."author" asc nulls last, "posts"."id" asc');
  });

  it('inherited property names are not fields', () => {
    const filter = ['__proto__', 'constructor', 'toString', 'name" or 1=1 --'].map(
      (f) => `${f}:eq:x`,
    );
    const config = { columns: { name: users.name } };
    const parsed = { ...parseQuery({}), filters: parseQuery({ filter }).filters };
    expect(drizzleAdapter.build(parsed, config).where).toBeUndefined();
  });

  it.each(['1e300', '-1e300', '1e-60', '0.1'])(
    'PostgreSQL compares %s with a real column',
    async (value) => {
      const { client } = await pglite;
      const table = pg.pgTable('reals', { id: pg.integer().primaryKey(), r: pg.real() });
      await client.exec(
        'drop table if exists reals; create table reals (id int primary key, r real); insert into reals values (1, 0.1)',
      );
      const config = { columns: { r: table.r } };
      const found = async (operator: string) => {
        const { where } = drizzleAdapter.build(
          parseQuery({ filter: `r:${operator}:${value}` }, config),
          config,
        );
        return (await onPglite({ client }).select().from(table).where(where)).length === 1;
      };
      expect([await found('lt'), await found('eq'), await found('gt')]).toEqual([
        0.1 < Number(value),
        0.1 === Number(value),
        0.1 > Number(value),
      ]);
    },
  );

  if (isInTier('MariaDB')) {
    it.each(['eq', 'between', 'in'])(
      'MySQL compares every digit of a decimal: %s',
      async (operator) => {
        const opened = await openMariadb();
        const table = mysql.mysqlTable(`${opened.table}_d`, {
          id: mysql.int(),
          d: mysql.decimal(),
        });
        const { pool } = opened;
        await pool.query(`create table ${opened.table}_d (id int, d decimal(30,10))`);
        await pool.query(`insert into ${opened.table}_d values
      (1, 12345678901234567.8900000000), (2, 12345678901234567.8900000001)`);
        const value = '12345678901234567.89';
        const filter = `d:${operator}:${operator === 'eq' ? value : `${value},${value}`}`;
        const config = { columns: { d: table.d } };
        const { where } = drizzleAdapter.build(parseQuery({ filter }, config), config);
        const found = await onMysql({ client: pool }).select().from(table).where(where);
        await pool.query(`drop table ${opened.table}_d`);
        await opened.close();
        expect(found.map(({ id }) => id)).toEqual([1]);
      },
    );
  }
});
