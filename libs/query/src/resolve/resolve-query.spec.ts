import { describe, expect, it } from '@jest/globals';
import { parseQuery } from '../parse/parse-query.js';
import { InvalidQueryError } from '../query.errors.js';
import type { QueryColumn } from './column.js';
import { type DeclaredQueryConfig, declaredSpec } from './declared-columns.js';
import { resolveQuery } from './resolve-query.js';

const TASKS = {
  columns: {
    id: { type: 'integer', nullable: false },
    status: { type: 'enum', values: ['open', 'done'] },
    priority: 'integer',
    title: 'string',
    done: 'boolean',
    createdAt: { type: 'timestamp', name: 'created_at' },
    uid: { type: 'uuid', operators: ['eq'] },
  },
  searchColumns: ['title', { name: 'body', type: 'string' }],
  primaryKey: 'id',
} as const satisfies DeclaredQueryConfig;
const spec = declaredSpec(TASKS);

function resolve(query: object) {
  return resolveQuery(parseQuery(query, TASKS, { operators: ['nin', 'isnull'] }), spec);
}

function refused(query: object): unknown {
  try {
    resolve(query);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidQueryError);
    return (error as InvalidQueryError).errors;
  }
  throw new Error('The query was not refused.');
}

describe('values in a text column', () => {
  const UPPER = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11';
  const ask = (filter: string, column: Omit<QueryColumn, 'name'>) =>
    resolveQuery(parseQuery({ filter }, { columns: { c: column } }, { operators: ['nin'] }), {
      columns: { c: { name: 'c', ...column } },
    }).filters[0];

  it.each([
    ['eq', 'in'],
    ['neq', 'nin'],
    ['in', 'in'],
    ['nin', 'nin'],
  ])('a UUID is found in either case: %s', (asked, operator) => {
    const values = [UPPER.toLowerCase(), UPPER];
    expect(ask(`c:${asked}:${UPPER}`, { type: 'uuid' })).toMatchObject({ operator, values });
    const native = ask(`c:eq:${UPPER}`, { type: 'uuid', asText: false });
    expect(native).toMatchObject({ kind: 'compare', value: UPPER.toLowerCase() });
  });

  it.each(['09:05', '09:05:00', '09:05:00.000'])('the time %s has one spelling', (text) => {
    expect(ask(`c:eq:${text}`, { type: 'time' })).toMatchObject({ value: '09:05:00' });
    expect(ask(`c:in:${text}`, { type: 'time' })).toMatchObject({ values: ['09:05:00'] });
    expect(ask(`c:gt:${text}`, { type: 'time', asText: false })).toMatchObject({ value: text });
  });
});

describe('resolveQuery', () => {
  it('converts each filter to its column and typed value', () => {
    const { columns } = spec;
    const { filters } = resolve({
      filter: [
        'status:eq:open',
        'priority:gte:3',
        'createdAt:between:2026-01-01,2026-02-01',
        'id:in:1, 2',
        'id:nin:3',
        'title:contains:50%_',
        'done:isnull:TRUE',
      ],
    });
    expect(filters).toEqual([
      {
        kind: 'compare',
        operator: 'eq',
        field: 'status',
        column: columns['status'],
        value: 'open',
      },
      {
        kind: 'compare',
        operator: 'gte',
        field: 'priority',
        column: columns['priority'],
        value: 3,
      },
      {
        kind: 'between',
        field: 'createdAt',
        column: { name: 'created_at', type: 'timestamp' },
        from: new Date('2026-01-01T00:00:00Z'),
        to: new Date('2026-02-01T00:00:00Z'),
      },
      { kind: 'in', operator: 'in', field: 'id', column: columns['id'], values: [1, 2] },
      { kind: 'in', operator: 'nin', field: 'id', column: columns['id'], values: [3] },
      {
        kind: 'text',
        operator: 'contains',
        field: 'title',
        column: columns['title'],
        text: '50%_',
      },
      { kind: 'null', field: 'done', column: columns['done'], isNull: true },
    ]);
  });

  it('lets an empty in match nothing, and an empty nin what is not NULL', () => {
    const { filters } = resolve({ filter: ['id:in:,', 'id:nin: , '] });
    expect(filters.map((filter) => filter.kind)).toEqual(['nothing', 'null']);
    expect(filters[1]).toMatchObject({ isNull: false });
  });

  it('lists every value that does not fit, without repeating the values', () => {
    const errors = refused({
      filter: [
        'priority:gt:abc',
        'priority:gt:3000000000',
        'done:eq:maybe',
        'createdAt:gte:2026-02-30',
        'uid:eq:zzz',
        'title:eq:\0',
        'status:in:open,shut',
        'id:between:5',
        'id:between:1,2,3',
        'done:isnull:perhaps',
        'title:contains:\0',
      ],
      q: 'a\0b',
    });
    const problem = (field: string, operator: string, expected: string) => ({
      kind: 'filter',
      field,
      operator,
      reason: 'invalid-value',
      expected,
    });
    const int32 = 'integer from -2147483648 to 2147483647';
    expect(errors).toEqual([
      problem('priority', 'gt', int32),
      problem('priority', 'gt', int32),
      problem('done', 'eq', 'true or false'),
      problem(
        'createdAt',
        'gte',
        'ISO 8601 date or timestamp with at most three decimal places in the seconds',
      ),
      problem('uid', 'eq', 'UUID'),
      problem('title', 'eq', 'string without U+0000'),
      problem('status', 'in', 'list of values, each: one of open, done'),
      problem('id', 'between', `two values separated by a comma, each: ${int32}`),
      problem('id', 'between', `two values separated by a comma, each: ${int32}`),
      problem('done', 'isnull', 'true or false'),
      problem('title', 'contains', 'string without U+0000'),
      { kind: 'search', reason: 'invalid-value', expected: 'string without U+0000' },
    ]);
  });

  it.each([
    'priority:contains:3',
    'status:starts:o',
    'done:gt:false',
    'status:between:a,b',
    'uid:neq:a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  ])('refuses %s: the operator does not fit, or is not listed', (filter) => {
    expect(refused({ filter })).toEqual([
      expect.objectContaining({ reason: 'operator-not-allowed' }),
    ]);
  });

  it('drops fields that the spec does not contain, and inherited names', () => {
    const parsed = parseQuery({ filter: ['nope:eq:1', 'toString:eq:1'], sort: 'toString:asc' });
    expect(parsed.filters).toHaveLength(2);
    const resolved = resolveQuery(parsed, spec);
    expect(resolved.filters).toEqual([]);
    expect(resolved.sort.map(({ field }) => field)).toEqual(['id']);
  });

  it('rejects such fields of a strict query', () => {
    const query = { filter: ['nope:eq:1', 'priority:eq:a'], sort: ['toString:asc', 'title:asc'] };
    const parsed = parseQuery(query, undefined, { onInvalid: 'throw' });
    const problems = [
      { kind: 'filter', field: 'nope', reason: 'field-not-allowed' },
      { kind: 'sort', field: 'toString', reason: 'field-not-allowed' },
      expect.objectContaining({ field: 'priority', reason: 'invalid-value' }),
    ];
    for (const each of [parsed, { ...parsed }]) {
      const thrown = expect.objectContaining({ errors: problems }) as unknown as Error;
      expect(() => resolveQuery(each, spec)).toThrow(thrown);
    }
  });

  it('ends the order with the primary key, once', () => {
    const orderOf = (sort: string[]) =>
      resolve({ sort }).sort.map(({ column, direction }) => `${column.name} ${direction}`);
    expect(orderOf([])).toEqual(['id asc']);
    expect(orderOf(['createdAt:desc'])).toEqual(['created_at desc', 'id asc']);
    expect(orderOf(['id:desc', 'title:asc'])).toEqual(['id desc', 'title asc']);
    const pair = [spec.columns['title'], spec.columns['id']] as never;
    const composite = resolveQuery(parseQuery({ sort: 'id:desc' }), { ...spec, primaryKey: pair });
    expect(composite.sort.map(({ field }) => field)).toEqual(['id', 'title']);
    const bare = resolveQuery(parseQuery({}), { columns: spec.columns });
    expect(bare.sort).toEqual([]);
  });

  it('searches if there are columns to search', () => {
    expect(resolve({ q: ' dep ' }).search).toEqual({ text: 'dep', columns: spec.search });
    expect(spec.search?.map(({ name }) => name)).toEqual(['title', 'body']);
    expect(resolve({}).search).toBeUndefined();
    const unsearched = { columns: spec.columns };
    expect(resolveQuery(parseQuery({ q: 'a' }), unsearched).search).toBeUndefined();
  });

  it('keeps the pagination', () => {
    expect(resolve({ page: '2', limit: '10' }).pagination).toEqual({
      page: 2,
      limit: 10,
      offset: 10,
    });
  });
});

describe('declaredSpec', () => {
  it.each<[DeclaredQueryConfig, string]>([
    [{ columns: { a: { type: 'enum' } } }, 'Column "a" is an enum without values.'],
    [{ columns: { a: { type: 'enum', values: [] } } }, 'Column "a" is an enum without values.'],
    [
      { columns: { a: 'integer' }, searchColumns: ['a'] },
      'Column "a" is searched by `q`, but its type is integer.',
    ],
    [{ columns: {}, primaryKey: 'id' }, '`primaryKey` contains "id", but neither `columns`'],
    [{ columns: {}, searchColumns: ['toString'] }, '`searchColumns` contains "toString"'],
  ])('refuses %j', (config, message) => {
    expect(() => declaredSpec(config)).toThrow(message);
  });

  it('reads a config once', () => {
    expect(declaredSpec(TASKS)).toBe(spec);
  });

  it('takes separate sort columns, and primary keys from them', () => {
    const { sortable, primaryKey } = declaredSpec({
      columns: { a: 'string' },
      sortable: { b: 'bigint' },
      primaryKey: ['b'],
    });
    expect(sortable).toEqual({ b: { name: 'b', type: 'bigint' } });
    expect(primaryKey).toEqual([{ name: 'b', type: 'bigint' }]);
  });
});
