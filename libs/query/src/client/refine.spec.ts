import { describe, expect, it } from '@jest/globals';
import { buildQueryString } from '../build/query-params.js';
import { UnbuildableQueryError } from '../query.errors.js';
import { fromRefine, type RefineFilter, type RefineListParams } from './refine.js';

/** The decoded conditions, without the page. */
function sentFor(...filters: RefineFilter[]): [string, string][] {
  const sent = new URLSearchParams(buildQueryString(fromRefine({ filters })));
  return [...sent].filter(([name]) => name === 'filter' || name === 'where');
}

function on(field: string, operator: string, value?: unknown): RefineFilter {
  return { field, operator, value };
}

describe('fromRefine', () => {
  it('writes page, sorters and filters', () => {
    const params: RefineListParams = {
      pagination: { currentPage: 3, pageSize: 25, mode: 'server' },
      sorters: [
        { field: 'due', order: 'desc' },
        { field: 'title', order: 'asc' },
      ],
      filters: [on('status', 'eq', 'open'), on('title', 'contains', 'tls')],
    };
    expect([...new URLSearchParams(buildQueryString(fromRefine(params)))]).toEqual([
      ['filter', 'status:eq:open'],
      ['filter', 'title:contains:tls'],
      ['sort', 'due:desc'],
      ['sort', 'title:asc'],
      ['page', '3'],
      ['limit', '25'],
    ]);
  });

  it('has the defaults of Refine for the page', () => {
    expect(fromRefine({}).pagination).toEqual({ page: 1, limit: 10, offset: 0 });
    expect(fromRefine({ pagination: { currentPage: 2 } }).pagination?.offset).toBe(10);
    expect(() => fromRefine({ pagination: { currentPage: 0 } })).toThrow(/page index of -1/);
  });

  it.each(['off', 'client'] as const)('requests all rows in mode %s by maxLimit only', (mode) => {
    const params = { pagination: { currentPage: 4, pageSize: 10, mode } };
    expect(() => fromRefine(params)).toThrow(/pagination mode is "(off|client)".*maxLimit/);
    expect(fromRefine(params, { maxLimit: 100 }).pagination).toEqual({
      page: 1,
      limit: 100,
      offset: 0,
    });
  });

  it.each([
    ['eq', 1, 'a:eq:1'],
    ['eqs', 'x', 'a:eq:x'],
    ['ne', 1, 'a:neq:1'],
    ['nes', 'x', 'a:neq:x'],
    ['lt', 1, 'a:lt:1'],
    ['lte', 1, 'a:lte:1'],
    ['gt', 1, 'a:gt:1'],
    ['gte', new Date(0), 'a:gte:1970-01-01T00:00:00.000Z'],
    ['in', ['x,y', 'z'], 'a:in:x\\,y,z'],
    ['in', [], 'a:in:,'],
    ['between', [1, 2], 'a:between:1,2'],
    ['contains', 'x', 'a:contains:x'],
    ['startswith', 'x', 'a:starts:x'],
    ['endswith', 'x', 'a:ends:x'],
    ['null', undefined, 'a:isnull:true'],
    ['nnull', undefined, 'a:isnull:false'],
  ])('%s with %j is the filter %s', (operator, value, text) => {
    expect(sentFor(on('a', operator, value))).toEqual([['filter', text]]);
  });

  it.each([
    ['nin', ['x', 'y'], 'not(a:in:"x,y")'],
    ['nbetween', [1, 2], 'not(a:between:"1,2")'],
    ['ncontains', 'x (y)', 'not(a:contains:"x (y)")'],
    ['nstartswith', 'x', 'not(a:starts:x)'],
    ['nendswith', 'x', 'not(a:ends:x)'],
  ])('%s with %j is the condition %s', (operator, value, text) => {
    expect(sentFor(on('a', operator, value))).toEqual([['where', text]]);
  });

  it('keeps groups, and writes what all have to meet as filters', () => {
    expect(
      sentFor(
        on('a', 'eq', 1),
        { operator: 'and', value: [on('b', 'eq', 2), on('c', 'nin', ['x'])] },
        {
          operator: 'or',
          value: [
            on('d', 'eq', 'say "hi", (you)'),
            { operator: 'and', value: [on('e', 'gt', 3), on('f', 'null')] },
          ],
        },
      ),
    ).toEqual([
      ['filter', 'a:eq:1'],
      ['filter', 'b:eq:2'],
      ['where', 'not(c:in:x)'],
      ['where', 'or(d:eq:"say \\"hi\\", (you)",and(e:gt:3,f:isnull:true))'],
    ]);
  });

  it('ignores case in the fields of ignoreCase', () => {
    const filters = ['eq', 'ne', 'eqs'].map((operator) => on('a', operator, 'x'));
    const { filters: items, where } = fromRefine({ filters }, { ignoreCase: ['a'] });
    const ieq = { field: 'a', operator: 'ieq', value: 'x' };
    expect(items).toEqual([ieq, { ...ieq, operator: 'eq' }]);
    expect(where).toEqual({ not: ieq });
  });

  it.each([
    ['ina', ['x'], /filter "ina" on "a".*array columns/],
    ['nina', ['x'], /filter "nina" on "a".*array columns/],
    ['containss', 'x', /filter "containss" on "a".*ignores case/],
    ['ncontainss', 'x', /ignores case/],
    ['startswiths', 'x', /ignores case/],
    ['nstartswiths', 'x', /ignores case/],
    ['endswiths', 'x', /ignores case/],
    ['nendswiths', 'x', /ignores case/],
    ['like', 'x', /filter "like" on "a".*operators of Refine/],
    ['eq', undefined, /filter "eq" on "a".*The filter has no value/],
    ['eq', null, /The filter has no value/],
    ['eq', '', /The filter has no value/],
    ['eq', { $ne: 1 }, /to a string/],
    ['in', 'x', /filter "in" on "a".*an array/],
    ['nin', [undefined], /filter "nin" on "a".*The filter has no value/],
    ['between', [1], /two bounds/],
  ])('refuses %s with %j, by field and operator', (operator, value, message) => {
    expect(() => sentFor(on('a', operator, value))).toThrow(UnbuildableQueryError);
    expect(() => sentFor(on('a', operator, value))).toThrow(message);
  });

  it('refuses an empty group', () => {
    expect(() => sentFor({ operator: 'or', value: [] })).toThrow(/group or\(\).*at least one/);
  });
});
