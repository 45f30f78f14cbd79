import { randomBytes } from 'node:crypto';
import { EntitySchema as MikroSchema, MikroORM } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import Sqlite from 'better-sqlite3';
import { drizzle as onSqlite } from 'drizzle-orm/better-sqlite3';
import * as mysqlTables from 'drizzle-orm/mysql-core';
import { drizzle as onMysql } from 'drizzle-orm/mysql2';
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres';
import * as pgTables from 'drizzle-orm/pg-core';
import * as sqliteTables from 'drizzle-orm/sqlite-core';
import createKnex from 'knex';
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import { createPool } from 'mysql2';
import { createPool as createPromisePool } from 'mysql2/promise';
import pg from 'pg';
import { DataSource, type DataSourceOptions, EntitySchema } from 'typeorm';
import * as drizzle from '../../src/drizzle/index.js';
import * as knex from '../../src/knex/index.js';
import * as kysely from '../../src/kysely/index.js';
import * as mikroOrm from '../../src/mikro-orm/index.js';
import type { CappedTotal, EstimatedTotal } from '../../src/page/paginated-response.js';
import type { AnyParsedQuery } from '../../src/parse/parsed-query.js';
import * as typeOrm from '../../src/typeorm/index.js';
import { SqliteDriver } from './mikro-sqlite.js';

/** An adapter that counts the rows of the table. */
export interface Counter {
  capped(parsed: AnyParsedQuery, cap: number): Promise<CappedTotal>;
  estimated(parsed: AnyParsedQuery, threshold: number): Promise<EstimatedTotal>;
  close(): unknown;
}

export interface CountedRow {
  readonly id: number;
  readonly title: string;
  readonly status: string | null;
}

/** Every sixth has no status, every third is open. */
export const COUNTED: readonly CountedRow[] = Array.from({ length: 2400 }, (_, i) => ({
  id: i + 1,
  title: `task ${i % 50}`,
  status: i % 6 === 5 ? null : i % 3 === 0 ? 'open' : 'done',
}));

export const LIST = {
  columns: {
    id: { type: 'integer', nullable: false },
    title: { type: 'string', nullable: false },
    status: 'string',
  },
  searchColumns: ['title'],
  primaryKey: 'id',
} as const;
const NAMES = {
  filterable: ['id', 'title', 'status'],
  sortable: ['id'],
  searchable: ['title'],
} as const;

export type CountedEngine = 'sqlite' | 'postgres' | 'mariadb';

/** A database, and the name of the filled table. */
export interface CountedPlace {
  readonly engine: CountedEngine;
  readonly url: string;
  readonly table: string;
}

const URLS = {
  postgres: process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test',
  mariadb: process.env['MARIADB_URL'] ?? 'mysql://root@127.0.0.1:3306/test',
};

/** Creates the table on an engine. @param path of the file of SQLite */
export async function openCounted(
  engine: CountedEngine,
  path: string,
): Promise<CountedPlace & { close(): Promise<unknown> }> {
  const table = `fledge_counted_${randomBytes(6).toString('hex')}`;
  const texts = COUNTED.map(
    ({ id, title, status }) => `(${id}, '${title}', ${status === null ? 'null' : `'${status}'`})`,
  );
  const statements = [
    `create table ${table} (id integer primary key, title varchar(50) not null, status varchar(10))`,
    `insert into ${table} values ${texts.join(', ')}`,
  ];
  if (engine === 'sqlite') {
    const database = new Sqlite(path);
    database.exec(statements.join('; '));
    return { engine, url: path, table, close: () => Promise.resolve(database.close()) };
  }
  const url = URLS[engine];
  const client =
    engine === 'postgres' ? new pg.Pool({ connectionString: url }) : createPromisePool(url);
  const run = (sql: string) => (client as pg.Pool).query(sql);
  const analyze =
    engine === 'postgres' ? `analyze ${table}` : `analyze table ${table} persistent for all`;
  for (const sql of [...statements, analyze]) await run(sql);
  return { engine, url, table, close: () => run(`drop table ${table}`).then(() => client.end()) };
}

export const COUNTERS: Readonly<Record<string, (place: CountedPlace) => Promise<Counter>>> = {
  Drizzle: drizzleCounter,
  Kysely: kyselyCounter,
  Knex: knexCounter,
  TypeORM: typeOrmCounter,
  MikroORM: mikroOrmCounter,
};

function drizzleCounter({ engine, url, table }: CountedPlace): Promise<Counter> {
  const pgTable = pgTables.pgTable(table, {
    id: pgTables.integer().primaryKey(),
    title: pgTables.text().notNull(),
    status: pgTables.text(),
  });
  const mysqlTable = mysqlTables.mysqlTable(table, {
    id: mysqlTables.int().primaryKey(),
    title: mysqlTables.varchar({ length: 50 }).notNull(),
    status: mysqlTables.varchar({ length: 10 }),
  });
  const sqliteTable = sqliteTables.sqliteTable(table, {
    id: sqliteTables.integer().primaryKey(),
    title: sqliteTables.text().notNull(),
    status: sqliteTables.text(),
  });
  const [tasks, client] = {
    postgres: () => [pgTable, new pg.Pool({ connectionString: url })] as const,
    mariadb: () => [mysqlTable, createPromisePool(url)] as const,
    sqlite: () => [sqliteTable, new Sqlite(url)] as const,
  }[engine]();
  const open = { postgres: onPostgres, mariadb: onMysql, sqlite: onSqlite }[engine];
  const db = (open as (options: object) => drizzle.DrizzleCounting)({ client });
  const { id, title, status } = tasks;
  const config = { columns: { id, title, status }, searchColumns: [title] };
  const whereOf = (parsed: AnyParsedQuery) => drizzle.drizzleAdapter.build(parsed, config).where;
  return Promise.resolve({
    capped: (parsed, cap) => drizzle.cappedCount(db, tasks, whereOf(parsed), cap),
    estimated: (parsed, above) => drizzle.estimatedCount(db, tasks, whereOf(parsed), above),
    close: () => ('end' in client ? client.end() : client.close()),
  });
}

function kyselyCounter({ engine, url, table }: CountedPlace): Promise<Counter> {
  const dialect = {
    postgres: () => new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    mariadb: () => new MysqlDialect({ pool: createPool({ uri: url }) }),
    sqlite: () => new SqliteDialect({ database: new Sqlite(url) }),
  }[engine]();
  const db = new Kysely<Record<string, CountedRow>>({ dialect });
  const countOf = (parsed: AnyParsedQuery) =>
    kysely.kyselyAdapter.build(parsed, LIST).applyCount(db.selectFrom(table));
  return Promise.resolve({
    capped: (parsed, cap) => kysely.cappedCount(db, countOf(parsed), cap),
    estimated: (parsed, above) => kysely.estimatedCount(db, countOf(parsed), above),
    close: () => db.destroy(),
  });
}

function knexCounter({ engine, url, table }: CountedPlace): Promise<Counter> {
  const db = createKnex({
    client: { postgres: 'pg', mariadb: 'mysql2', sqlite: 'better-sqlite3' }[engine],
    connection: engine === 'sqlite' ? { filename: url } : url,
    useNullAsDefault: true,
  });
  const countOf = (parsed: AnyParsedQuery) =>
    knex.knexAdapter.build(parsed, LIST).applyCount(db(table));
  return Promise.resolve({
    capped: (parsed, cap) => knex.cappedCount(countOf(parsed), cap),
    estimated: (parsed, above) => knex.estimatedCount(countOf(parsed), above),
    close: () => db.destroy(),
  });
}

async function typeOrmCounter({ engine, url, table }: CountedPlace): Promise<Counter> {
  const entity = new EntitySchema<CountedRow>({
    name: 'Counted',
    tableName: table,
    columns: {
      id: { type: Number, primary: true },
      title: { type: String },
      status: { type: String, nullable: true },
    },
    orderBy: { title: 'ASC' },
  });
  const place =
    engine === 'sqlite' ? { type: 'better-sqlite3', database: url } : { type: engine, url };
  const source = new DataSource({ ...place, entities: [entity] } as DataSourceOptions);
  const tasks = (await source.initialize()).getRepository(entity);
  const builderOf = (parsed: AnyParsedQuery) =>
    typeOrm.typeOrmAdapter(tasks).build(parsed, NAMES).applyTo(tasks.createQueryBuilder('task'));
  return {
    capped: (parsed, cap) => typeOrm.cappedCount(builderOf(parsed), cap),
    estimated: (parsed, above) => typeOrm.estimatedCount(builderOf(parsed), above),
    close: () => source.destroy(),
  };
}

async function mikroOrmCounter({ engine, url, table }: CountedPlace): Promise<Counter> {
  const entity = new MikroSchema<CountedRow>({
    name: 'Counted',
    tableName: table,
    properties: {
      id: { type: 'integer', primary: true },
      title: { type: 'string' },
      status: { type: 'string', nullable: true },
    },
  });
  const place =
    engine === 'sqlite'
      ? { driver: SqliteDriver, dbName: url }
      : { driver: PostgreSqlDriver, clientUrl: url };
  const orm = await MikroORM.init({ ...place, entities: [entity] } as never);
  const tasks = () => orm.em.fork().getRepository<CountedRow>('Counted');
  const queryOf = (parsed: AnyParsedQuery) =>
    mikroOrm.mikroOrmAdapter(tasks()).build(parsed, NAMES);
  return {
    capped: (parsed, cap) => mikroOrm.cappedCount(tasks(), queryOf(parsed), cap),
    estimated: (parsed, above) => mikroOrm.estimatedCount(tasks(), queryOf(parsed), above),
    close: () => orm.close(),
  };
}
