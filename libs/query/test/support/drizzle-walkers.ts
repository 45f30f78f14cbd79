import type { PGlite } from '@electric-sql/pglite';
import Sqlite from 'better-sqlite3';
import { getTableColumns } from 'drizzle-orm';
import { drizzle as onSqlite } from 'drizzle-orm/better-sqlite3';
import * as mysql from 'drizzle-orm/mysql-core';
import { drizzle as onMysql } from 'drizzle-orm/mysql2';
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres';
import * as pg from 'drizzle-orm/pg-core';
import { drizzle as onPglite } from 'drizzle-orm/pglite';
import * as sqlite from 'drizzle-orm/sqlite-core';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import type { NullOrder } from '../../src/config/null-order.js';
import { drizzleAdapter, type DrizzleQueryConfig } from '../../src/drizzle/index.js';
import { pageOf } from './cursors.js';
import type { Walker } from './walk.js';
import { drizzleRows, type DrizzleRows } from './drizzle-rows.js';
import type { Place } from './walkers.js';

const MOOD = ['open', 'done', 'held'] as const;
const mood = pg.pgEnum('fledge_walk_mood', MOOD);

const pgTable = (name: string) =>
  pg.pgTable(name, {
    id: pg.integer().primaryKey(),
    text: pg.text(),
    folded: pg.text(),
    whole: pg.integer(),
    big: pg.bigint({ mode: 'bigint' }),
    ratio: pg.doublePrecision(),
    single: pg.real(),
    price: pg.numeric(),
    flag: pg.boolean(),
    mood: mood(),
    day: pg.date({ mode: 'date' }),
    farday: pg.date(),
    clock: pg.time(),
    moment: pg.timestamp({ withTimezone: true, precision: 3 }),
    naive: pg.timestamp({ precision: 3 }),
    recent: pg.timestamp({ withTimezone: true, precision: 3 }),
    farmoment: pg.timestamp({ withTimezone: true, mode: 'string' }),
    micro: pg.timestamp({ withTimezone: true, mode: 'string' }),
    token: pg.uuid(),
    texttoken: pg.text(),
  });
const mysqlTable = (name: string) =>
  mysql.mysqlTable(name, {
    id: mysql.int().primaryKey(),
    text: mysql.varchar({ length: 50 }),
    folded: mysql.varchar({ length: 50 }),
    whole: mysql.int(),
    big: mysql.bigint({ mode: 'bigint' }),
    ratio: mysql.double(),
    price: mysql.decimal({ precision: 65, scale: 20 }),
    flag: mysql.boolean(),
    mood: mysql.mysqlEnum(MOOD),
    day: mysql.date(),
    clock: mysql.time({ fsp: 3 }),
    moment: mysql.datetime({ fsp: 3 }),
    texttoken: mysql.char({ length: 36 }),
  });
const sqliteTable = (name: string) =>
  sqlite.sqliteTable(name, {
    id: sqlite.integer().primaryKey(),
    text: sqlite.text(),
    folded: sqlite.text(),
    whole: sqlite.integer(),
    big: sqlite.integer(),
    ratio: sqlite.real(),
    price: sqlite.numeric(),
    flag: sqlite.integer({ mode: 'boolean' }),
    mood: sqlite.text({ enum: MOOD }),
    day: sqlite.text(),
    clock: sqlite.text(),
    epoch: sqlite.integer({ mode: 'timestamp_ms' }),
    texttoken: sqlite.text(),
  });

function walkerOf(
  config: DrizzleQueryConfig,
  rows: DrizzleRows,
  close: () => Promise<void>,
): Walker {
  return {
    name: 'Drizzle',
    kinds: Object.keys(config.columns).filter((name) => name !== 'id'),
    async list(parsed) {
      return (await rows(drizzleAdapter.build(parsed, config))).map(({ id }) => id);
    },
    async page(parsed, options) {
      const query = drizzleAdapter.buildKeyset(parsed, config, options);
      return pageOf(await rows(query), query.cursorOf);
    },
    close,
  };
}

export function drizzleOnPostgres({ url, table, nulls }: Place): Promise<Walker> {
  const pool = new Pool({ connectionString: url });
  return Promise.resolve(pgWalker(onPostgres({ client: pool }), table, () => pool.end(), nulls));
}

export function drizzleOnPglite(client: PGlite, table: string): Promise<Walker> {
  return Promise.resolve(pgWalker(onPglite({ client }), table, () => Promise.resolve()));
}

function pgWalker(
  db: pg.PgDatabase<pg.PgQueryResultHKT>,
  name: string,
  close: () => Promise<void>,
  nulls?: NullOrder,
): Walker {
  const table = pgTable(name);
  const columns = {
    ...getTableColumns(table),
    texttoken: { column: table.texttoken, type: 'uuid' },
  };
  return walkerOf({ columns, nulls } as DrizzleQueryConfig, drizzleRows(db, table), close);
}

export function drizzleOnMariadb({ url, table: name, nulls }: Place): Promise<Walker> {
  const table = mysqlTable(name);
  const pool = createPool({ uri: url });
  const db = onMysql({ client: pool });
  const columns = {
    ...getTableColumns(table),
    texttoken: { column: table.texttoken, type: 'uuid' },
  };
  return Promise.resolve(
    walkerOf({ columns, nulls } as DrizzleQueryConfig, drizzleRows(db, table), () => pool.end()),
  );
}

export function drizzleOnSqlite({ url, table: name, nulls }: Place): Promise<Walker> {
  const table = sqliteTable(name);
  const client = new Sqlite(url);
  const db = onSqlite({ client });
  const columns = {
    ...getTableColumns(table),
    big: { column: table.big, type: 'bigint' },
    day: { column: table.day, type: 'date' },
    clock: { column: table.clock, type: 'time' },
    texttoken: { column: table.texttoken, type: 'uuid' },
  };
  return Promise.resolve(
    walkerOf({ columns, nulls } as DrizzleQueryConfig, drizzleRows(db, table), () =>
      Promise.resolve(void client.close()),
    ),
  );
}
