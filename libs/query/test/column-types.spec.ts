// Each type of column on each engine: the order of a page and the condition of its cursor compare alike, in
// three time zones, with ties and NULLs; and filters give the same rows as the memory adapter.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { memoryAdapter } from '../src/memory/index.js';
import { parseQuery } from '../src/parse/parse-query.js';
import { isInTier } from '../../../test/support/engines.js';
import { setTimeZone } from './support/time-zone.js';
import { wrongWalks } from './support/walk.js';
import {
  AS_DATES,
  closePlaces,
  mariadb,
  openPlaces,
  postgres,
  sqlite,
  WALKERS,
} from './support/walk-places.js';
import { declaredOf, MARIADB_KINDS, POSTGRES_KINDS, SQLITE_KINDS } from './support/walk-tables.js';
import { knexWalker, kyselyWalker } from './support/walkers.js';

beforeAll(openPlaces, 120_000);
afterAll(closePlaces);

describe.each(['UTC', 'Asia/Kolkata', 'America/New_York'])('in %s', (zone) => {
  beforeAll(() => setTimeZone(zone));
  afterAll(() => setTimeZone(undefined));

  it.each(WALKERS)(
    '%s pages through every order by cursor, each row once',
    async (_, engine, open) => {
      const walker = await open();
      const wrong = await wrongWalks(walker).finally(() => walker.close());
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});

// `single` is `real`, whose 0.1 differs from the 0.1 of `double precision`.
const TENTHS = [6, 10, 18];
const LARGER = [1, 3, 4, 5, 7, 9, 11, 12, 13, 15, 16, 17, 19];
const SINGLES = {
  'single:eq:0.1': TENTHS,
  'single:neq:0.1': LARGER,
  'single:gt:0.1': LARGER,
  'single:in:0.1,1e39,1e-50': TENTHS,
  'single:nin:0.1,1e39,1e-50': LARGER,
  'single:eq:1e39': [],
  'single:lt:1e-50': [],
  'single:gt:-1e39': [...TENTHS, ...LARGER].toSorted((a, b) => a - b),
  'single:between:1e-50,1e39': [1, 4, 5, 6, 9, 10, 12, 13, 16, 17, 18],
};

const isWithSingle = (name: string) => name.endsWith('on PostgreSQL') && !name.includes('text');

it.each(WALKERS.filter(([name]) => isWithSingle(name) || name.endsWith('PGlite')))(
  '%s compares single-precision numbers with any number',
  async (_, engine, open) => {
    const walker = await open();
    const found: Record<string, unknown> = {};
    for (const filter of Object.keys(SINGLES)) {
      const parsed = parseQuery({ filter, limit: '100' }, undefined, { operators: ['nin'] });
      found[filter] = await walker.list(parsed).catch(String);
    }
    await walker.close();
    expect(found).toEqual(SINGLES);
  },
);

const WIDE: readonly [filter: string, where: string][] = [
  ['small:eq:40000', 'false'],
  ['small:neq:-40000', 'small is not null'],
  ['small:gt:-40000', 'small is not null'],
  ['small:between:-1,2147483647', 'small >= -1'],
  ['small:in:3,40000', 'small = 3'],
  ['small:nin:3,40000', 'small <> 3'],
  ['whole:in:3,40000', 'whole = 3'],
  ['whole:eq:2147483647', 'whole = 2147483647'],
  ['asbig:gt:-9007199254740993', 'small is not null'],
  ['asbig:in:3,40000,9007199254740993', 'small = 3'],
  ['big:in:-5,40000,9007199254740993', 'big in (-5, 9007199254740993)'],
];

(isInTier('PostgreSQL') ? describe : describe.skip)('on PostgreSQL', () => {
  it.each([
    ['Kysely', kyselyWalker],
    ['Knex', knexWalker],
  ] as const)('%s compares small integers with any integer', async (_, open) => {
    const { columns, ...config } = declaredOf(POSTGRES_KINDS, ['small', 'whole', 'big']);
    const asbig = { name: 'small', type: 'bigint' } as const;
    const walker = await open(postgres, { ...config, columns: { ...columns, asbig } });
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    for (const [filter, where] of WIDE) {
      const parsed = parseQuery({ filter, limit: '100' }, undefined, { operators: ['nin'] });
      const { rows } = await client.query<{ id: number }>(
        `select id from ${postgres.table} where ${where} order by id`,
      );
      const found = await walker.list(parsed).catch(String);
      expect([filter, found]).toEqual([filter, rows.map(({ id }) => id)]);
    }
    await walker.close();
    await client.end();
  });
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

const KYSELY = [
  ['PostgreSQL', 'postgres', () => kyselyWalker(postgres, AS_DATES), POSTGRES_KINDS],
  ['MariaDB', 'mariadb', () => kyselyWalker(mariadb, declaredOf(MARIADB_KINDS)), MARIADB_KINDS],
  ['SQLite', 'sqlite', () => kyselyWalker(sqlite, declaredOf(SQLITE_KINDS)), SQLITE_KINDS],
] as const;

describe.each(KYSELY.filter(([name]) => isInTier(name)))(
  '%s gives the same rows as the memory adapter',
  (_, engine, open, kinds) => {
    // SQLite stores times and decimals as written: see docs/comparing.md.
    const isKept = (filter: string) =>
      engine !== 'sqlite' || (!filter.startsWith('clock') && !filter.startsWith('price'));
    const config = declaredOf(kinds);
    const sorts = ['text', 'whole', 'flag', 'ratio'].map((kind) => `${kind}:asc`);

    it('for filters and orders that failed before', async () => {
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
    });
  },
);
