// TanStack Table filters, sorts and cuts rows itself, or leaves that to a server. Both have to show the same rows.
import { paginate, parseQuery } from '@fledge/query';
import { buildQueryString, fromTanStackTable } from '@fledge/query/client';
import { memoryAdapter } from '@fledge/query/memory';
import { expect, it } from '@jest/globals';
import {
  columnFilteringFeature,
  constructTable,
  createColumnHelper,
  createFilteredRowModel,
  createPaginatedRowModel,
  createSortedRowModel,
  filterFn_arrHas,
  filterFn_betweenInclusive,
  filterFn_includesString,
  rowPaginationFeature,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
} from '@tanstack/table-core';
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings';
import fc from 'fast-check';

interface Task {
  readonly id: number;
  readonly title: string;
  readonly status: string;
}

const TITLES = ['Renew, the "TLS" (shop)', 'renew 100%', 'a_b', 'A:B', 'x\\y', 'plain'];
const STATUSES = ['open', 'in, progress', 'do\\ne', ' held '];
const rows: Task[] = Array.from({ length: 40 }, (_, i) => ({
  id: (i * 17) % 40,
  title: TITLES[i % TITLES.length] as string,
  status: STATUSES[i % STATUSES.length] as string,
}));

const TASKS = {
  columns: { id: 'integer', title: 'string', status: 'string' },
  primaryKey: 'id',
} as const;

const features = tableFeatures({
  coreReactivityFeature: storeReactivityBindings(),
  columnFilteringFeature,
  rowPaginationFeature,
  rowSortingFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
});
const helper = createColumnHelper<typeof features, Task>();
const columns = helper.columns([
  helper.accessor('id', { filterFn: filterFn_betweenInclusive, sortFn: sortFn_basic }),
  helper.accessor('title', { filterFn: filterFn_includesString }),
  helper.accessor('status', { filterFn: filterFn_arrHas }),
]);

const bound = fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined });
const states = fc.record({
  columnFilters: fc
    .record(
      {
        id: fc
          .tuple(bound, bound)
          .map(([a, b]) => (a !== undefined && b !== undefined && a > b ? [b, a] : [a, b])),
        title: fc.constantFrom('RENEW', '%', '_', ':b', '\\', '"', 'a', '', ', the'),
        status: fc.subarray(STATUSES),
      },
      { requiredKeys: [] },
    )
    .map((filters) => Object.entries(filters).map(([id, value]) => ({ id, value }))),
  sorting: fc.boolean().map((desc) => [{ id: 'id', desc }]),
  pagination: fc.record({
    pageIndex: fc.nat({ max: 4 }),
    pageSize: fc.constantFrom(5, 10, 20),
  }),
});

it('a server shows the rows that the table shows', () => {
  let shown = 0;
  fc.assert(
    fc.property(states, (state) => {
      const { columnFilters, ...initialState } = state;
      const table = constructTable({ features, columns, data: rows, initialState });
      // Unlike initialState, it removes filters that were cleared.
      table.setColumnFilters(columnFilters);
      const expected = table.getRowModel().rows.map((row) => row.original.id);
      shown += expected.length;

      const query = buildQueryString(
        fromTanStackTable(table.store.state, {
          operators: { id: 'between', title: 'contains', status: 'in' },
        }),
      );
      const parsed = parseQuery(decoded(query), TASKS, { onInvalid: 'throw' });
      const page = paginate({ ...memoryAdapter.build(parsed, TASKS).apply(rows), parsed });
      expect(page.data.map(({ id }) => id)).toEqual(expected);
      expect(page.meta.total).toBe(table.getFilteredRowModel().rows.length);
    }),
    { numRuns: 300 },
  );
  expect(shown).toBeGreaterThan(300);
});

/** As a server decodes it. */
function decoded(query: string): Record<string, string[]> {
  const sent = new URLSearchParams(query);
  return Object.fromEntries([...new Set(sent.keys())].map((name) => [name, sent.getAll(name)]));
}
