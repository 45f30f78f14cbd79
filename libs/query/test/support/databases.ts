import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import Sqlite from 'better-sqlite3';
import { createPool, type Pool as MariadbPool } from 'mysql2/promise';
import pg from 'pg';
import { ROWS, type TaskRow } from './dataset.js';

/** A new table with the rows of the dataset, on a real engine. */
export interface OpenTable {
  readonly table: string;
  close(): Promise<void>;
}

export interface SqliteTable extends OpenTable {
  /** Of the database file. */
  readonly path: string;
}
export interface PgliteTable extends OpenTable {
  readonly client: PGlite;
}
export interface PostgresTable extends OpenTable {
  readonly pool: pg.Pool;
  readonly url: string;
}
export interface MariadbTable extends OpenTable {
  readonly pool: MariadbPool;
  readonly url: string;
}

const DATABASE_URL = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const MARIADB_URL = process.env['MARIADB_URL'] ?? 'mysql://root@127.0.0.1:3306/test';

/** @param timestamps how the column `created` is kept: the ORMs do not agree */
export function openSqlite(timestamps: 'text' | 'milliseconds' = 'text'): Promise<SqliteTable> {
  const folder = mkdtempSync(join(tmpdir(), 'fledge-query-'));
  const path = join(folder, 'tasks.db');
  const database = new Sqlite(path);
  database.exec(`create table tasks (
    id integer primary key, title text not null, note text, status text not null,
    priority integer not null, rating real, price numeric, serial integer not null, done integer,
    due text, created ${timestamps === 'text' ? 'text' : 'integer'} not null, uid text not null)`);
  const insert = database.prepare(`insert into tasks values (?,?,?,?,?,?,?,?,?,?,?,?)`);
  for (const row of ROWS) {
    const created =
      timestamps === 'text' ? sqlTimestamp(row.created) : BigInt(row.created.getTime());
    const price = row.price === null ? null : Number(row.price);
    const done = row.done === null ? null : Number(row.done);
    insert.run(...valuesOf({ ...row, created, price, done }));
  }
  database.close();
  return Promise.resolve({
    table: 'tasks',
    path,
    close: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  });
}

/** PostgreSQL in this process. Starting it takes seconds, so a spec shares one. */
export async function openPglite(): Promise<PgliteTable> {
  const client = await PGlite.create();
  await client.exec(postgresTable('tasks'));
  for (const row of ROWS) {
    await client.query(`insert into tasks values (${placeholders()})`, textsOf(row));
  }
  return { client, table: 'tasks', close: () => client.close() };
}

export async function openPostgres(): Promise<PostgresTable> {
  const pool = new pg.Pool({ connectionString: DATABASE_URL });
  const table = uniqueName();
  await pool.query(postgresTable(table));
  for (const row of ROWS) {
    await pool.query(`insert into ${table} values (${placeholders()})`, textsOf(row));
  }
  return {
    pool,
    url: DATABASE_URL,
    table,
    async close() {
      await pool.query(`drop table ${table}`);
      await pool.end();
    },
  };
}

export async function openMariadb(): Promise<MariadbTable> {
  const pool = createPool({ uri: MARIADB_URL, timezone: 'Z' });
  const table = uniqueName();
  await pool.query(`create table ${table} (
    id int primary key, title varchar(200) not null, note varchar(200), status varchar(10) not null,
    priority int not null, rating double, price decimal(10,2), serial bigint not null, done boolean,
    due date, created datetime(3) not null, uid char(36) not null
  ) character set utf8mb4 collate utf8mb4_nopad_bin`);
  for (const row of ROWS) {
    const created = sqlTimestamp(row.created);
    await pool.query(`insert into ${table} values (?,?,?,?,?,?,?,?,?,?,?,?)`, [
      ...valuesOf({ ...row, created, serial: String(row.serial) }),
    ]);
  }
  return {
    pool,
    url: MARIADB_URL,
    table,
    async close() {
      await pool.query(`drop table ${table}`);
      await pool.end();
    },
  };
}

/** With the collation "C", which compares by code point. */
function postgresTable(name: string): string {
  return `create table ${name} (
    id integer primary key, title text collate "C" not null, note text collate "C",
    status text collate "C" not null, priority integer not null, rating double precision,
    price numeric(10,2), serial bigint not null, done boolean, due date,
    created timestamptz(3) not null, uid uuid not null)`;
}

function uniqueName(): string {
  return `fledge_tasks_${randomBytes(6).toString('hex')}`;
}

function valuesOf(row: Record<keyof TaskRow, unknown>): (string | number | bigint | null)[] {
  const { id, title, note, status, priority, rating, price, serial, done, due, created, uid } = row;
  return [
    id,
    title,
    note,
    status,
    priority,
    rating,
    price,
    serial,
    done,
    due,
    created,
    uid,
  ] as never;
}

function textsOf(row: TaskRow): (string | null)[] {
  const values = valuesOf({ ...row, created: row.created.toISOString() }) as unknown[];
  return values.map((value) =>
    value === null ? null : String(value as string | number | boolean),
  );
}

function placeholders(): string {
  return Array.from({ length: 12 }, (_, i) => `$${i + 1}`).join(',');
}

function sqlTimestamp(date: Date): string {
  return date.toISOString().replace('T', ' ').replace('Z', '');
}
