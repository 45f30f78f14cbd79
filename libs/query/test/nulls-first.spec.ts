// `nulls: 'first'` in a config: each adapter on each engine gives the order of rows in memory, by pages and by cursors.
import { InvalidQueryError, parseQuery } from '@fledge/query';
import { kyselyAdapter, type KyselyQueryConfig } from '@fledge/query/kysely';
import { memoryAdapter } from '@fledge/query/memory';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { mongooseAdapter } from '../src/mongoose/index.js';
import { dialectOf } from '../src/typeorm/dialect.js';
import { findOrderOf } from '../src/typeorm/find-options.js';
import { memoryWalker, mongooseWalker } from './support/document-walkers.js';
import { drizzleOnMariadb, drizzleOnPostgres, drizzleOnSqlite } from './support/drizzle-walkers.js';
import { isInTier } from '../../../test/support/engines.js';
import type { Walker } from './support/walk.js';
import { closePlaces, mariadb, openPlaces, postgres, sqlite } from './support/walk-places.js';
import { declaredOf, MARIADB_KINDS, POSTGRES_KINDS, SQLITE_KINDS } from './support/walk-tables.js';
import {
  knexWalker,
  kyselyWalker,
  mikroOrmWalker,
  type Place,
  typeOrmWalker,
} from './support/walkers.js';

const secret = 'of tests alone, and long enough';
const nulls = 'first';
const NAMES = ['whole', 'text', 'flag'];
const [onPostgres, onMariadb, onSqlite] = [postgres, mariadb, sqlite].map((place) => ({
  ...place,
  nulls,
})) as [Place, Place, Place];
const PG = declaredOf(POSTGRES_KINDS, NAMES);
const MARIA = declaredOf(MARIADB_KINDS, NAMES);
const LITE = declaredOf(SQLITE_KINDS, NAMES);
const typeOrm = (text: string) => ({
  whole: { type: Number },
  text: { type: text },
  flag: { type: Boolean },
});
const mikro = { whole: { type: 'integer' }, text: { type: 'text' }, flag: { type: 'boolean' } };

const WALKERS: [string, Place['dialect'] | 'none', () => Promise<Walker>][] = [
  ['memory', 'none', () => memoryWalker(nulls)],
  ['Mongoose by mingo', 'none', () => mongooseWalker(nulls)],
  ['Kysely on PostgreSQL', 'postgres', () => kyselyWalker(onPostgres, PG)],
  ['Knex on PostgreSQL', 'postgres', () => knexWalker(onPostgres, PG)],
  ['TypeORM on PostgreSQL', 'postgres', () => typeOrmWalker(onPostgres, typeOrm('text'))],
  ['MikroORM on PostgreSQL', 'postgres', () => mikroOrmWalker(onPostgres, mikro)],
  ['Drizzle on PostgreSQL', 'postgres', () => drizzleOnPostgres(onPostgres)],
  ['Kysely on MariaDB', 'mariadb', () => kyselyWalker(onMariadb, MARIA)],
  ['Knex on MariaDB', 'mariadb', () => knexWalker(onMariadb, MARIA)],
  ['TypeORM on MariaDB', 'mariadb', () => typeOrmWalker(onMariadb, typeOrm('varchar'))],
  ['Drizzle on MariaDB', 'mariadb', () => drizzleOnMariadb(onMariadb)],
  ['Kysely on SQLite', 'sqlite', () => kyselyWalker(onSqlite, LITE)],
  ['Knex on SQLite', 'sqlite', () => knexWalker(onSqlite, LITE)],
  ['TypeORM on SQLite', 'sqlite', () => typeOrmWalker(onSqlite, typeOrm('text'))],
  ['MikroORM on SQLite', 'sqlite', () => mikroOrmWalker(onSqlite, mikro)],
  ['Drizzle on SQLite', 'sqlite', () => drizzleOnSqlite(onSqlite)],
];

const SORTS: string[][] = [
  ...NAMES.flatMap((name) => [[`${name}:asc`], [`${name}:desc`]]),
  ['flag:desc', 'whole:asc'],
  ['whole:asc', 'text:desc'],
];

const rowsOf: Record<string, () => Promise<readonly object[]>> = {
  postgres: () => tableRows(postgres, PG),
  mariadb: () => tableRows(mariadb, MARIA),
  sqlite: () => tableRows(sqlite, LITE),
};

async function tableRows(place: Place, config: KyselyQueryConfig): Promise<readonly object[]> {
  const walker = await kyselyWalker(place, config);
  return walker.rows().finally(() => walker.close());
}

beforeAll(openPlaces, 120_000);
afterAll(closePlaces);

it('puts the rows with NULL first in both directions, and in no other way changes the order', () => {
  const config = { columns: { id: 'integer', due: 'date' }, primaryKey: 'id', nulls } as const;
  const rows = [
    { id: 1, due: '2026-02-01' },
    { id: 2, due: null },
    { id: 3, due: '2026-01-31' },
    { id: 4, due: null },
  ];
  const idsBy = (sort: string) =>
    memoryAdapter
      .build(parseQuery({ sort }, config), config)
      .apply(rows)
      .data.map(({ id }) => id);
  expect(idsBy('due:asc')).toEqual([2, 4, 3, 1]);
  expect(idsBy('due:desc')).toEqual([2, 4, 1, 3]);
});

it.each(WALKERS.filter(([name]) => isInTier(name)))(
  '%s gives that order, and pages through it by cursor',
  async (_, engine, open) => {
    const walker = await open();
    const rows = walker.kept ?? (await rowsOf[engine]?.()) ?? [];
    const wrong: unknown[] = [];
    for (const sort of SORTS) {
      // mingo orders text by UTF-16 units, MongoDB by code points.
      if (walker.name === 'Mongoose' && String(sort).includes('text')) continue;
      const parsed = parseQuery({ sort, limit: '100' });
      const inMemory = memoryAdapter.build(parsed, { ...PG, nulls }).apply(rows).data;
      const wanted = String(inMemory.map((row) => (row as { id: number }).id));
      const listed = String(await walker.list(parsed));
      const walked: number[] = [];
      let after: string | undefined;
      do {
        const page = await walker.page(parseQuery({ sort, limit: '3' }), { secret, after });
        walked.push(...page.ids);
        after = page.next;
      } while (after !== undefined && walked.length <= 2 * rows.length);
      if (listed !== wanted || String(walked) !== wanted) {
        wrong.push({ sort, wanted, listed, walked: String(walked) });
      }
    }
    await walker.close();
    expect(rows.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  },
  60_000,
);

describe('by a column of a related row', () => {
  const places: [string, Place, ReturnType<typeof declaredOf>][] = [
    ['PostgreSQL', postgres, PG],
    ['MariaDB', mariadb, MARIA],
    ['SQLite', sqlite, LITE],
  ];
  it.each(places.filter(([name]) => isInTier(name)))(
    'on %s rows without that row come first',
    async (_, place, declared) => {
      const { table } = place;
      const columns = { ...declared.columns, 'twin.text': 'string' } as const;
      const on = { id: `${table}.whole` };
      const config = {
        ...declared,
        columns,
        nulls,
        relations: { twin: { many: false, table, on } },
      } as const;
      const walker = await kyselyWalker({ ...place, nulls }, config);
      const rows = (await walker.rows()) as (object & { id: number; whole: number })[];
      const related = rows.map((row) => ({
        ...row,
        twin: rows.find(({ id }) => id === row.whole) ?? null,
      }));
      for (const direction of ['asc', 'desc']) {
        const parsed = parseQuery({ sort: `twin.text:${direction}`, limit: '100' }, config);
        const { data } = memoryAdapter.build(parsed, config).apply(related);
        expect(data[0]).toHaveProperty('twin', null);
        expect(await walker.list(parsed)).toEqual(data.map(({ id }) => id));
      }
      await walker.close();
    },
  );
});

it('has an order of find in TypeORM for the engines that can place NULLs', () => {
  const column = { name: 'due', type: 'date' } as const;
  const orderOn = (engine: 'postgres' | 'mysql', direction: 'asc' | 'desc') => {
    const sort = [{ field: 'due', column, direction, nulls } as const];
    return findOrderOf({ sort }, { dialect: dialectOf(engine), joins: true })['due'];
  };
  expect(orderOn('postgres', 'asc')).toEqual({ direction: 'ASC', nulls: 'FIRST' });
  expect(orderOn('postgres', 'desc')).toBe('DESC');
  expect(orderOn('mysql', 'asc')).toBe('ASC');
  expect(() => orderOn('mysql', 'desc')).toThrow(InvalidQueryError);
  expect(() => orderOn('mysql', 'desc')).toThrow('sort "due" not-expressible');
});

describe('an order of find, which cannot place NULLs', () => {
  const schema = new mongoose.Schema({ rank: Number, kept: { type: Number, required: true } });
  const adapter = mongooseAdapter(new mongoose.Mongoose().model('Nulls', schema));
  const config = { sortable: ['rank', 'kept'], nulls } as const;
  const sortBy = (sort: string) => adapter.build(parseQuery({ sort }, config), config).sort;

  it('is refused if it would put them last', () => {
    expect(() => sortBy('rank:desc')).toThrow(InvalidQueryError);
    expect(() => sortBy('rank:desc')).toThrow(
      'sort "rank" not-expressible (expected: a direction in which NULLs come first)',
    );
    expect(sortBy('rank:asc')).toEqual([
      ['rank', 1],
      ['_id', 1],
    ]);
    expect(sortBy('kept:desc')).toEqual([
      ['kept', -1],
      ['_id', 1],
    ]);
  });
});

describe('cursors', () => {
  const config = { columns: { id: 'integer', due: 'date' }, primaryKey: 'id' } as const;
  const parsed = parseQuery({ sort: 'due:asc' }, config);
  const cursorOf = (given: object) =>
    memoryAdapter
      .buildKeyset(parsed, { ...config, ...given }, { secret })
      .cursorOf({ id: 1, due: null });
  const take = (given: object, after: string) =>
    memoryAdapter.buildKeyset(parsed, { ...config, ...given }, { secret, after });

  it('of the other order of NULLs are refused', () => {
    expect(() => take({ nulls }, cursorOf({}))).toThrow('Invalid query: cursor');
    expect(() => take({}, cursorOf({ nulls }))).toThrow('Invalid query: cursor');
    expect(() => take({ nulls }, cursorOf({ nulls }))).not.toThrow();
  });

  it('of nulls: last are those without the option', () => {
    expect(cursorOf({ nulls: 'last' })).toBe(cursorOf({}));
  });
});

it('is refused at boot with another value', () => {
  const config = { columns: { id: 'integer' }, nulls: 'FIRST' } as unknown as KyselyQueryConfig;
  const fact = "`nulls` of a query config is \"FIRST\". Write nulls: 'first' or nulls: 'last'.";
  expect(() => kyselyAdapter.check(config)).toThrow(fact);
  expect(() => parseQuery({}, config)).toThrow(fact);
});
