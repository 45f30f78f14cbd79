import { describe, expect, it } from '@jest/globals';
import { buildQueryString } from '../build/query-params.js';
import { UnbuildableQueryError } from '../query.errors.js';
import { type AgGridOptions, type AgGridRequest, fromAgGrid } from './ag-grid.js';

const columns = {
  code: { caseSensitive: true },
  price: { inRangeInclusive: true },
  created: { timestamp: true },
};

/** The decoded conditions, without the page. */
function sentFor(filterModel: object, options: AgGridOptions = { columns }): [string, string][] {
  const query = fromAgGrid({ startRow: 0, endRow: 10, filterModel }, options);
  const sent = new URLSearchParams(buildQueryString(query));
  return [...sent].filter(([name]) => name === 'filter' || name === 'where');
}

const text = (type: string, filter?: unknown) => ({ filterType: 'text', type, filter });
const number = (type: string, filter?: unknown, filterTo?: unknown) => ({
  filterType: 'number',
  type,
  filter,
  filterTo,
});
const date = (type: string, dateFrom?: string, dateTo?: string) => ({
  filterType: 'date',
  type,
  dateFrom,
  dateTo,
});

describe('fromAgGrid', () => {
  it('writes blocks as pages, sorts and filters', () => {
    const request: AgGridRequest = {
      startRow: 200,
      endRow: 300,
      sortModel: [
        { colId: 'price', sort: 'desc' },
        { colId: 'id', sort: 'asc', type: 'default' },
      ],
      filterModel: { title: text('contains', 'tls'), price: number('greaterThan', 5) },
      rowGroupCols: [],
      groupKeys: [],
      pivotMode: false,
    };
    expect([...new URLSearchParams(buildQueryString(fromAgGrid(request)))]).toEqual([
      ['filter', 'title:contains:tls'],
      ['filter', 'price:gt:5'],
      ['sort', 'price:desc'],
      ['sort', 'id:asc'],
      ['page', '3'],
      ['limit', '100'],
    ]);
    expect(fromAgGrid({ startRow: 0, endRow: 50, filterModel: null }).filters).toEqual([]);
  });

  it('refuses a block that is no page', () => {
    const block = (startRow: number, endRow: number) => () => fromAgGrid({ startRow, endRow });
    expect(block(50, 150)).toThrow(/rows 50 to 150.*multiple/);
    expect(block(5, 5)).toThrow(/rows 5 to 5/);
    expect(block(10, 5)).toThrow(/page size of -5/);
  });

  it('requests all rows by maxLimit only', () => {
    const request = { startRow: undefined, endRow: undefined };
    expect(() => fromAgGrid(request)).toThrow(/all rows.*maxLimit/);
    expect(fromAgGrid(request, { maxLimit: 100 }).pagination?.limit).toBe(100);
  });

  it.each<[AgGridRequest]>([
    [{ rowGroupCols: [{ id: 'status' }] }],
    [{ groupKeys: ['open'] }],
    [{ pivotMode: true }],
  ])('refuses groups and pivots: %j', (request) => {
    expect(() => fromAgGrid({ startRow: 0, endRow: 10, ...request })).toThrow(/row groups/);
  });

  it('refuses to sort by absolute value', () => {
    const sortModel = [{ colId: 'a', sort: 'asc' as const, type: 'absolute' }];
    expect(() => fromAgGrid({ endRow: 10, sortModel })).toThrow(/sort of type "absolute" on "a"/);
  });

  it.each([
    ['code', text('equals', 'A-1'), 'code:eq:A-1'],
    ['code', text('notEqual', 'A-1'), 'code:neq:A-1'],
    ['title', text('equals', 'A-1'), 'title:ieq:A-1'],
    ['title', text('startsWith', 'a'), 'title:starts:a'],
    ['title', text('endsWith', 'a'), 'title:ends:a'],
    ['title', text('blank'), 'title:isnull:true'],
    ['title', text('notBlank'), 'title:isnull:false'],
    ['n', number('equals', 0), 'n:eq:0'],
    ['n', number('notEqual', 1), 'n:neq:1'],
    ['n', number('lessThan', 1), 'n:lt:1'],
    ['n', number('lessThanOrEqual', 1), 'n:lte:1'],
    ['n', number('greaterThanOrEqual', 1), 'n:gte:1'],
    [
      'n',
      { filterType: 'bigint', type: 'equals', filter: '9007199254740993' },
      'n:eq:9007199254740993',
    ],
    ['price', number('inRange', 1, 5), 'price:between:1,5'],
    ['due', date('equals', '2026-01-31 00:00:00'), 'due:eq:2026-01-31'],
    ['due', date('lessThan', '2026-01-31'), 'due:lt:2026-01-31'],
    ['status', { filterType: 'set', values: ['open', 'a,b'] }, 'status:in:open,a\\,b'],
    ['status', { filterType: 'set', values: [] }, 'status:in:,'],
    ['status', { filterType: 'set', values: [null] }, 'status:isnull:true'],
    [
      'title',
      { filterType: 'multi', filterModels: [null, text('contains', 'a')] },
      'title:contains:a',
    ],
  ])('%s %j is the filter %s', (id, model, expected) => {
    expect(sentFor({ [id]: model })).toEqual([['filter', expected]]);
  });

  it.each([
    ['title', text('notEqual', 'a'), 'not(title:ieq:a)'],
    ['title', text('notContains', 'a, b'), 'not(title:contains:"a, b")'],
    ['status', { filterType: 'set', values: ['a', null] }, 'or(status:isnull:true,status:in:a)'],
    [
      'n',
      {
        filterType: 'number',
        operator: 'OR',
        conditions: [number('lessThan', 1), number('inRange', 5, 9)],
      },
      'or(n:lt:1,and(n:gt:5,n:lt:9))',
    ],
  ])('%s %j is the condition %s', (id, model, expected) => {
    expect(sentFor({ [id]: model })).toEqual([['where', expected]]);
  });

  it('leaves out the bounds of inRange unless the column includes them', () => {
    expect(sentFor({ n: number('inRange', 1, 5) })).toEqual([
      ['filter', 'n:gt:1'],
      ['filter', 'n:lt:5'],
    ]);
    expect(sentFor({ due: date('inRange', '2026-01-01 00:00:00', '2026-02-01 00:00:00') })).toEqual(
      [
        ['filter', 'due:gt:2026-01-01'],
        ['filter', 'due:lt:2026-02-01'],
      ],
    );
  });

  it('sends points in time in UTC, from local time', () => {
    const local = new Date(2026, 0, 31, 10, 30).toISOString();
    const midnight = new Date(2026, 0, 31).toISOString();
    const dateTime = {
      filterType: 'dateTime',
      type: 'lessThan',
      colId: 'at',
      filter: '2026-01-31T10:30:00',
    };
    expect(sentFor({ created: date('greaterThan', '2026-01-31 10:30:00') })).toEqual([
      ['filter', `created:gt:${local}`],
    ]);
    expect(sentFor({ created: date('greaterThan', '2026-01-31') })).toEqual([
      ['filter', `created:gt:${midnight}`],
    ]);
    expect(sentFor(dateTime)).toEqual([['filter', `at:lt:${local}`]]);
  });

  it('writes the Advanced Filter, whose columns may be named as its own words', () => {
    const of = (colId: string, model: object) => ({ ...model, colId });
    expect(
      sentFor({
        filterType: 'join',
        type: 'AND',
        conditions: [
          of('title', text('contains', 'a')),
          of('done', { filterType: 'boolean', type: 'true' }),
          of('due', { filterType: 'dateString', type: 'equals', filter: '2026-01-31' }),
          {
            filterType: 'join',
            type: 'OR',
            conditions: [
              of('n', number('inRange', 1, 2)),
              of('status', { filterType: 'set', type: 'isNoneOf', values: ['open', null] }),
            ],
          },
        ],
      }),
    ).toEqual([
      ['filter', 'title:contains:a'],
      ['filter', 'done:eq:true'],
      ['filter', 'due:eq:2026-01-31'],
      ['where', 'or(and(n:gt:1,n:lt:2),not(or(status:isnull:true,status:in:open)))'],
    ]);
    expect(sentFor({ filterType: text('contains', 'a') })).toEqual([
      ['filter', 'filterType:contains:a'],
    ]);
  });

  it.each<[string, object, RegExp]>([
    ['title', text('equals'), /filter "equals" on "title".*The filter has no value/],
    ['code', text('contains', 'a'), /filter "contains" on "code".*ignores case/],
    ['title', text('contains'), /filter "contains" on "title".*The filter has no value/],
    ['title', text('contains', ''), /The filter has no value/],
    ['title', text('myOption', 'a'), /filter "myOption" on "title".*filterOptions/],
    ['title', text('empty'), /filter "empty" on "title"/],
    ['due', date('today'), /filter "today" on "due".*filterOptions/],
    ['due', date('equals', '31.01.2026'), /filter "equals" on "due".*2026-01-31/],
    ['due', date('equals', '2026-01-31 10:30:00'), /filter "equals" on "due".*timestamp/],
    ['due', date('inRange', '2026-01-31'), /filter "inRange" on "due".*The filter has no value/],
    ['n', number('inRange', 1), /filter "inRange" on "n".*The filter has no value/],
    ['n', number('constructor', 1), /filter "constructor" on "n"/],
    ['n', { filterType: 'set' }, /filter "set" on "n".*array/],
    ['n', { filterType: 'set', type: 'isSome', values: [] }, /isAnyOf or isNoneOf/],
    ['n', { filterType: 'mine', type: 'equals', filter: 1 }, /filter "equals" on "n"/],
    [
      'n',
      { filterType: 'number', operator: 'XOR', conditions: [] },
      /group with the operator "XOR"/,
    ],
    ['n', { filterType: 'number', operator: 'OR', conditions: [] }, /group or\(\)/],
    ['n', { filterType: 'multi', filterModels: [null] }, /group and\(\)/],
    ['n', { filterType: 'boolean', type: 'maybe' }, /filter "maybe" on "n"/],
  ])('refuses what it cannot write, by column and operator: %s %j', (id, model, message) => {
    expect(() => sentFor({ [id]: model })).toThrow(UnbuildableQueryError);
    expect(() => sentFor({ [id]: model })).toThrow(message);
  });

  it('refuses an advanced condition without a column', () => {
    expect(() => sentFor(text('contains', 'a'))).toThrow(/filter without colId/);
  });
});
