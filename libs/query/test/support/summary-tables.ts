import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import { OWNERS, SUMMARY_ROWS, TEAMS } from './summary-rows.js';

export type Dialect = 'sqlite' | 'postgres' | 'mariadb';
type SummaryTable = 'tasks' | 'owners' | 'teams';

/** The tables of the dataset of summaries on an engine. */
export interface SummaryPlace {
  readonly dialect: Dialect;
  /** A URL, or the path of a file. */
  readonly url: string;
  readonly named: (table: SummaryTable) => string;
  /** Rows of a query that is written by hand. */
  run(sql: string): Promise<object[]>;
  close(): Promise<void>;
}

const TEXT: Readonly<Record<Dialect, string>> = {
  sqlite: 'text',
  postgres: 'text collate "C"',
  mariadb: 'varchar(100) character set utf8mb4 collate utf8mb4_nopad_bin',
};

/** @param timestamps how SQLite keeps them: the ORMs do not agree */
export async function openSummaries(
  dialect: Dialect,
  timestamps: 'text' | 'milliseconds' = 'text',
): Promise<SummaryPlace> {
  const prefix = `fs_${randomBytes(5).toString('hex')}_`;
  const named = (table: SummaryTable): string => prefix + table;
  const engine = ENGINES[dialect]();
  const literal = (value: unknown): string => {
    if (value instanceof Date) {
      if (dialect === 'sqlite' && timestamps === 'milliseconds') return String(value.getTime());
      const text = value.toISOString();
      return `'${dialect === 'postgres' ? text : text.replace('T', ' ').replace('Z', '')}'`;
    }
    if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
    if (typeof value === 'boolean' && dialect === 'sqlite') return String(Number(value));
    return String(value);
  };
  const insert = (table: SummaryTable, rows: readonly object[]) =>
    `insert into ${named(table)} values ${rows
      .map((row) => `(${Object.values(row).map(literal).join(', ')})`)
      .join(', ')}`;
  const text = TEXT[dialect];
  const stamp = {
    postgres: 'timestamptz(3)',
    mariadb: 'datetime(3)',
    sqlite: timestamps === 'text' ? 'text' : 'integer',
  }[dialect];
  const uuid = dialect === 'postgres' ? 'uuid' : text;
  const amount = dialect === 'sqlite' ? 'numeric' : 'decimal(10,2)';
  const tasks = [
    `id integer primary key, status ${text}, label ${text}, votes integer, amount ${amount}`,
    `hours double precision, serial bigint, done boolean, due ${dialect === 'sqlite' ? 'text' : 'date'}`,
    `created ${stamp}, uid ${uuid}, owner_id integer`,
  ].join(', ');
  await engine.run(`create table ${named('teams')} (id integer primary key, name ${text})`);
  await engine.run(
    `create table ${named('owners')} (id integer primary key, name ${text}, score integer, team_id integer)`,
  );
  await engine.run(`create table ${named('tasks')} (${tasks})`);
  await engine.run(insert('teams', TEAMS));
  await engine.run(insert('owners', OWNERS));
  await engine.run(insert('tasks', SUMMARY_ROWS));
  return {
    dialect,
    url: engine.url,
    named,
    run: (sql) => engine.run(sql),
    async close() {
      for (const table of ['tasks', 'owners', 'teams'] as const) {
        await engine.run(`drop table ${named(table)}`);
      }
      await engine.close();
    },
  };
}

interface Engine {
  readonly url: string;
  run(sql: string): Promise<object[]>;
  close(): Promise<void>;
}

const ENGINES: Readonly<Record<Dialect, () => Engine>> = {
  sqlite() {
    const folder = mkdtempSync(join(tmpdir(), 'fledge-summaries-'));
    const url = join(folder, 'summaries.db');
    return {
      url,
      run(sql) {
        const database = new Sqlite(url);
        const isQuery = sql.startsWith('select');
        const rows = isQuery ? (database.prepare(sql).all() as object[]) : [];
        if (!isQuery) database.exec(sql);
        database.close();
        return Promise.resolve(rows);
      },
      close: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
    };
  },
  postgres() {
    const url = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
    const pool = new pg.Pool({ connectionString: url });
    return {
      url,
      run: async (sql) => (await pool.query<object>(sql)).rows,
      close: () => pool.end(),
    };
  },
  mariadb() {
    const url = process.env['MARIADB_URL'] ?? 'mysql://root@127.0.0.1:3306/test';
    const pool = createPool({ uri: url, timezone: 'Z' });
    return {
      url,
      run: async (sql) => (await pool.query(sql))[0] as object[],
      close: () => pool.end(),
    };
  },
};
