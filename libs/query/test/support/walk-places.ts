// A table with a column of each kind on every engine, and the adapters that page through it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import Sqlite from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { type Changes, sqlChanges } from './changing-walk.js';
import { memoryWalker, mongooseWalker } from './document-walkers.js';
import {
  drizzleOnMariadb,
  drizzleOnPglite,
  drizzleOnPostgres,
  drizzleOnSqlite,
} from './drizzle-walkers.js';
import { isInTier } from '../../../../test/support/engines.js';
import type { Walker } from './walk.js';
import {
  declaredOf,
  type Kinds,
  MARIADB_KINDS,
  POSTGRES_KINDS,
  SQLITE_KINDS,
  tableSql,
  uniqueName,
} from './walk-tables.js';
import { knexWalker, kyselyWalker, mikroOrmWalker, type Place, typeOrmWalker } from './walkers.js';

const table = uniqueName();
export const postgres: Place = {
  dialect: 'postgres',
  url: process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test',
  table,
};
export const mariadb: Place = {
  dialect: 'mariadb',
  url: process.env['MARIADB_URL'] ?? 'mysql://root@127.0.0.1:3306/test',
  table,
};
const folder = mkdtempSync(join(tmpdir(), 'fledge-walk-'));
export const sqlite: Place = { dialect: 'sqlite', url: join(folder, 'walk.db'), table };
let pglite: PGlite | undefined;

const MOOD = ['open', 'done', 'held'];
/** Timestamps that pg does not send exactly as Dates: in some time zones, or to the microsecond. */
const FINE = ['moment', 'naive', 'farmoment', 'micro'];
const AS_TEXT = declaredOf(POSTGRES_KINDS, FINE);
/** Kinds that pg sends exactly. */
export const AS_DATES = declaredOf(
  POSTGRES_KINDS,
  Object.keys(POSTGRES_KINDS).filter((name) => !FINE.includes(name)),
);
const withText = { ...postgres, timestampsAsText: true };

const POSTGRES_TYPEORM = {
  text: { type: 'text' },
  folded: { type: 'text' },
  whole: { type: 'integer' },
  big: { type: 'bigint' },
  ratio: { type: 'float8' },
  single: { type: 'real' },
  price: { type: 'numeric' },
  flag: { type: 'boolean' },
  mood: { type: 'enum', enum: MOOD, enumName: 'fledge_walk_mood' },
  day: { type: 'date' },
  clock: { type: 'time' },
  moment: { type: 'timestamptz', precision: 3 },
  naive: { type: 'timestamp', precision: 3 },
  recent: { type: 'timestamptz', precision: 3 },
  farmoment: { type: 'timestamptz', precision: 3 },
  token: { type: 'uuid' },
};
const POSTGRES_MIKRO = {
  text: { type: 'text' },
  folded: { type: 'text' },
  whole: { type: 'integer' },
  big: { type: 'bigint' },
  ratio: { type: 'double' },
  single: { type: 'float' },
  price: { type: 'decimal' },
  flag: { type: 'boolean' },
  mood: { enum: true, items: MOOD, nativeEnumName: 'fledge_walk_mood' },
  day: { type: 'date' },
  clock: { type: 'time' },
  moment: { type: 'datetime', length: 3 },
  recent: { type: 'datetime', length: 3 },
  token: { type: 'uuid' },
};
const MARIADB_TYPEORM = {
  text: { type: 'varchar' },
  folded: { type: 'varchar' },
  whole: { type: 'int' },
  big: { type: 'bigint' },
  ratio: { type: 'double' },
  price: { type: 'decimal', precision: 65, scale: 20 },
  flag: { type: Boolean },
  mood: { type: 'enum', enum: MOOD },
  day: { type: 'date' },
  clock: { type: 'time' },
  moment: { type: 'datetime', precision: 3 },
  texttoken: { type: 'char', length: 36 },
};
const SQLITE_TYPEORM = {
  text: { type: 'text' },
  folded: { type: 'text' },
  big: { type: 'bigint' },
  ratio: { type: 'real' },
  price: { type: 'numeric' },
  flag: { type: 'boolean' },
  mood: { type: 'simple-enum', enum: MOOD },
  day: { type: 'date' },
  hour: { type: 'time' },
  moment: { type: 'datetime' },
  texttoken: { type: 'uuid' },
};
const SQLITE_MIKRO = {
  text: { type: 'text' },
  big: { type: 'bigint' },
  ratio: { type: 'double' },
  price: { type: 'decimal' },
  flag: { type: 'boolean' },
  mood: { enum: true, items: MOOD },
  day: { type: 'date' },
  hour: { type: 'time' },
  epoch: { type: 'datetime' },
  texttoken: { type: 'uuid' },
};

/** Name, engine, and how to open it. */
const ALL_WALKERS: [string, Place['dialect'] | 'none', () => Promise<Walker>][] = [
  ['memory', 'none', () => memoryWalker()],
  ['Mongoose by mingo', 'none', () => mongooseWalker()],
  ['Kysely on PostgreSQL', 'postgres', () => kyselyWalker(postgres, AS_DATES)],
  ['Knex on PostgreSQL', 'postgres', () => knexWalker(postgres, AS_DATES)],
  ['Kysely with text timestamps on PostgreSQL', 'postgres', () => kyselyWalker(withText, AS_TEXT)],
  ['TypeORM on PostgreSQL', 'postgres', () => typeOrmWalker(postgres, POSTGRES_TYPEORM)],
  ['MikroORM on PostgreSQL', 'postgres', () => mikroOrmWalker(postgres, POSTGRES_MIKRO)],
  ['Drizzle on PostgreSQL', 'postgres', () => drizzleOnPostgres(postgres)],
  ['Drizzle on PGlite', 'postgres', () => drizzleOnPglite(pglite as PGlite, table)],
  ['Kysely on MariaDB', 'mariadb', () => kyselyWalker(mariadb, declaredOf(MARIADB_KINDS))],
  ['Knex on MariaDB', 'mariadb', () => knexWalker(mariadb, declaredOf(MARIADB_KINDS))],
  ['TypeORM on MariaDB', 'mariadb', () => typeOrmWalker(mariadb, MARIADB_TYPEORM)],
  ['Drizzle on MariaDB', 'mariadb', () => drizzleOnMariadb(mariadb)],
  ['Kysely on SQLite', 'sqlite', () => kyselyWalker(sqlite, declaredOf(SQLITE_KINDS))],
  ['Knex on SQLite', 'sqlite', () => knexWalker(sqlite, declaredOf(SQLITE_KINDS))],
  ['TypeORM on SQLite', 'sqlite', () => typeOrmWalker(sqlite, SQLITE_TYPEORM)],
  ['MikroORM on SQLite', 'sqlite', () => mikroOrmWalker(sqlite, SQLITE_MIKRO)],
  ['Drizzle on SQLite', 'sqlite', () => drizzleOnSqlite(sqlite)],
];

/** Those of the tier. */
export const WALKERS = ALL_WALKERS.filter(([name]) => isInTier(name));

/** Creates and fills the table on each engine of the tier. */
export async function openPlaces(): Promise<void> {
  if (isInTier('PostgreSQL')) await fillPostgres();
  if (isInTier('MariaDB')) await fillMariadb();
  if (isInTier('PGlite')) await fillPglite();
  if (isInTier('SQLite')) fillSqlite();
}

/** Drops the tables. */
export async function closePlaces(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await pglite?.close();
  if (isInTier('PostgreSQL')) {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`drop table ${table}`);
    await client.end();
  }
  if (isInTier('MariaDB')) {
    const client = await createConnection(mariadb.url);
    await client.query(`drop table ${table}`);
    await client.end();
  }
}

/** Changes the table that a walker pages through. */
export async function changesOf(
  walker: string,
  engine: Place['dialect'] | 'none',
): Promise<{ changes: Changes; close(): Promise<unknown> }> {
  const by = (run: (sql: string) => Promise<unknown>, kinds: Kinds) =>
    sqlChanges(run, table, tableSql(table, kinds).insert);
  if (walker.endsWith('PGlite')) {
    return {
      changes: by((sql) => (pglite as PGlite).exec(sql), POSTGRES_KINDS),
      close: () => Promise.resolve(),
    };
  }
  if (engine === 'postgres') {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    return { changes: by((sql) => client.query(sql), POSTGRES_KINDS), close: () => client.end() };
  }
  if (engine === 'mariadb') {
    const client = await createConnection(mariadb.url);
    return { changes: by((sql) => client.query(sql), MARIADB_KINDS), close: () => client.end() };
  }
  const database = new Sqlite(sqlite.url);
  const run = (sql: string) => Promise.resolve(database.exec(sql));
  return { changes: by(run, SQLITE_KINDS), close: () => Promise.resolve(database.close()) };
}

const MAKE_MOOD = `do $$ begin create type fledge_walk_mood as enum ('open', 'done', 'held');
  exception when duplicate_object or unique_violation then null; end $$`;

async function fillPostgres(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { create, insert } = tableSql(table, POSTGRES_KINDS);
  await client.query(`${MAKE_MOOD}; ${create}; ${insert}`).finally(() => client.end());
}

async function fillPglite(): Promise<void> {
  pglite = await PGlite.create();
  const { create, insert } = tableSql(table, POSTGRES_KINDS);
  await pglite.exec(`${MAKE_MOOD}; ${create}; ${insert}`);
}

async function fillMariadb(): Promise<void> {
  const client = await createConnection(mariadb.url);
  const { create, insert } = tableSql(table, MARIADB_KINDS);
  try {
    await client.query(`${create} character set utf8mb4`);
    await client.query(insert);
  } finally {
    await client.end();
  }
}

function fillSqlite(): void {
  const database = new Sqlite(sqlite.url);
  const { create, insert } = tableSql(table, SQLITE_KINDS);
  database.exec(`${create}; ${insert}`);
  database.close();
}
