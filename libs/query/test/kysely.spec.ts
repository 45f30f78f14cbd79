import { describe, expect, it } from '@jest/globals';
import { kyselyAdapter, type KyselyQueryConfig } from '@fledge/query/kysely';
import Sqlite from 'better-sqlite3';
import {
  DummyDriver,
  Kysely,
  MysqlAdapter,
  MysqlDialect,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { createPool } from 'mysql2';
import pg from 'pg';
import { parseQuery } from '../src/parse/parse-query.js';
import { openMariadb, openPostgres, openSqlite } from './support/databases.js';
import { describeCursors, pageOf } from './support/cursors.js';
import { localDayOf, TASKS, type TaskRow } from './support/dataset.js';
import { testDeclaredColumns } from './support/declared-adapter.js';
import { describeAgainstOracle } from './support/differential.js';
import { describeFields, fieldsPageOf, SELECTABLE } from './support/fields.js';
import { SENT_CONFIG, SENT_PARAMETERS, SENT_QUERY } from './support/sent-query.js';

interface KyselyEngine {
  readonly db: Kysely<Record<string, TaskRow>>;
  readonly table: string;
  readonly config: KyselyQueryConfig;
  close(): Promise<void>;
}

/** SQLite's driver accepts neither Dates nor booleans, so they are encoded as the table stores them. */
const SQLITE_TASKS: KyselyQueryConfig = {
  ...TASKS,
  encode: (value) => {
    if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '');
    return typeof value === 'boolean' ? Number(value) : value;
  },
};

async function sqliteEngine(): Promise<KyselyEngine> {
  const { path, table, close } = await openSqlite();
  const db = new Kysely<Record<string, TaskRow>>({
    dialect: new SqliteDialect({ database: new Sqlite(path) }),
  });
  return { db, table, config: SQLITE_TASKS, close: () => db.destroy().then(close) };
}

async function postgresEngine(): Promise<KyselyEngine | undefined> {
  const opened = await openPostgres();
  if (!opened) return undefined;
  const pool = new pg.Pool({ connectionString: opened.url });
  const db = new Kysely<Record<string, TaskRow>>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    table: opened.table,
    config: TASKS,
    close: () => db.destroy().then(() => opened.close()),
  };
}

async function mariadbEngine(): Promise<KyselyEngine | undefined> {
  const opened = await openMariadb();
  if (!opened) return undefined;
  const pool = createPool({ uri: opened.url, timezone: 'Z', dateStrings: ['DATE'] });
  const db = new Kysely<Record<string, TaskRow>>({ dialect: new MysqlDialect({ pool }) });
  return {
    db,
    table: opened.table,
    config: TASKS,
    close: () => db.destroy().then(() => opened.close()),
  };
}

for (const [name, open] of [
  ['SQLite', sqliteEngine],
  ['PostgreSQL', postgresEngine],
  ['MariaDB', mariadbEngine],
] as const) {
  describeAgainstOracle(`Kysely on ${name}`, async () => {
    const engine = await open();
    if (!engine) return undefined;
    const { db, table, config } = engine;
    return {
      async find(parsed) {
        const query = kyselyAdapter.build(parsed, config);
        const rows = await query.apply(db.selectFrom(table).select('id')).execute();
        const { total } = await query.applyCount(db.selectFrom(table)).executeTakeFirstOrThrow();
        return { ids: rows.map(({ id }) => id), total: Number(total) };
      },
      close: () => engine.close(),
    };
  });
  describeCursors(`Kysely on ${name}`, async () => {
    const engine = await open();
    if (!engine) return undefined;
    const { db, table, config } = engine;
    return {
      async page(parsed, options) {
        const query = kyselyAdapter.buildKeyset(parsed, config, options);
        const rows = await query.apply(db.selectFrom(table).selectAll()).execute();
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
  describeFields(`Kysely on ${name}`, async () => {
    const engine = await open();
    if (!engine) return undefined;
    const { db, table } = engine;
    const config = { ...engine.config, ...SELECTABLE };
    return {
      find: (parsed) =>
        kyselyAdapter.build(parsed, config).apply(db.selectFrom(table).selectAll()).execute(),
      async page(parsed, options) {
        const query = kyselyAdapter.buildKeyset(parsed, config, options);
        const rows = await query.apply(db.selectFrom(table).selectAll()).execute();
        return fieldsPageOf(rows, {
          cursorOf: (row) => query.cursorOf(readable(row)),
          project: query.project,
        });
      },
      close: () => engine.close(),
    };
  });
}

/** Converts drivers' values to the types of the columns. SQLite returns a text timestamp without a T. */
function readable(row: object): object {
  const { created, due } = row as Record<string, unknown>;
  return {
    ...row,
    ...(typeof created === 'string' && { created: new Date(`${created.replace(' ', 'T')}Z`) }),
    ...(due instanceof Date && { due: localDayOf(due) }),
  };
}

type Tables = { tasks: { id: number; title: string } };

/** Compile only, without a database. */
const DIALECTS = {
  postgres: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  mysql: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new MysqlAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new MysqlIntrospector(db),
      createQueryCompiler: () => new MysqlQueryCompiler(),
    },
  }),
  sqlite: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
};

describe('what Kysely sends', () => {
  const query = kyselyAdapter.build(parseQuery(SENT_QUERY, SENT_CONFIG), SENT_CONFIG);
  const where =
    'where ("status" = $1 and "priority" >= $2' +
    ` and lower("title") like lower($3) escape '!' and "id" in ($4, $5)` +
    ' and "created_at" between $6 and $7' +
    ` and (lower("title") like lower($8) escape '!' or lower("key") like lower($9) escape '!'))`;
  const collated = where.replace(/lower\(("\w+")\)/g, 'lower($1 collate "default")');
  const portable = '"created_at" is null asc, "created_at" desc';
  const page = (order: string, conditions = where) =>
    `select "id" from "tasks" ${conditions} order by ${order}, "id" asc limit $10 offset $11`;

  it('to PostgreSQL', () => {
    const compiled = query.apply(DIALECTS.postgres.selectFrom('tasks').select('id')).compile();
    expect(compiled).toMatchObject({
      sql: page('"created_at" desc nulls last', collated),
      parameters: [...SENT_PARAMETERS, 10, 10],
    });
  });

  it.each([
    ['MySQL', DIALECTS.mysql, '`', portable],
    ['SQLite', DIALECTS.sqlite, '"', '"created_at" desc nulls last'],
  ])('to %s', (_, db, quote, order) => {
    const compiled = query.apply(db.selectFrom('tasks').select('id')).compile();
    expect(compiled).toMatchObject({
      sql: page(order).replaceAll(/\$\d+/g, '?').replaceAll('"', quote),
      parameters: [...SENT_PARAMETERS, 10, 10],
    });
  });

  it('for the count', () => {
    expect(query.applyCount(DIALECTS.postgres.selectFrom('tasks')).compile()).toMatchObject({
      sql: `select count(*) as "total" from "tasks" ${collated}`,
      parameters: SENT_PARAMETERS,
    });
  });

  it('keeps the conditions of the query', () => {
    const base = DIALECTS.postgres
      .selectFrom('tasks')
      .select('id')
      .where((eb) => eb.or([eb('id', '=', 7), eb('title', '=', 'x')]));
    const config = { columns: { title: 'string' } } as const;
    const parsed = parseQuery({ filter: 'title:neq:y' }, config);
    expect(kyselyAdapter.build(parsed, config).apply(base).compile().sql).toBe(
      'select "id" from "tasks" where ("id" = $1 or "title" = $2) and "title" <> $3 limit $4 offset $5',
    );
  });

  it('without conditions sends one that is true', () => {
    const open = kyselyAdapter.build(parseQuery({}), { columns: {} });
    expect(open.apply(DIALECTS.mysql.selectFrom('tasks').selectAll()).compile().sql).toBe(
      'select * from `tasks` where 1 = 1 limit ? offset ?',
    );
  });
});

describe('edge cases', () => {
  const sent = (query: object, config: KyselyQueryConfig) =>
    kyselyAdapter
      .build(parseQuery(query, config), config)
      .apply(DIALECTS.postgres.selectFrom('tasks').selectAll())
      .compile();

  it('quotes column names, with table and schema', () => {
    const config: KyselyQueryConfig = {
      columns: {
        owner: { name: 'users.name', type: 'string', nullable: false },
        odd: { name: 'id desc', type: 'integer', nullable: false },
        evil: { name: 'a"b', type: 'integer', nullable: false },
        far: { name: 'app.users.age', type: 'integer', nullable: false },
      },
    };
    const sort = ['owner:asc', 'odd:asc', 'evil:asc', 'far:desc'];
    expect(sent({ sort }, config).sql).toBe(
      'select * from "tasks" where 1 = 1 order by "users"."name" asc, "id desc" asc, "a""b" asc, ' +
        '"app"."users"."age" desc limit $1 offset $2',
    );
  });

  it('takes no name from the query', () => {
    const filter = ['__proto__', 'constructor', 'title" or 1=1 --'].map((field) => `${field}:eq:x`);
    const sort = ['constructor:asc', 'id desc:asc'];
    const parsed = parseQuery({ filter, sort });
    const config = { columns: { title: 'string' } } as const;
    const built = kyselyAdapter.build(parsed, config);
    const { sql } = built.apply(DIALECTS.sqlite.selectFrom('tasks').selectAll()).compile();
    expect(sql).toBe('select * from "tasks" where 1 = 1 limit ? offset ?');
  });

  it('an empty list matches no row', () => {
    expect(sent({ filter: 'title:in:,' }, { columns: { title: 'string' } }).sql).toBe(
      'select * from "tasks" where 1 = 0 limit $1 offset $2',
    );
  });

  testDeclaredColumns((query, config) => sent(query, config).parameters);
});
