// A mistake in a config throws an InvalidQueryConfigError at boot: in a decorator when the class is defined, in an
// adapter when check() is called. Requests do not see it.
import {
  compileQuery,
  type DeclaredQueryConfig,
  InvalidQueryConfigError,
  parseQuery,
  type QueryFieldConfig,
} from '@fledge/query';
import { drizzleAdapter, type DrizzleQueryConfig } from '@fledge/query/drizzle';
import { knexAdapter } from '@fledge/query/knex';
import { kyselyAdapter } from '@fledge/query/kysely';
import { memoryAdapter } from '@fledge/query/memory';
import { mongooseAdapter } from '@fledge/query/mongoose';
import { Paginate, Qs, QueryPipe } from '@fledge/query/nest';
import { prismaAdapter } from '@fledge/query/prisma';
import { typeOrmAdapter } from '@fledge/query/typeorm';
import { describe, expect, it } from '@jest/globals';
import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { model, Schema } from 'mongoose';
import { DataSource, EntitySchema } from 'typeorm';
import { allowListsOf } from '../src/config/allow-lists.js';
import { drizzleSpecOf } from '../src/drizzle/drizzle-config.js';
import { declaredSpec } from '../src/resolve/declared-columns.js';
import { decorate } from './support/decorate.js';

const tasks = pgTable('tasks', { id: integer().primaryKey(), title: text() });

/** Configs with lists of both forms. One list would be ignored. */
const MIXED: [unknown, string][] = [
  [{ columns: { secret: 'string' }, filterable: ['id'] }, 'contains `columns` and `filterable`'],
  [{ columns: { title: 'string' }, searchable: ['title'] }, 'contains `columns` and `searchable`'],
  [
    { columns: { id: 'integer' }, sortable: ['id'] },
    'contains `columns`, but `sortable` is an array',
  ],
  [{ filterable: ['id'], searchColumns: ['title'] }, 'contains `searchColumns` without `columns`'],
];

describe('a wrong config', () => {
  it.each<[unknown, string]>([
    [{ columns: { title: undefined } }, '`columns.title` of a query config is undefined.'],
    [{ columns: {}, sortable: { id: undefined } }, '`sortable.id` of a query config is undefined.'],
    [{ columns: {}, searchColumns: 'title' }, '`searchColumns` of a query config is not an array.'],
    [{ columns: {}, searchColumns: [undefined] }, '`searchColumns[0]` of a query config is'],
    [{ searchable: 'title' }, '`searchable` of a query config is not an array.'],
    ...['filterable', 'sortable', 'selectable', 'searchable'].map((list): [unknown, string] => [
      { [list]: ['id', { name: 'tags', type: 'string' }] },
      `\`${list}[1]\` of a query config is an object, but must be the name of a field, ` +
        "such as 'tags'. To declare the types of columns, use `columns` instead of lists of names.",
    ]),
    [{ columns: {}, selectable: [7] }, '`selectable[0]` of a query config is 7, but must be'],
    [{ filterable: [null] }, "is null, but must be the name of a field, such as 'status'."],
    ...MIXED,
  ])('%j is refused by decorators and compileQuery()', (config, fact) => {
    const given = config as QueryFieldConfig;
    const mistakes = [
      () => compileQuery(given),
      () => decorate(Qs(given)),
      () => decorate(Paginate(given)),
      () => new QueryPipe(given),
    ];
    for (const mistake of mistakes) {
      expect(mistake).toThrow(InvalidQueryConfigError);
      expect(mistake).toThrow(fact);
    }
  });

  it.each<[unknown, string]>([
    [{ columns: { id: 'int' } }, 'Column "id" has the unknown type "int".'],
    [{ columns: { id: {} } }, 'Column "id" has the unknown type undefined.'],
    [{ columns: {}, sortable: { id: 'varchar' } }, 'has the unknown type "varchar"'],
    [{ columns: {}, sortable: { id: { type: 'enum' } } }, '"id" is an enum without values.'],
    [{ columns: {}, searchColumns: [{ name: 'a', type: 'text' }] }, 'has the unknown type "text"'],
    [
      { columns: {}, searchColumns: ['title'] },
      '`searchColumns` contains "title", but neither `columns`',
    ],
    [
      { columns: { id: 'integer' }, searchColumns: ['id'] },
      '"id" is searched by `q`, but its type is',
    ],
    [{ columns: {}, primaryKey: 'id' }, '`primaryKey` contains "id", but neither `columns`'],
    [{ columns: {}, primaryKey: { name: 'id', type: 'int' } }, 'has the unknown type "int"'],
    ...MIXED.slice(0, 3),
  ])('%j is refused by check()', (config, fact) => {
    const given = config as DeclaredQueryConfig;
    for (const { check } of [kyselyAdapter, knexAdapter, memoryAdapter]) {
      expect(() => check(given)).toThrow(InvalidQueryConfigError);
      expect(() => check(given)).toThrow(fact);
    }
    expect(() => prismaAdapter.check({ ...given, provider: 'postgresql' })).toThrow(fact);
  });

  it('is refused by adapters with column metadata', async () => {
    const Model = model('Checked', new Schema({ title: String, tags: [String] }));
    const source = new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [
        new EntitySchema<{ id: number; owner: object }>({
          name: 'Task',
          columns: { id: { type: 'integer', primary: true } },
          relations: { owner: { type: 'many-to-one', target: 'Owner' } },
        }),
        new EntitySchema<{ id: number }>({
          name: 'Owner',
          columns: { id: { type: 'integer', primary: true } },
        }),
      ],
    });
    await source.initialize();
    const typeOrm = typeOrmAdapter(source.getRepository<{ id: number }>('Task'));
    await source.destroy();
    expect(() => typeOrm.check({ filterable: ['owner.nme'] })).toThrow(
      '"owner.nme" is not a column of entity Task.',
    );
    expect(() => typeOrm.check({ sortable: ['owner'] })).toThrow('"owner" is not a column');
    expect(() =>
      typeOrm.check({ columns: { id: { name: 'id', type: 'int' as 'integer' } } }),
    ).toThrow('has the unknown type "int"');
    expect(() => typeOrm.check({ columns: { id: { type: 'integer' } } })).not.toThrow();
    expect(() => mongooseAdapter(Model).check({ filterable: ['tags'] })).toThrow('"tags" of model');
    expect(() => mongooseAdapter(Model).check({ filterable: ['tags'] })).toThrow(
      "declare its type in `columns`: columns: { 'tags': { name: 'tags', type: 'string' } }.",
    );
    expect(() => typeOrm.check({ filterable: [{ name: 'id' }] as never })).toThrow(
      "`filterable[0]` of a query config is an object, but must be the name of a field, such as 'id'.",
    );
    expect(() => mongooseAdapter(Model).check({ searchable: ['titel'] })).toThrow(
      '"titel" is not a column',
    );
    const misspelled = { columns: { title: undefined } } as unknown as DrizzleQueryConfig;
    expect(() => drizzleAdapter.check(misspelled)).toThrow(
      '`columns.title` of a query config is undefined',
    );
    expect(() => drizzleAdapter.check({ columns: { title: tasks.title } })).not.toThrow();
  });
});

it('two @Qs() on a handler are refused, unless they have the same config', () => {
  const [A, B] = [{ filterable: ['a'] }, { filterable: ['b'] }];
  const decorateBoth = (first: QueryFieldConfig, second: QueryFieldConfig) => {
    class Tasks {
      list(@Qs(first) _first: unknown, @Qs(second) _second: unknown) {}
    }
    return Tasks;
  };
  expect(() => decorateBoth(A, B)).toThrow(InvalidQueryConfigError);
  expect(() => decorateBoth(A, B)).toThrow('Tasks.list has two @Qs() with different configs.');
  expect(() => decorateBoth(A, A)).not.toThrow();
});

describe('a list without a primary key', () => {
  const options = { secret: 'of tests alone, and long enough' };
  const parsed = parseQuery({ sort: 'priority:asc' });
  const declared = { columns: { priority: 'integer' } } as const;
  const pairs = pgTable(
    'pairs',
    { tenant: integer().notNull(), priority: integer().notNull() },
    (columns) => [primaryKey({ columns: [columns.tenant, columns.priority] })],
  );
  const { tenant, priority } = pairs;
  const drizzle: DrizzleQueryConfig = { columns: { priority } };
  const prisma = { ...declared, provider: 'postgresql' } as const;

  // A cursor would skip rows that have the same priority as its row.
  it.each<[string, () => unknown]>([
    ['Kysely', () => kyselyAdapter.buildKeyset(parsed, declared, options)],
    ['Knex', () => knexAdapter.buildKeyset(parsed, declared, options)],
    ['memory', () => memoryAdapter.buildKeyset(parsed, declared, options)],
    ['Prisma', () => prismaAdapter.buildKeyset(parsed, prisma, options)],
    ['Drizzle', () => drizzleAdapter.buildKeyset(parsed, drizzle, options)],
  ])('supports no cursors: %s', (_, build) => {
    expect(build).toThrow(InvalidQueryConfigError);
    expect(build).toThrow('Cursors require a primary key, but this list has none.');
  });

  it('supports cursors if the config names the key', () => {
    const config = { ...drizzle, primaryKey: [tenant, priority] };
    expect(() => drizzleAdapter.buildKeyset(parsed, config, options)).not.toThrow();
  });
});

describe('a config', () => {
  it('is compiled once', () => {
    const list = { filterable: ['status'], sortable: ['due'] };
    expect(allowListsOf(list)).toBe(allowListsOf(list));
    const declared: DeclaredQueryConfig = { columns: { id: 'integer' }, primaryKey: 'id' };
    expect(declaredSpec(declared)).toBe(declaredSpec(declared));
    const drizzle = { columns: { title: tasks.title } };
    expect(drizzleSpecOf(drizzle)).toBe(drizzleSpecOf(drizzle));
  });
});
