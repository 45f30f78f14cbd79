import { describe, expect, it } from '@jest/globals';
import { parseQuery } from '../parse/parse-query.js';
import type { DeclaredQueryConfig } from '../resolve/declared-columns.js';
import { memoryAdapter } from './memory.adapter.js';

const CONFIG = {
  columns: {
    id: { type: 'integer', nullable: false },
    title: 'string',
    rank: 'integer',
    price: 'decimal',
    big: 'bigint',
    done: 'boolean',
    at: 'timestamp',
    day: 'date',
    owner: { type: 'string', name: 'owner.name' },
  },
  searchColumns: ['title', 'owner'],
  primaryKey: 'id',
} as const satisfies DeclaredQueryConfig;

const ROWS = [
  { id: 1, title: '100% done', rank: 2, price: '9.50', big: 9007199254740993n, done: true },
  { id: 2, title: '100x done', rank: 10, price: '10', big: '9007199254740992', done: 0 },
  { id: 3, title: 'Ab_c\\', rank: null, price: '-1', big: 5, at: new Date('2026-01-31T00:00:00Z') },
  {
    id: 4,
    title: 'abxc',
    at: '2026-02-01T00:00:00Z',
    day: new Date('2026-02-01'),
    owner: { name: 'Ada' },
  },
  { id: 5, title: null, rank: 2, price: '9.5', owner: Object.create({ name: 'Ada' }) as object },
];

/** The ids of the matching rows, in order. */
function idsOf(text: string, rows: readonly { id: number }[] = ROWS): number[] {
  const search = new URLSearchParams(text);
  const query = {
    ...Object.fromEntries(search),
    filter: search.getAll('filter'),
    sort: search.getAll('sort'),
  };
  const parsed = parseQuery(query, CONFIG, { operators: ['nin', 'isnull'] });
  return memoryAdapter
    .build(parsed, CONFIG)
    .apply(rows)
    .data.map(({ id }) => id);
}

describe('memoryAdapter', () => {
  it.each([
    ['', [1, 2, 3, 4, 5]],
    ['filter=title:eq:abxc', [4]],
    ['filter=title:eq:ABXC', []],
    ['filter=title:contains:100%25', [1]],
    ['filter=title:contains:_', [3]],
    ['filter=title:starts:AB', [3, 4]],
    ['filter=title:ends:\\', [3]],
    ['filter=title:contains:DONE', [1, 2]],
    ['filter=rank:neq:2', [2]],
    ['filter=rank:gt:2', [2]],
    ['filter=rank:gte:2', [1, 2, 5]],
    ['filter=rank:lt:10', [1, 5]],
    ['filter=rank:lte:2', [1, 5]],
    ['filter=rank:in:2,3', [1, 5]],
    ['filter=rank:in:,', []],
    ['filter=rank:nin:2', [2]],
    ['filter=rank:nin:,', [1, 2, 5]],
    ['filter=rank:isnull:true', [3, 4]],
    ['filter=rank:isnull:false', [1, 2, 5]],
    ['filter=rank:between:2,10', [1, 2, 5]],
    ['filter=rank:between:10,2', []],
    ['filter=price:eq:9.50', [1, 5]],
    ['filter=price:lt:0', [3]],
    ['filter=price:gt:9.5', [2]],
    ['filter=big:eq:9007199254740993', [1]],
    ['filter=big:lt:9007199254740993', [2, 3]],
    ['filter=done:eq:false', [2]],
    ['filter=at:gte:2026-02-01', [4]],
    ['filter=at:eq:2026-01-31', [3]],
    ['filter=day:eq:2026-02-01', [4]],
    ['filter=owner:eq:Ada', [4]],
    ['filter=owner:isnull:true', [1, 2, 3, 5]],
    ['filter=rank:eq:2&filter=title:isnull:true', [5]],
    ['q=ADA', [4]],
    ['q=%25', [1]],
    ['q=done&filter=rank:eq:10', [2]],
    ['sort=rank:asc', [1, 5, 2, 3, 4]],
    ['sort=rank:desc', [2, 1, 5, 3, 4]],
    ['sort=price:asc', [3, 1, 5, 2, 4]],
    ['sort=rank:desc&sort=id:desc', [2, 5, 1, 4, 3]],
    ['sort=title:desc&limit=2&page=2', [2, 1]],
    ['page=9', []],
  ])('%s', (text, ids) => {
    expect(idsOf(text)).toEqual(ids);
  });

  it('counts all matching rows, and does not change the rows', () => {
    const rows = Object.freeze(ROWS.toReversed());
    const parsed = parseQuery({ filter: 'rank:gte:2', limit: '1', sort: 'id:asc' }, CONFIG);
    const query = memoryAdapter.build(parsed, CONFIG);
    expect(query.apply(rows)).toEqual({ data: [ROWS[0]], total: 3 });
    expect(rows.filter((row) => query.predicate(row))).toHaveLength(3);
    expect(rows.toSorted((a, b) => query.comparator(a, b))[0]).toBe(ROWS[0]);
  });

  it.each([
    ['owner:asc', [4, 1, 2, 3, 5]],
    ['owner.name:desc', [4, 1, 2, 3, 5]],
    ['rank:asc', [1, 5, 2, 3, 4]],
  ])('pages by cursor through nested and missing properties: %s', (sort, ids) => {
    const config = { ...CONFIG, sortable: { ...CONFIG.columns, 'owner.name': 'string' } } as const;
    const found: number[] = [];
    let after: string | undefined;
    do {
      const parsed = parseQuery({ sort, limit: '1' }, config);
      const secret = 'of tests alone, and long enough';
      const page = memoryAdapter.buildKeyset(parsed, config, { secret, after });
      const [row] = page.apply(ROWS);
      after = row && page.cursorOf(row);
      if (row) found.push(row.id);
    } while (after !== undefined && found.length < 9);
    expect(found).toEqual(ids);
  });

  it('reads the cursor from the query, and fetches one more row', () => {
    const secret = 'of tests alone, and long enough';
    const pageOf = (wire: object, options?: { after?: string; lookAhead?: boolean }) => {
      const parsed = parseQuery({ limit: '2', ...wire }, CONFIG, { cursors: true });
      const page = memoryAdapter.buildKeyset(parsed, CONFIG, { secret, ...options });
      return { page, ids: page.apply(ROWS).map(({ id }) => id) };
    };
    const first = pageOf({});
    expect(first.ids).toEqual([1, 2, 3]);
    const after = first.page.cursorOf(ROWS.find(({ id }) => id === 2)!);
    expect(pageOf({ after }).ids).toEqual([3, 4, 5]);
    expect(pageOf({ after }, { lookAhead: false }).ids).toEqual([3, 4]);
    const before = first.page.cursorOf(ROWS.find(({ id }) => id === 4)!);
    expect(pageOf({ before }).ids).toEqual([3, 2, 1]);
    // The option replaces the cursor of the query.
    expect(pageOf({ before }, { after }).ids).toEqual([3, 4, 5]);
  });

  it('sorts a thousand rows the same on each run', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({ id: 1000 - i, rank: i % 2 }));
    expect(idsOf('sort=rank:asc&limit=3', rows)).toEqual([2, 4, 6]);
  });
});
