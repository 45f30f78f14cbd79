// Mistakes with `json` and `array` are found at startup, and so are adapters and engines without them.
import {
  buildQueryString,
  type DeclaredQueryConfig,
  filter,
  InvalidQueryConfigError,
  InvalidQueryError,
  parseQuery,
} from '@fledge/query';
import { drizzleAdapter, type DrizzleQueryConfig } from '@fledge/query/drizzle';
import { knexAdapter } from '@fledge/query/knex';
import { kyselyAdapter } from '@fledge/query/kysely';
import { memoryAdapter } from '@fledge/query/memory';
import { mongooseAdapter } from '@fledge/query/mongoose';
import { prismaAdapter } from '@fledge/query/prisma';
import { typeOrmAdapter } from '@fledge/query/typeorm';
import { afterAll, describe, expect, it } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import knex from 'knex';
import { Kysely, SqliteDialect } from 'kysely';
import { model, Schema } from 'mongoose';
import { DataSource, EntitySchema } from 'typeorm';
import { querySchemaOf } from '../src/nest/query-schema.js';

const THEME = { name: 'settings', type: 'string', json: ['theme'] } as const;
const TAGS = { type: 'string', array: true } as const;

function checked(config: object, check = memoryAdapter.check): () => void {
  return () => check(config as DeclaredQueryConfig);
}

describe('json and array of a column', () => {
  it.each<[object, string]>([
    [{ type: 'string', json: [] }, '`json` of column "c" is [], which is not a list of keys.'],
    [{ type: 'string', json: 'theme' }, '`json` of column "c" is "theme", which is not a list'],
    [{ type: 'string', json: ['a"b'] }, 'A key must not be empty, and must not contain'],
    [{ type: 'string', json: [''] }, 'A key must not be empty'],
    [{ type: 'bigint', json: ['a'] }, 'inside a JSON column, but has the type bigint'],
    [{ type: 'decimal', json: ['a'] }, 'Declare it as number, integer or string'],
    [{ type: 'timestamp', array: true }, 'Column "c" is an array of timestamps'],
    [{ type: 'string', jsn: ['a'] }, 'Did you mean json?'],
  ])('%j is refused', (column, message) => {
    const check = checked({ columns: { c: column }, sortable: {} });
    expect(check).toThrow(InvalidQueryConfigError);
    expect(check).toThrow(message);
  });

  it.each<[string, object, string]>([
    ['sortable', {}, 'Field "tags" is sortable, but its column is an array.'],
    ['searchColumns', { sortable: {}, searchColumns: ['tags'] }, '"tags" is searched by `q`'],
    ['primaryKey', { sortable: {}, primaryKey: ['theme'] }, '`primaryKey` contains "settings"'],
    ['facetable', { sortable: {}, facetable: ['tags'] }, '"tags", but does not support arrays.'],
    ['groupable', { sortable: {}, groupable: ['day'] }, 'dates inside a JSON column.'],
    [
      'selectable',
      { sortable: {}, primaryKey: 'id', selectable: ['theme'] },
      '`selectable` contains "theme", which is a value inside the JSON column "settings".',
    ],
  ])('%s does not fit every one', (_, lists, message) => {
    const day = { name: 'settings', type: 'date', json: ['day'] };
    const columns = { id: 'integer', tags: TAGS, theme: THEME, day };
    expect(checked({ columns, ...lists })).toThrow(message);
  });

  it('is refused by adapters without it, which name the column', () => {
    const provider = 'postgresql';
    for (const columns of [{ theme: THEME }, { tags: TAGS }]) {
      const config = { columns, sortable: {}, provider } as const;
      expect(() => prismaAdapter.check(config)).toThrow('the Prisma adapter does not support');
    }
    const Task = model('JsonTask', new Schema({ settings: {}, tags: [String] }));
    const columns = { theme: { ...THEME, name: 'settings' } };
    expect(() => mongooseAdapter(Task).check({ columns, sortable: {} })).toThrow(
      'Column "settings" is a value inside a JSON column, which the Mongoose adapter does not support.',
    );
  });

  it('is compared with the type of the column', async () => {
    const tasks = pgTable('tasks', {
      id: integer().primaryKey(),
      title: text(),
      tags: text().array(),
      settings: jsonb(),
    });
    const check = (columns: DrizzleQueryConfig['columns']) => () =>
      drizzleAdapter.check({ columns, sortable: { id: tasks.id } });
    expect(check({ tags: { column: tasks.tags, ...TAGS } })).not.toThrow();
    expect(check({ tags: { column: tasks.title, ...TAGS } })).toThrow(
      'Column "tasks.title" is declared with `array`, but its data type in Drizzle is string.',
    );
    expect(check({ n: { column: tasks.id, type: 'string', json: ['a'] } })).toThrow(
      'Column "tasks.id" is declared with `json`, but its data type in Drizzle is number.',
    );
    const entity = new EntitySchema<{ id: number }>({
      name: 'Task',
      columns: {
        id: { type: Number, primary: true },
        tags: { type: 'simple-array' },
      } as never,
    });
    const source = new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [entity],
    });
    await source.initialize();
    const adapter = typeOrmAdapter(source.getRepository(entity));
    expect(() =>
      adapter.check({ columns: { tags: { name: 'tags', ...TAGS } }, sortable: {} }),
    ).toThrow('"tags" of entity Task is declared as an array, but has the type simple-array.');
  });

  it('is refused by engines without arrays', () => {
    const config = { columns: { tags: TAGS }, sortable: {} };
    const parsed = parseQuery({ filter: 'tags:has:a' }, config, { operators: ['has'] });
    const { apply } = knexAdapter.build(parsed, config);
    const db = knex({ client: 'better-sqlite3', useNullAsDefault: true });
    expect(() => apply(db('tasks'))).toThrow(
      'Column "tags" is declared as an array, but the engine sqlite has no array type.',
    );
  });
});

describe('text of SQLite that is not JSON', () => {
  const columns = {
    id: { type: 'integer', nullable: false },
    theme: THEME,
    tags: { ...TAGS, name: 'settings', json: ['tags'] },
  } as const;
  const sortable = { id: columns.id, theme: THEME };
  const config = { columns, sortable, facetable: ['theme'], primaryKey: 'id' } as const;
  const file = new Sqlite(':memory:');
  file.exec(`create table tasks (id integer primary key, settings text);
    insert into tasks values (1, ''), (2, '{"theme":"dark","tags":["a"]}'), (3, 'no JSON'),
      (4, null), (5, '{"theme":'), (6, '{"theme":"bright","tags":["b"]}')`);
  const rows = file.prepare('select * from tasks').all() as { id: number; settings: string }[];
  const db = new Kysely<{ tasks: { id: number } }>({
    dialect: new SqliteDialect({ database: file }),
  });
  afterAll(() => db.destroy());

  it.each([
    [{ sort: 'theme:asc' }, [6, 2, 1, 3, 4, 5]],
    [{ filter: 'theme:neq:dark' }, [6]],
    [{ filter: 'theme:isnull:true' }, [1, 3, 4, 5]],
    [{ filter: 'tags:has:a' }, [2]],
    [{ where: 'not(tags:has:a)' }, [6]],
  ])('counts as NULL: %j', async (query, ids) => {
    const parsed = parseQuery(query, config, { operators: ['has', 'isnull'], where: true });
    const idsOf = (found: readonly { id: number }[]) => found.map(({ id }) => id);
    expect(idsOf(memoryAdapter.build(parsed, config).apply(rows).data)).toEqual(ids);
    const { apply } = kyselyAdapter.build(parsed, config);
    expect(idsOf(await apply(db.selectFrom('tasks').select('id')).execute())).toEqual(ids);
  });

  it('counts as NULL in summaries, and a document in the format JSONB does not', async () => {
    const parsed = parseQuery({ facets: 'theme' }, config);
    file.exec(`update tasks set settings = jsonb(settings) where id in (2, 6)`);
    expect(await kyselyAdapter.summarize(parsed, config, db.selectFrom('tasks'))).toEqual(
      await memoryAdapter.summarize(parsed, config, rows),
    );
  });
});

describe('the operator has', () => {
  const config = { columns: { id: 'integer', tags: TAGS }, sortable: {} } as const;
  const options = { operators: ['has', 'isnull'], where: true } as const;
  const rows = [
    { id: 1, tags: ['a', null, 'a'] },
    { id: 2, tags: [] },
    { id: 3, tags: null },
    { id: 4, tags: 'a' },
  ];
  const idsOf = (query: object) => {
    const { apply } = memoryAdapter.build(parseQuery(query, config, options), config);
    return apply(rows).data.map(({ id }) => id);
  };

  it('finds an element, and never NULL', () => {
    expect(idsOf({ filter: 'tags:has:a' })).toEqual([1]);
    expect(idsOf({ where: 'not(tags:has:a)' })).toEqual([2]);
    expect(idsOf({ filter: 'tags:has:null' })).toEqual([]);
    expect(idsOf({ filter: 'tags:isnull:true' })).toEqual([3, 4]);
  });

  it('fits arrays only, and no other operator does', () => {
    for (const item of ['id:has:1', 'tags:eq:a', 'tags:contains:a']) {
      expect(() => idsOf({ filter: item })).toThrow(InvalidQueryError);
    }
  });

  it('is dropped unless an option lists it', () => {
    expect(parseQuery({ filter: 'tags:has:a' }, config).filters).toEqual([]);
  });

  it('is written by buildQueryString and documented', () => {
    const text = buildQueryString({ filters: [filter.has('tags', 'a:b')] });
    expect(text).toBe('filter=tags%3Ahas%3Aa%3Ab');
    const { properties } = querySchemaOf(config, options) as {
      properties: { filter: { description: string } };
    };
    expect(properties.filter.description).toContain('`has` matches arrays that contain the value.');
    expect(JSON.stringify(querySchemaOf(config, {}))).not.toContain('`has`');
  });
});
