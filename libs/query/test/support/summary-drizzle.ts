import Sqlite from 'better-sqlite3';
import { drizzle as onSqlite } from 'drizzle-orm/better-sqlite3';
import * as mysql from 'drizzle-orm/mysql-core';
import { drizzle as onMysql } from 'drizzle-orm/mysql2';
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres';
import * as postgres from 'drizzle-orm/pg-core';
import * as sqlite from 'drizzle-orm/sqlite-core';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import type { DrizzleSummarySource } from '../../src/drizzle/index.js';
import type { SummaryPlace } from './summary-tables.js';

function pgTables(named: SummaryPlace['named']) {
  const { doublePrecision, integer, numeric, text, bigint, boolean, date, timestamp, uuid } =
    postgres;
  return {
    teams: postgres.pgTable(named('teams'), { id: integer().primaryKey(), name: text() }),
    owners: postgres.pgTable(named('owners'), {
      id: integer().primaryKey(),
      name: text(),
      score: integer(),
      teamId: integer('team_id'),
    }),
    tasks: postgres.pgTable(named('tasks'), {
      id: integer().primaryKey(),
      status: text(),
      label: text(),
      votes: integer(),
      amount: numeric({ precision: 10, scale: 2 }),
      hours: doublePrecision(),
      serial: bigint({ mode: 'bigint' }),
      done: boolean(),
      due: date(),
      created: timestamp({ withTimezone: true, precision: 3 }),
      uid: uuid(),
      ownerId: integer('owner_id'),
    }),
  };
}

function mysqlTables(named: SummaryPlace['named']) {
  const { double, int, decimal, varchar, bigint, boolean, date, datetime } = mysql;
  const text = () => varchar({ length: 100 });
  return {
    teams: mysql.mysqlTable(named('teams'), { id: int().primaryKey(), name: text() }),
    owners: mysql.mysqlTable(named('owners'), {
      id: int().primaryKey(),
      name: text(),
      score: int(),
      teamId: int('team_id'),
    }),
    tasks: mysql.mysqlTable(named('tasks'), {
      id: int().primaryKey(),
      status: text(),
      label: text(),
      votes: int(),
      amount: decimal({ precision: 10, scale: 2 }),
      hours: double(),
      serial: bigint({ mode: 'bigint' }),
      done: boolean(),
      due: date(),
      created: datetime({ fsp: 3 }),
      uid: text(),
      ownerId: int('owner_id'),
    }),
  };
}

function sqliteTables(named: SummaryPlace['named']) {
  const { integer, real, numeric, text } = sqlite;
  return {
    teams: sqlite.sqliteTable(named('teams'), { id: integer().primaryKey(), name: text() }),
    owners: sqlite.sqliteTable(named('owners'), {
      id: integer().primaryKey(),
      name: text(),
      score: integer(),
      teamId: integer('team_id'),
    }),
    tasks: sqlite.sqliteTable(named('tasks'), {
      id: integer().primaryKey(),
      status: text(),
      label: text(),
      votes: integer(),
      amount: numeric(),
      hours: real(),
      serial: integer(),
      done: integer({ mode: 'boolean' }),
      due: text(),
      created: integer({ mode: 'timestamp_ms' }),
      uid: text(),
      ownerId: integer('owner_id'),
    }),
  };
}

/** The tables of the dataset of summaries, and the rows of tasks. */
export function drizzleSummaries({ dialect, url, named }: SummaryPlace) {
  switch (dialect) {
    case 'postgres': {
      const pool = new pg.Pool({ connectionString: url });
      const tables = pgTables(named);
      const db = onPostgres({ client: pool });
      const rows: DrizzleSummarySource = (select, where) =>
        db.select(select).from(tables.tasks).where(where);
      return { tables, rows, close: () => pool.end() };
    }
    case 'mariadb': {
      const pool = createPool({ uri: url, timezone: 'Z' });
      const tables = mysqlTables(named);
      const db = onMysql({ client: pool });
      const rows: DrizzleSummarySource = (select, where) =>
        db.select(select).from(tables.tasks).where(where);
      return { tables, rows, close: () => pool.end() };
    }
    case 'sqlite': {
      const client = new Sqlite(url);
      const tables = sqliteTables(named);
      const db = onSqlite({ client });
      const rows: DrizzleSummarySource = (select, where) =>
        db.select(select).from(tables.tasks).where(where);
      return { tables, rows, close: () => Promise.resolve(void client.close()) };
    }
  }
}
