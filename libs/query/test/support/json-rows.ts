import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import type { ColumnDeclaration, DeclaredQueryConfig } from '../../src/resolve/declared-columns.js';

export type Dialect = 'sqlite' | 'postgres' | 'mariadb';

export interface JsonRow {
  readonly id: number;
  readonly settings: object | null;
  readonly list: unknown;
  /** An array of PostgreSQL; JSON on other engines, where no column is declared for it. */
  readonly labels: readonly (string | null)[] | null;
}

const NAMES = ['theme', 'level', 'count', 'ratio', 'on', 'day', 'at', 'clock', 'uid'] as const;

/** Columns inside `settings`, by field. */
export const INSIDE = {
  theme: { name: 'settings', type: 'string', json: ['theme'] },
  owner: { name: 'settings', type: 'string', json: ['owner', `it's :id $[0].é`] },
  level: { name: 'settings', type: 'enum', values: ['low', 'high'], json: ['level'] },
  count: {
    name: 'settings',
    type: 'integer',
    json: ['count'],
    min: Number.MIN_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
  },
  ratio: { name: 'settings', type: 'number', json: ['ratio'] },
  on: { name: 'settings', type: 'boolean', json: ['on'] },
  day: { name: 'settings', type: 'date', json: ['day'] },
  at: { name: 'settings', type: 'timestamp', json: ['at'] },
  clock: { name: 'settings', type: 'time', json: ['clock'] },
  uid: { name: 'settings', type: 'uuid', json: ['uid'] },
} as const satisfies Record<string, ColumnDeclaration>;

/** Arrays, by field. */
export const ARRAYS = {
  tags: { name: 'settings', type: 'string', array: true, json: ['tags'] },
  numbers: { name: 'settings', type: 'integer', array: true, json: ['tags'] },
  ratios: { name: 'settings', type: 'number', array: true, json: ['tags'] },
  flags: { name: 'settings', type: 'boolean', array: true, json: ['tags'] },
  ids: { name: 'settings', type: 'uuid', array: true, json: ['tags'] },
  list: { name: 'list', type: 'string', array: true, json: [] },
} as const satisfies Record<string, ColumnDeclaration>;

const LABELS = { type: 'string', array: true } as const satisfies ColumnDeclaration;

/** The columns of a dialect: only PostgreSQL has arrays. */
export function columnsFor(dialect: Dialect) {
  return { ...INSIDE, ...ARRAYS, ...(dialect === 'postgres' && { labels: LABELS }) };
}

export const SUMMARIZED = {
  facetable: ['theme', 'level', 'on', 'count', 'uid'],
  groupable: ['theme', 'level', 'on', 'ratio', 'uid'],
  aggregatable: ['count', 'ratio'],
};

export function declaredConfig(dialect: Dialect) {
  const id = { type: 'integer', nullable: false } as const;
  return {
    columns: { id, ...columnsFor(dialect) },
    sortable: { id, ...INSIDE },
    searchColumns: ['theme', 'owner'],
    primaryKey: 'id',
    ...SUMMARIZED,
  } satisfies DeclaredQueryConfig;
}

const UID = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';

/** Values that some engine, driver or JSON type treats differently. */
const VALUES: Readonly<Record<(typeof NAMES)[number] | 'owner' | 'tags', readonly unknown[]>> = {
  theme: [
    'dark',
    'Dark',
    'dark ',
    ' dark',
    '',
    'ä',
    'ö',
    '😀',
    '～',
    '%',
    '_',
    '!',
    `'"\\`,
    'null',
    5,
  ],
  owner: ['Ada', 'ada', 'Bo', null, ['Ada'], { a: 'Ada' }],
  level: ['low', 'high', 'low', null, 'other', true],
  count: [0, 1, 2, 10, -3, 1.5, 9007199254740991, 2 ** 53, 1e300, '1', true, null],
  ratio: [0, -0, 0.1, 2.25, 1e300, 1e-300, 1e-320, -1e300, 12345678901234567000, 3, '0.1', false],
  on: [true, false, true, 'true', 1, 0, null],
  day: [
    '2026-01-31',
    '2026-02-01',
    '1999-12-31',
    '2026-02-31',
    '2026-1-1',
    '2026-01-31\n',
    20260131,
  ],
  at: [
    '2026-01-31T10:00:00.000Z',
    '2026-01-31T10:00:00.250Z',
    '2026-01-31',
    '2026-01-31T10:00:00Z',
  ],
  clock: ['09:05:00', '23:59:59', '09:05', '9:05:00', '09:05:00.5'],
  uid: [UID, UID.toUpperCase(), UID.replace('a0', 'b0'), 'zzz', `${UID} `, null],
  tags: [
    ...[[], ['a'], ['A', 'a', 'a'], [null], [null, 'a'], [1, 1.5, true], [['a'], { a: 'a' }]],
    ...['a', { 0: 'a' }, null, [false, 2, 'true'], [UID.toUpperCase()], ['a '], [`'"\\,{}`, 'é']],
  ],
};

/** The rows, made by arithmetic, so that they are the same in each run. */
export const ROWS: readonly JsonRow[] = Array.from({ length: 90 }, (_, i) => {
  const pick = (name: keyof typeof VALUES, step: number) =>
    VALUES[name][(i * step + (i >> 3)) % VALUES[name].length];
  const all = Object.fromEntries(
    NAMES.map((name, n) => [name, pick(name, [1, 5, 7, 11][n % 4] as number)]),
  );
  const kept = Object.entries(all).filter((_entry, n) => (i + n) % 6 !== 0);
  const owner = i % 5 === 0 ? 'Ada' : { [`it's :id $[0].é`]: pick('owner', 1) };
  const labels = [['a'], [], null, [null, 'a'], ['A', `"\\,{}'`], ['null', '']] as const;
  return {
    id: i + 1,
    settings:
      i % 17 === 3
        ? null
        : i % 17 === 5
          ? [{ theme: 'dark' }]
          : { ...Object.fromEntries(kept), owner, tags: pick('tags', 3) },
    list: pick('tags', 1),
    labels: labels[i % 6] as JsonRow['labels'],
  };
});

export interface JsonTable {
  readonly name: string;
  readonly url: string;
  close(): Promise<void>;
}

const POSTGRES_URL = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const MARIADB_URL = process.env['MARIADB_URL'] ?? 'mysql://root@127.0.0.1:3306/test';

const textOf = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** A new table with the rows. */
export async function openJsonTable(dialect: Dialect): Promise<JsonTable> {
  const name = `fledge_json_${randomBytes(6).toString('hex')}`;
  const values = ROWS.map(({ id, settings, list, labels }) => ({
    texts: [id, textOf(settings), textOf(list)] as const,
    labels,
  }));
  if (dialect === 'sqlite') return openSqliteTable(name, values);
  if (dialect === 'postgres') {
    const pool = new pg.Pool({ connectionString: POSTGRES_URL });
    await pool.query(
      `create table ${name} (id int primary key, settings jsonb, list jsonb, labels text[])`,
    );
    for (const { texts, labels } of values) {
      await pool.query(`insert into ${name} values ($1, $2, $3, $4)`, [...texts, labels]);
    }
    return {
      name,
      url: POSTGRES_URL,
      close: () => pool.query(`drop table ${name}`).then(() => pool.end()),
    };
  }
  const pool = createPool({ uri: MARIADB_URL });
  await pool.query(
    `create table ${name} (id int primary key, settings json, list json, labels json)`,
  );
  for (const { texts, labels } of values) {
    await pool.query(`insert into ${name} values (?, ?, ?, ?)`, [...texts, textOf(labels)]);
  }
  return {
    name,
    url: MARIADB_URL,
    close: () => pool.query(`drop table ${name}`).then(() => pool.end()),
  };
}

function openSqliteTable(
  name: string,
  values: readonly { texts: readonly unknown[]; labels: unknown }[],
): JsonTable {
  const folder = mkdtempSync(join(tmpdir(), 'fledge-query-'));
  const url = join(folder, 'rows.db');
  const database = new Sqlite(url);
  database.exec(
    `create table ${name} (id integer primary key, settings text, list text, labels text)`,
  );
  const insert = database.prepare(`insert into ${name} values (?, ?, ?, ?)`);
  for (const { texts, labels } of values) insert.run(...texts, textOf(labels));
  database.close();
  return {
    name,
    url,
    close: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  };
}
