import { describe, expect, it } from '@jest/globals';
import { buildQueryString } from '../build/query-params.js';
import { UnbuildableQueryError } from '../query.errors.js';
import { fromTanStackTable, type TanStackTableOptions } from './tanstack-table.js';

const operators = {
  title: 'contains',
  status: 'in',
  due: 'between',
  done: 'isnull',
  priority: 'nin',
  id: 'eq',
} as const;

/** The decoded parameters of column filters. */
function sentFor(filters: Record<string, unknown>, options: TanStackTableOptions = { operators }) {
  const columnFilters = Object.entries(filters).map(([id, value]) => ({ id, value }));
  return [...new URLSearchParams(buildQueryString(fromTanStackTable({ columnFilters }, options)))];
}

describe('fromTanStackTable', () => {
  it('writes sorting, filters, the global filter, and the page from 1', () => {
    const query = fromTanStackTable(
      {
        sorting: [
          { id: 'due', desc: true },
          { id: 'title', desc: false },
        ],
        columnFilters: [{ id: 'status', value: ['open', 'a,b'] }],
        globalFilter: 'tls & co',
        pagination: { pageIndex: 2, pageSize: 25 },
      },
      { operators },
    );
    expect(query.pagination).toEqual({ page: 3, limit: 25, offset: 50 });
    expect([...new URLSearchParams(buildQueryString(query))]).toEqual([
      ['filter', 'status:in:open,a\\,b'],
      ['sort', 'due:desc'],
      ['sort', 'title:asc'],
      ['page', '3'],
      ['limit', '25'],
      ['q', 'tls & co'],
    ]);
    expect(buildQueryString(fromTanStackTable({}))).toBe('');
  });

  it('gives way to a cursor', () => {
    const query = fromTanStackTable({ pagination: { pageIndex: 2, pageSize: 25 } });
    expect(buildQueryString({ ...query, after: 'W10.x' })).toBe('after=W10.x&limit=25');
  });

  it.each([
    [{ title: 'a:b' }, 'title:contains:a:b'],
    [{ title: 12 }, 'title:contains:12'],
    [{ status: 'open' }, 'status:in:open'],
    [{ priority: ['low', 'high'] }, 'priority:nin:low,high'],
    [{ due: [1, 5] }, 'due:between:1,5'],
    [{ due: [1, ''] }, 'due:gte:1'],
    [{ due: [1] }, 'due:gte:1'],
    [{ due: [undefined, 5] }, 'due:lte:5'],
    [{ due: [new Date(0), null] }, 'due:gte:1970-01-01T00:00:00.000Z'],
    [{ done: false }, 'done:isnull:false'],
    [{ id: 0 }, 'id:eq:0'],
    [{ id: false }, 'id:eq:false'],
  ])('asks the operator of the column: %j', (filters, text) => {
    expect(sentFor(filters)).toEqual([['filter', text]]);
  });

  it.each([[''], [null], [undefined], [[]], [['', undefined]], [[null, null]]])(
    'leaves out a cleared filter: %j',
    (value) => {
      expect(sentFor({ due: value, title: value, status: value })).toEqual([]);
      expect(fromTanStackTable({ globalFilter: value })).not.toHaveProperty('search');
    },
  );

  it.each([
    [{ owner: 'ada' }, /filter on "owner".*operators: \{ "owner": 'eq' \}/],
    [{ constructor: 'x' }, /filter on "constructor"/],
    [{ title: ['a', 'b'] }, /filter "contains" on "title".*to a string/],
    [{ title: { from: 1 } }, /filter "contains" on "title"/],
    [{ title: NaN }, /filter "contains" on "title"/],
    [{ title: new Date(NaN) }, /filter "contains" on "title"/],
    [{ status: ['open', ''] }, /filter "in" on "status".*The filter has no value/],
    [{ due: 5 }, /filter "between" on "due".*two bounds/],
    [{ due: [1, 2, 3] }, /filter "between" on "due".*two bounds/],
    [{ done: 'yes' }, /filter "isnull" on "done".*true or false/],
  ])('refuses what it cannot write, by column and operator: %j', (filters, message) => {
    expect(() => sentFor(filters)).toThrow(UnbuildableQueryError);
    expect(() => sentFor(filters)).toThrow(message);
  });

  it('requests all rows by maxLimit only', () => {
    const state = { pagination: { pageIndex: 0, pageSize: Infinity } };
    expect(() => fromTanStackTable(state)).toThrow(/page size is Infinity.*maxLimit/);
    expect(fromTanStackTable(state, { maxLimit: 100 }).pagination).toEqual({
      page: 1,
      limit: 100,
      offset: 0,
    });
  });

  it.each([
    [{ pageIndex: -1, pageSize: 10 }, /page index of -1/],
    [{ pageIndex: 0.5, pageSize: 10 }, /page index of 0.5/],
    [{ pageIndex: 0, pageSize: 0 }, /page size of 0/],
    [{ pageIndex: 0, pageSize: NaN }, /page size of NaN/],
  ])('refuses a page that is none: %j', (pagination, message) => {
    expect(() => fromTanStackTable({ pagination })).toThrow(message);
  });

  it('refuses a global filter that is no text', () => {
    expect(() => fromTanStackTable({ globalFilter: { text: 'a' } })).toThrow(/global filter/);
  });
});
