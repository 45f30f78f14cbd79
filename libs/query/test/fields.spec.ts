// `fields`: which members of a row a client gets.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildQueryParams,
  buildQueryString,
  InvalidQueryConfigError,
  InvalidQueryError,
  linkHeader,
  paginate,
  parseQuery,
} from '@fledge/query';
import { knexAdapter } from '@fledge/query/knex';
import { memoryAdapter } from '@fledge/query/memory';
import fc from 'fast-check';
import createKnex from 'knex';
import { servers } from './support/decoders.js';

const TASKS = { filterable: ['secret'], selectable: ['id', 'title', 'a,b', ' c\\ '] } as const;
const NAMES = TASKS.selectable;
const fieldsOf = (query: object, options: object = {}) => parseQuery(query, TASKS, options).fields;

describe('fields', () => {
  it('are in the parsed query only if the config has selectable and the query has fields', () => {
    expect(fieldsOf({ fields: 'title,id' })).toEqual(['title', 'id']);
    expect(parseQuery({}, TASKS)).toEqual(parseQuery({}, { filterable: ['secret'] }));
    for (const config of [undefined, {}, { filterable: ['title'] }, { columns: { title: 1 } }]) {
      const parsed = parseQuery({ fields: 'title' }, config, { onInvalid: 'throw' });
      expect(Object.keys(parsed)).toEqual(['filters', 'sort', 'pagination', 'search']);
    }
  });

  it('takes the names of a record of columns', () => {
    const config = { columns: { a: 1 }, selectable: { b: 2, c: 3 } };
    expect(parseQuery({ fields: 'a,b,toString' }, config).fields).toEqual(['b']);
    expect(parseQuery({ fields: 'a,b' }, { columns: { b: 1 }, selectable: [] }).fields).toEqual([]);
  });

  it('drops names that are not listed, and keeps the others once', () => {
    expect(fieldsOf({ fields: 'secret,TITLE,title,Title, title ,__proto__,constructor' })).toEqual([
      'title',
    ]);
    for (const fields of ['', ',', 'secret', '__proto__', '*', { a: 'title' }, [{}], [null], 5]) {
      expect(fieldsOf({ fields })).toEqual([]);
    }
    expect(fieldsOf({ fields: ['secret', 'id'] })).toEqual(['id']);
  });

  it('refuses each of them in strict mode', () => {
    const strict = (fields: unknown) => {
      try {
        return fieldsOf({ fields }, { onInvalid: 'throw' });
      } catch (error) {
        return (error as InvalidQueryError).errors;
      }
    };
    expect(strict('id,title')).toEqual(['id', 'title']);
    expect(strict('')).toEqual([]);
    expect(strict('secret')).toEqual([
      { kind: 'fields', field: 'secret', reason: 'field-not-allowed' },
    ]);
    expect(strict(['id', 'id'])).toEqual([{ kind: 'fields', field: 'id', reason: 'duplicate' }]);
    expect(strict({ a: 'id' })).toEqual([expect.objectContaining({ reason: 'malformed' })]);
    expect(strict('x'.repeat(1000))).toEqual([
      expect.objectContaining({ field: expect.stringMatching(/^x{63}…$/) }),
    ]);
  });

  it('reads as many names as a list value may have', () => {
    const many = Array.from({ length: 200_000 }, (_, i) => `x${i}`);
    const problems: unknown[] = [];
    const onReject = (problem: unknown) => problems.push(problem);
    expect(fieldsOf({ fields: [...many, 'id'].join(',') }, { onReject })).toEqual([]);
    expect(fieldsOf({ fields: many }, { onReject: () => undefined })).toEqual([]);
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toEqual({
      kind: 'fields',
      reason: 'too-many',
      expected: 'at most 100 names',
    });
  });

  it('are kept by links, and left to the application without selectable', () => {
    const meta = { page: 1, limit: 20, hasNext: true, hasPrev: false };
    const link = (config: object) =>
      linkHeader('/t?fields=id,nope&x=1', parseQuery({ fields: 'id,nope' }, config), meta);
    expect(link(TASKS)).toContain('</t?x=1&fields=id&page=2&limit=20>; rel="next"');
    expect(link({})).toContain('</t?fields=id%2Cnope&x=1&page=2&limit=20>; rel="next"');
  });
});

describe.each(servers)('fields over $name', ({ open }) => {
  let decode: (encoded: string) => Promise<unknown>;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    ({ decode, close } = await open());
  });
  afterAll(() => close());

  it('are read as they were written', async () => {
    const lists = fc.uniqueArray(fc.constantFrom(...NAMES)).map((fields) => [...fields]);
    await fc.assert(
      fc.asyncProperty(lists, async (fields) => {
        const decoded = await decode(buildQueryString({ fields }));
        expect(fieldsOf(decoded as object)).toEqual(fields);
      }),
    );
    expect(buildQueryParams({ fields: [] })).toEqual({ fields: '' });
  });

  it.each([
    'fields=id,title',
    'fields=id&fields=title',
    'fields[]=id&fields[]=title',
    'fields[0]=id&fields[1]=title',
    'fields[]=id,title',
    'fields=id%2Ctitle',
  ])('%s', async (encoded) => {
    expect(fieldsOf((await decode(encoded)) as object)).toEqual(['id', 'title']);
  });

  it('with an empty value, or of another shape, ask for nothing but the key', async () => {
    for (const encoded of ['fields=', 'fields', 'fields[a]=id', 'fields[a][b]=title']) {
      expect(fieldsOf((await decode(encoded)) as object)).toEqual([]);
    }
  });
});

describe('a key that selectable does not list', () => {
  const config = {
    columns: { id: { name: 'tasks.task_id', type: 'integer' }, title: 'string' },
    selectable: ['title'],
    primaryKey: 'id',
  } as const;
  const parsed = parseQuery({ fields: 'title' }, config);

  it('has the name of its field', () => {
    const rows = [{ 'tasks.task_id': 1, title: 'a', due: 'x' }];
    expect(memoryAdapter.build(parsed, config).apply(rows).data).toEqual([{ id: 1, title: 'a' }]);
    const { sql } = knexAdapter
      .build(parsed, config)
      .apply(createKnex({ client: 'pg' })('tasks').select('*'))
      .toSQL();
    expect(sql).toContain('select "tasks"."task_id" as "id", "title" as "title" from "tasks"');
  });
});

describe('fields of rows in memory', () => {
  const config = {
    columns: { due: { name: 'due_at', type: 'date' }, note: 'string', city: 'string' },
    selectable: ['title', 'due', 'home.city', 'gone'],
    primaryKey: [{ name: 'id', type: 'integer' }],
  } as const;
  const rows = [
    { id: 2, title: 'b', due_at: '2026-01-01', note: 'x', home: { city: 'Rome', zip: '1' } },
    { id: 1, title: 'a', due_at: null, note: 'y', home: null },
  ];
  const cut = (query: object) => {
    const parsed = parseQuery(query, config);
    return paginate({ ...memoryAdapter.build(parsed, config).apply(rows), parsed }).data;
  };

  it('have the key, and the name of the field', () => {
    expect(cut({ fields: 'due,title' })).toEqual([
      { id: 1, title: 'a', due: null },
      { id: 2, title: 'b', due: '2026-01-01' },
    ]);
    expect(cut({ fields: 'note', sort: 'note:desc' })).toEqual([{ id: 1 }, { id: 2 }]);
    expect(cut({ fields: 'home.city,gone' })).toEqual([
      { id: 1, home: null },
      { id: 2, home: { city: 'Rome' } },
    ]);
    expect(cut({})[1]).toBe(rows[0]);
  });

  it('need a primary key, and one column for a name', () => {
    const columns = { due: 'date' } as const;
    expect(() => memoryAdapter.check({ columns, selectable: ['due'] })).toThrow(
      InvalidQueryConfigError,
    );
    const sortable = { due: { name: 'other', type: 'date' } } as const;
    const check = () =>
      memoryAdapter.check({ columns, sortable, selectable: ['due'], primaryKey: 'due' });
    expect(check).toThrow(
      '`selectable` contains "due", but `columns` maps this field to the column "due"',
    );
  });
});
