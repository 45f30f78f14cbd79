// Each type of column on each engine: the order of a page and the condition of its cursor compare alike, in
// three time zones, with ties and NULLs; and filters give the same rows as the memory adapter.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { memoryAdapter } from '../src/memory/index.js';
import { parseQuery } from '../src/parse/parse-query.js';
import { memoryWalker, mongooseWalker } from './support/document-walkers.js';
import {
  drizzleOnMariadb,
  drizzleOnPglite,
  drizzleOnPostgres,
  drizzleOnSqlite,
} from './support/drizzle-walkers.js';
import { setTimeZone } from './support/time-zone.js';
import { type Walker, wrongWalks } from './support/walk.js';
import {
  declaredOf,
  MARIADB_KINDS,
  POSTGRES_KINDS,
  SQLITE_KINDS,
  tableSql,
  uniqueName,
} from './support/walk-tables.js';
import {
  knexWalker,
  kyselyWalker,
  mikroOrmWalker,
  type Place,
  typeOrmWalker,
} from './support/walkers.js';

const table = uniqueName();
const postgres: Place = {
  dialect: 'postgres',
  url: process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test',
  table,
};
const mariadb: Place = {
  dialect: 'mariadb',
  url: process.env['MARIADB_URL'] ?? 'mysql://root@127.0.0.1:3306/test',
  table,
};
const folder = mkdtempSync(join(tmpdir(), 'fledge-walk-'));
const sqlite: Place = { dialect: 'sqlite', url: join(folder, 'walk.db'), table };
const missing = new Set<string>();
let pglite: PGlite;

const MOOD = ['open', 'done', 'held'];
/** Timestamps that pg does not send exactly as Dates: in some time zones, or to the microsecond. */
const FINE = ['moment', 'naive', 'farmoment', 'micro'];
const AS_TEXT = declaredOf(POSTGRES_KINDS, FINE);
const AS_DATES = declaredOf(
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
  moment: { type: 'timestamptz' },
  naive: { type: 'timestamp' },
  recent: { type: 'timestamptz' },
  farmoment: { type: 'timestamptz' },
  token: { type: 'uuid' },
};
const POSTGRES_MIKRO = {
  text: { type: 'text' },
  folded: { type: 'text' },
  whole: { type: 'integer' },
  big: { type: 'bigint' },
  ratio: { type: 'double' },
  price: { type: 'decimal' },
  flag: { type: 'boolean' },
  mood: { enum: true, items: MOOD, nativeEnumName: 'fledge_walk_mood' },
  day: { type: 'date' },
  clock: { type: 'time' },
  moment: { type: 'datetime' },
  recent: { type: 'datetime' },
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
  moment: { type: 'datetime' },
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

const WALKERS: [string, Place['dialect'] | 'none', () => Promise<Walker>][] = [
  ['memory', 'none', memoryWalker],
  ['Mongoose by mingo', 'none', mongooseWalker],
  ['Kysely on PostgreSQL', 'postgres', () => kyselyWalker(postgres, AS_DATES)],
  ['Knex on PostgreSQL', 'postgres', () => knexWalker(postgres, AS_DATES)],
  ['Kysely with text timestamps on PostgreSQL', 'postgres', () => kyselyWalker(withText, AS_TEXT)],
  ['TypeORM on PostgreSQL', 'postgres', () => typeOrmWalker(postgres, POSTGRES_TYPEORM)],
  ['MikroORM on PostgreSQL', 'postgres', () => mikroOrmWalker(postgres, POSTGRES_MIKRO)],
  ['Drizzle on PostgreSQL', 'postgres', () => drizzleOnPostgres(postgres)],
  ['Drizzle on PGlite', 'postgres', () => drizzleOnPglite(pglite, table)],
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

beforeAll(async () => {
  await Promise.all([fillPostgres(), fillMariadb(), fillPglite()]);
  const database = new Sqlite(sqlite.url);
  const { create, insert } = tableSql(table, SQLITE_KINDS);
  database.exec(`${create}; ${insert}`);
  database.close();
}, 120_000);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await pglite.close();
  if (!missing.has('postgres')) {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`drop table ${table}`);
    await client.end();
  }
  if (!missing.has('mariadb')) {
    const client = await createConnection(mariadb.url);
    await client.query(`drop table ${table}`);
    await client.end();
  }
});

describe.each(['UTC', 'Asia/Kolkata', 'America/New_York'])('in %s', (zone) => {
  beforeAll(() => setTimeZone(zone));
  afterAll(() => setTimeZone(undefined));

  it.each(WALKERS)(
    '%s pages through every order by cursor, each row once',
    async (_, engine, open) => {
      if (missing.has(engine)) return;
      const walker = await open();
      const wrong = await wrongWalks(walker).finally(() => walker.close());
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});

const TOKEN = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11';
const SPELLINGS = ['09:05', '09:05:00', '09:05:00.000', '09:05:00.25', '09:05:00.250'];
const LONG = ['12345678901234567.89', '12345678901234567.8900000001', '-0.50', '0'];
const HUGE = ['123456789012345678901234567890123456789012345.5', '9'.repeat(45)];

/** Values that engines compare differently by default. */
const FILTERS: readonly string[] = [
  ...['clock', 'hour'].flatMap((kind) =>
    ['eq', 'neq', 'gt', 'lte', 'in', 'nin'].flatMap((operator) =>
      SPELLINGS.map((time) => `${kind}:${operator}:${time}`),
    ),
  ),
  ...['token', 'texttoken'].flatMap((kind) =>
    ['eq', 'neq', 'in', 'nin'].flatMap((operator) =>
      [TOKEN, TOKEN.toLowerCase()].map((token) => `${kind}:${operator}:${token}`),
    ),
  ),
  ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'nin'].flatMap((operator) => [
    ...['0.1', '-2.5', '1e300'].map((number) => `ratio:${operator}:${number}`),
    ...[...LONG, ...HUGE].map((decimal) => `price:${operator}:${decimal}`),
    ...['a', 'B', 'ä', '~'].map((text) => `text:${operator}:${text}`),
  ]),
  `price:between:${LONG[1]},${HUGE[0]}`,
  'ratio:between:-3,1',
  'text:gt:～',
  'text:lt:😀',
  'day:lte:1800-01-01',
  'flag:neq:true',
  'mood:in:open,held',
];

describe.each([
  ['PostgreSQL', 'postgres', () => kyselyWalker(postgres, AS_DATES), POSTGRES_KINDS],
  ['MariaDB', 'mariadb', () => kyselyWalker(mariadb, declaredOf(MARIADB_KINDS)), MARIADB_KINDS],
  ['SQLite', 'sqlite', () => kyselyWalker(sqlite, declaredOf(SQLITE_KINDS)), SQLITE_KINDS],
] as const)('%s gives the same rows as the memory adapter', (_, engine, open, kinds) => {
  // SQLite stores times and decimals as written: see docs/comparing.md.
  const isKept = (filter: string) =>
    engine !== 'sqlite' || (!filter.startsWith('clock') && !filter.startsWith('price'));
  const config = declaredOf(kinds);
  const sorts = ['text', 'whole', 'flag', 'ratio'].map((kind) => `${kind}:asc`);

  it('for filters and orders that failed before', async () => {
    if (missing.has(engine)) return;
    const walker = await open();
    const rows = await walker.rows();
    const asked = FILTERS.filter((filter) => Object.hasOwn(kinds, filter.split(':')[0] ?? ''));
    const queries = [
      ...asked.filter(isKept).map((filter) => ({ filter })),
      ...sorts.map((sort) => ({ sort })),
    ];
    const wrong: unknown[] = [];
    for (const query of queries) {
      const parsed = parseQuery({ ...query, limit: '100' }, config, { operators: ['nin'] });
      const expected = memoryAdapter.build(parsed, config).apply(rows).data;
      const found = String(await walker.list(parsed));
      const wanted = String(expected.map(({ id }) => id));
      if (found !== wanted) wrong.push({ query, found, wanted });
    }
    await walker.close();
    expect(queries.length).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  }, 120_000);
});

const MAKE_MOOD = `do $$ begin create type fledge_walk_mood as enum ('open', 'done', 'held');
  exception when duplicate_object or unique_violation then null; end $$`;

async function fillPostgres(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url, connectionTimeoutMillis: 3_000 });
  try {
    await client.connect();
  } catch (error) {
    return unreachable('postgres', error);
  }
  const { create, insert } = tableSql(table, POSTGRES_KINDS);
  await client.query(`${MAKE_MOOD}; ${create}; ${insert}`).finally(() => client.end());
}

async function fillPglite(): Promise<void> {
  pglite = await PGlite.create();
  const { create, insert } = tableSql(table, POSTGRES_KINDS);
  await pglite.exec(`${MAKE_MOOD}; ${create}; ${insert}`);
}

async function fillMariadb(): Promise<void> {
  const client = await createConnection(mariadb.url).catch((error: unknown) =>
    unreachable('mariadb', error),
  );
  if (client === undefined) return;
  const { create, insert } = tableSql(table, MARIADB_KINDS);
  try {
    await client.query(`${create} character set utf8mb4`);
    await client.query(insert);
  } finally {
    await client.end();
  }
}

function unreachable(engine: string, error: unknown): undefined {
  missing.add(engine);
  process.stderr.write(
    `\n*** ${engine} is not reachable, so its tests are skipped: ${String(error)}\n\n`,
  );
  return undefined;
}
