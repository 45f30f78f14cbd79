import { describe, expect, it, jest } from '@jest/globals';
import type { QueryOptions } from '../query.options.js';
import { InvalidQueryError, type QueryProblem } from '../query.errors.js';
import { compileQuery, parseQuery } from './parse-query.js';

const CONFIG = { filterable: ['status', 'priority'], sortable: ['createdAt', 'a:b'] } as const;

/** The reasons reported for a query. */
function reported(query: object, options: QueryOptions = {}): QueryProblem[] {
  const problems: QueryProblem[] = [];
  parseQuery(query, CONFIG, { ...options, onReject: (problem) => problems.push(problem) });
  return problems;
}

/** The problems a query is refused for. */
function refused(query: object, options: QueryOptions = {}): readonly QueryProblem[] {
  try {
    parseQuery(query, CONFIG, options);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidQueryError);
    return (error as InvalidQueryError).errors;
  }
  throw new Error('The query was not refused.');
}

describe('onReject', () => {
  it.each<[object, QueryProblem]>([
    [
      { filter: 'status' },
      { kind: 'filter', reason: 'malformed', expected: 'field:operator:value' },
    ],
    [{ filter: 7 }, { kind: 'filter', reason: 'malformed', expected: 'field:operator:value' }],
    [{ filter: 'x:eq:1' }, { kind: 'filter', field: 'x', reason: 'field-not-allowed' }],
    [
      { filter: 'status:EQ:1' },
      { kind: 'filter', field: 'status', operator: 'EQ', reason: 'unknown-operator' },
    ],
    [
      { filter: 'status:nin:1' },
      { kind: 'filter', field: 'status', operator: 'nin', reason: 'unknown-operator' },
    ],
    // The text between the colons may be part of a value.
    [
      { filter: 'status:Call Ada Lovelace: tomorrow' },
      { kind: 'filter', field: 'status', reason: 'unknown-operator' },
    ],
    // Express' extended parser reads `filter=status:eq:[a]=b` in this way.
    [
      { 'filter=status:eq:': { a: 'b' } },
      {
        kind: 'filter',
        reason: 'malformed',
        expected: 'percent-encoding of `[`, `]` and `=` in the value',
      },
    ],
    [
      { filter: 'status:eq:' },
      { kind: 'filter', field: 'status', operator: 'eq', reason: 'empty-value' },
    ],
    [{ sort: 'x:asc' }, { kind: 'sort', field: 'x', reason: 'field-not-allowed' }],
    [
      { sort: 'createdAt' },
      { kind: 'sort', reason: 'malformed', expected: 'field:asc or field:desc' },
    ],
    [
      { sort: ['createdAt:asc', 'createdAt:desc'] },
      { kind: 'sort', field: 'createdAt', reason: 'duplicate' },
    ],
    [
      { page: '0' },
      { kind: 'page', reason: 'invalid-value', expected: 'whole number of 1 or more' },
    ],
    [{ page: ['1', '2'] }, { kind: 'page', reason: 'duplicate', expected: 'one value' }],
    [
      { page: '9'.repeat(400) },
      { kind: 'page', reason: 'out-of-range', expected: 'at most 107374183' },
    ],
    [{ limit: '101' }, { kind: 'limit', reason: 'out-of-range', expected: 'at most 100' }],
    [{ q: { a: '1' } }, { kind: 'search', reason: 'malformed', expected: 'string' }],
    [{ q: 5 }, { kind: 'search', reason: 'malformed', expected: 'string' }],
    [
      { q: 'a'.repeat(201) },
      { kind: 'search', reason: 'truncated', expected: 'at most 200 characters' },
    ],
  ])('is called once for %j', (query, problem) => {
    expect(reported(query)).toEqual([problem]);
  });

  it('is not called for a valid query', () => {
    const query = { filter: 'status:eq:a', sort: 'createdAt:asc', page: '2', limit: '', q: '' };
    expect(reported(query)).toEqual([]);
  });

  it('gets long names shortened', () => {
    const [problem] = reported({ filter: `${'😀'.repeat(500)}:eq:1` });
    expect(problem?.field).toHaveLength(64);
    expect(problem?.field?.isWellFormed()).toBe(true);
  });
});

describe('onInvalid: throw', () => {
  it('lists every problem at once, without the values', () => {
    const query = {
      filter: ['secret:eq:hunter2', 'status:like:hunter2', 'status:eq:fine'],
      sort: 'hunter2:up',
      page: 'hunter2',
      limit: '1000',
    };
    const problems = refused(query, { onInvalid: 'throw' });
    expect(problems.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual([
      'filter field-not-allowed',
      'filter unknown-operator',
      'sort malformed',
      'limit out-of-range',
      'page invalid-value',
    ]);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
    expect(new InvalidQueryError(problems).message).toBe(
      'Invalid query: filter "secret" field-not-allowed; filter "status" like unknown-operator; ' +
        'sort malformed (expected: field:asc or field:desc); ' +
        'limit out-of-range (expected: at most 100); ' +
        'page invalid-value (expected: whole number of 1 or more).',
    );
  });

  it('accepts a valid query', () => {
    const parsed = parseQuery({ filter: 'status:eq:a', page: '' }, CONFIG, { onInvalid: 'throw' });
    expect(parsed.filters).toHaveLength(1);
  });

  it('lists at most 100 problems', () => {
    const query = { filter: Array.from({ length: 900 }, () => 'x') };
    expect(refused(query, { onInvalid: 'throw' })).toHaveLength(100);
  });
});

describe('limits', () => {
  const filters = (count: number) => Array.from({ length: count }, (_, i) => `status:eq:${i}`);
  const list = (count: number) => Array.from({ length: count }, (_, i) => i).join(',');

  it('refuse what would return more rows if it were cut, in both modes', () => {
    expect(parseQuery({ filter: filters(50) }, CONFIG).filters).toHaveLength(50);
    expect(refused({ filter: filters(51) })).toEqual([
      { kind: 'filter', reason: 'too-many', expected: 'at most 50 filters' },
    ]);
    expect(parseQuery({ filter: [...filters(50), 'x:eq:1'] }, CONFIG).filters).toHaveLength(50);
    expect(parseQuery({ filter: `priority:in:${list(100)}` }, CONFIG).filters).toHaveLength(1);
    expect(refused({ filter: `priority:in:${list(101)}` })).toEqual([
      {
        kind: 'filter',
        field: 'priority',
        operator: 'in',
        reason: 'too-many',
        expected: 'at most 100 items',
      },
    ]);
    const long = {
      kind: 'filter',
      field: 'status',
      reason: 'too-long',
      expected: 'at most 1000 characters',
    };
    expect(refused({ filter: `status:eq:${'a'.repeat(1001)}` })).toEqual([
      { ...long, operator: 'eq' },
    ]);
    expect(refused({ filter: `status:between:a,${'b'.repeat(1001)}` })).toEqual([
      { ...long, operator: 'between' },
    ]);
    expect(parseQuery({ filter: `status:eq:${'😀'.repeat(1000)}` }, CONFIG).filters).toHaveLength(
      1,
    );
    const wide = `status:in:${'a'.repeat(900)},${'b'.repeat(900)}`;
    expect(parseQuery({ filter: wide }, CONFIG).filters).toHaveLength(1);
  });

  it('drop sort items over maxSort', () => {
    const sort = Array.from({ length: 12 }, (_, i) => `f${i}:asc`);
    const onReject = jest.fn();
    expect(parseQuery({ sort }, undefined, { onReject }).sort).toHaveLength(10);
    expect(onReject.mock.calls).toEqual([
      [{ kind: 'sort', reason: 'too-many', expected: 'at most 10 items' }],
    ]);
  });

  it('are set by the options', () => {
    const options = {
      defaultLimit: 5,
      maxLimit: 7,
      maxSearchLength: 3,
      limits: { maxFilters: 1, maxSort: 1, maxListItems: 1, maxValueLength: 2, maxOffset: 20 },
    };
    const parsed = parseQuery(
      { filter: 'status:eq:ab', sort: ['a:asc', 'b:asc'], q: 'abcd', page: '100' },
      undefined,
      options,
    );
    expect(parsed).toEqual({
      filters: [{ field: 'status', operator: 'eq', value: 'ab' }],
      sort: [{ field: 'a', direction: 'asc' }],
      pagination: { page: 5, limit: 5, offset: 20 },
      search: 'abc',
    });
    expect(parseQuery({ limit: '50' }, undefined, options).pagination.limit).toBe(7);
    expect(refused({ filter: ['status:eq:a', 'status:eq:b'] }, options)).toHaveLength(1);
    expect(refused({ filter: 'status:in:a,b' }, options)).toHaveLength(1);
    expect(refused({ filter: 'status:eq:abc' }, options)).toHaveLength(1);
    expect(parseQuery({}, undefined, { maxLimit: 10 }).pagination.limit).toBe(10);
  });
});

describe('opt-in operators', () => {
  it('are accepted if the options list them', () => {
    const query = { filter: ['status:nin:a,b', 'status:isnull:true'] };
    expect(parseQuery(query, CONFIG).filters).toEqual([]);
    expect(parseQuery(query, CONFIG, { operators: ['nin'] }).filters).toEqual([
      { field: 'status', operator: 'nin', value: 'a,b' },
    ]);
    expect(parseQuery(query, undefined, { operators: ['nin', 'isnull'] }).filters).toHaveLength(2);
  });
});

describe('a config', () => {
  it('is compiled once', () => {
    const filterable = ['a'];
    const config = { filterable };
    parseQuery({}, config);
    filterable.push('b');
    expect(parseQuery({ filter: ['a:eq:1', 'b:eq:1'] }, config).filters).toHaveLength(1);
    const fresh = compileQuery({ filterable });
    expect(fresh({ filter: ['a:eq:1', 'b:eq:1'] }).filters).toHaveLength(2);
  });

  it.each([
    [
      { filterable: 'status' },
      /^`filterable` of a query config is not an array\. Write filterable: /,
    ],
    [{ columns: null }, /^`columns` of a query config is not an object\./],
    [{ columns: {}, sortable: 'a' }, /^`sortable` of a query config is not an object\./],
  ])('is refused when it is compiled: %j', (config, message) => {
    expect(() => compileQuery(config as never)).toThrow(message);
  });

  it.each([
    [{ maxLimit: 0 }, 'The query option `maxLimit` is 0, but must be a whole number from 1 to'],
    [{ defaultLimit: 1.5 }, 'The query option `defaultLimit` is 1.5, but must be'],
    [
      { limits: { maxOffset: 2 ** 31 } },
      'The query option `limits.maxOffset` is 2147483648, but must be',
    ],
    [
      { operators: ['like'] },
      "The query option `operators[0]` is \"like\", but must be 'nin', 'isnull', 'ieq' or 'has'.",
    ],
  ])('refuses the options %j', (options, message) => {
    expect(() => compileQuery(CONFIG, options as never)).toThrow(message);
  });
});
