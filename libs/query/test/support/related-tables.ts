import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import { RELATED, RELATED_TABLES, type Row, type TableName } from './related-rows.js';

export type Dialect = 'sqlite' | 'postgres' | 'mariadb';

/** The tables of `RELATED` on an engine. */
export interface RelatedPlace {
  readonly dialect: Dialect;
  /** A URL, or the path of a file. */
  readonly url: string;
  /** The name of a table. */
  readonly named: (table: TableName) => string;
  close(): Promise<void>;
}

const TEXT: Readonly<Record<Dialect, string>> = {
  sqlite: 'text',
  postgres: 'text collate "C"',
  mariadb: 'varchar(100) character set utf8mb4 collate utf8mb4_nopad_bin',
};

export async function openRelated(dialect: Dialect): Promise<RelatedPlace> {
  const prefix = `fx_${randomBytes(5).toString('hex')}_`;
  const named = (table: TableName): string => prefix + table;
  const engine = ENGINES[dialect]();
  for (const table of Object.keys(RELATED_TABLES) as TableName[]) {
    for (const sql of sqlOf(table, named(table), dialect)) await engine.run(sql);
    // Without statistics, PostgreSQL compiles each of the small queries.
    if (dialect === 'postgres') await engine.run(`analyze ${named(table)}`);
  }
  return {
    dialect,
    url: engine.url,
    named,
    async close() {
      for (const table of Object.keys(RELATED_TABLES) as TableName[]) {
        await engine.run(`drop table ${named(table)}`);
      }
      await engine.close();
    },
  };
}

function sqlOf(table: TableName, name: string, dialect: Dialect): [create: string, insert: string] {
  const { names, numbers } = RELATED_TABLES[table];
  const rank = dialect === 'mariadb' ? '`rank`' : 'rank';
  const quoted = (column: string) => (column === 'rank' ? rank : column);
  const columns = [
    'id integer primary key',
    ...names.map((column) => `${column} ${TEXT[dialect]}`),
    ...numbers.map((column) => `${quoted(column)} integer`),
  ];
  const cells = (row: Row) =>
    ['id', ...names, ...numbers].map((column) => {
      const value = row[column] ?? null;
      return typeof value === 'string' ? `'${value}'` : String(value);
    });
  const rows = RELATED[table].map((row) => `(${cells(row).join(', ')})`);
  return [
    `create table ${name} (${columns.join(', ')})`,
    `insert into ${name} values ${rows.join(', ')}`,
  ];
}

interface Engine {
  readonly url: string;
  run(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

const ENGINES: Readonly<Record<Dialect, () => Engine>> = {
  sqlite() {
    const folder = mkdtempSync(join(tmpdir(), 'fledge-related-'));
    const url = join(folder, 'related.db');
    return {
      url,
      run(sql) {
        const database = new Sqlite(url);
        database.exec(sql);
        database.close();
        return Promise.resolve();
      },
      close: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
    };
  },
  postgres() {
    const url = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
    const pool = new pg.Pool({ connectionString: url });
    return { url, run: (sql) => pool.query(sql), close: () => pool.end() };
  },
  mariadb() {
    const url = process.env['MARIADB_URL'] ?? 'mysql://root@127.0.0.1:3306/test';
    const pool = createPool({ uri: url });
    return { url, run: (sql) => pool.query(sql), close: () => pool.end() };
  },
};
