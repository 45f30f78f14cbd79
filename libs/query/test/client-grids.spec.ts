// What Refine and AG Grid ask for, as a server with the options of docs/client.md answers it.
import { parseQuery } from '@fledge/query';
import { buildQueryString, fromAgGrid, fromRefine, type ListQuery } from '@fledge/query/client';
import { memoryAdapter } from '@fledge/query/memory';
import { expect, it } from '@jest/globals';

const TASKS = {
  columns: { id: 'integer', title: 'string', price: 'integer', due: 'date', at: 'timestamp' },
  primaryKey: 'id',
} as const;

const local = (text: string) => new Date(text);
const rows = [
  { id: 1, title: 'Say "hi", (you)', price: 5, due: '2026-01-31', at: local('2026-01-31T00:00') },
  { id: 2, title: 'say, more', price: 10, due: '2026-02-01', at: local('2026-01-31T23:59') },
  { id: 3, title: 'A:B', price: null, due: null, at: null },
  { id: 4, title: null, price: 20, due: '2026-03-01', at: local('2026-02-01T00:00') },
  { id: 5, title: 'plain', price: 10, due: '2026-02-01', at: local('2026-02-01T00:01') },
];

/** The rows of a query, as a server decodes and reads it. */
function idsOf(query: ListQuery): number[] {
  const sent = new URLSearchParams(buildQueryString(query));
  const names = [...new Set(sent.keys())];
  const decoded = Object.fromEntries(names.map((name) => [name, sent.getAll(name)]));
  const parsed = parseQuery(decoded, TASKS, {
    onInvalid: 'throw',
    operators: ['isnull'],
    where: true,
  });
  return memoryAdapter
    .build(parsed, TASKS)
    .apply(rows)
    .data.map(({ id }) => id);
}

const of = (field: string, operator: string, value?: unknown) => ({ field, operator, value });

it.each([
  [[of('title', 'contains', 'say "hi", (')], [1]],
  [[of('title', 'ncontains', 'SAY')], [3, 5]],
  [[of('title', 'nin', ['plain', 'say, more'])], [1, 3]],
  [[of('price', 'nbetween', [10, 15])], [1, 4]],
  [[of('title', 'null')], [4]],
  [
    [{ operator: 'or' as const, value: [of('title', 'eq', 'A:B'), of('price', 'gte', 20)] }],
    [3, 4],
  ],
  [
    [
      of('price', 'nnull'),
      {
        operator: 'or' as const,
        value: [
          {
            operator: 'and' as const,
            value: [of('price', 'eq', 10), of('title', 'nstartswith', 'say')],
          },
          of('title', 'endswith', '(you)'),
        ],
      },
    ],
    [1, 5],
  ],
])('of Refine: %j', (filters, ids) => {
  expect(idsOf(fromRefine({ filters }))).toEqual(ids);
});

const text = (type: string, filter?: string) => ({ filterType: 'text', type, filter });
const number = (type: string, filter: number, filterTo?: number) => ({
  filterType: 'number',
  type,
  filter,
  filterTo,
});
const date = (type: string, dateFrom: string, dateTo?: string) => ({
  filterType: 'date',
  type,
  dateFrom,
  dateTo,
});

it.each<[object, number[]]>([
  [{ title: text('notContains', 'say, ') }, [1, 3, 5]],
  [{ price: number('inRange', 5, 20) }, [2, 5]],
  [{ due: date('inRange', '2026-01-31 00:00:00', '2026-03-01 00:00:00') }, [2, 5]],
  [{ at: date('lessThan', '2026-02-01 00:00:00') }, [1, 2]],
  [{ at: date('equals', '2026-02-01 00:00:00') }, [4]],
  [{ title: { filterType: 'set', values: ['Say "hi", (you)', null] } }, [1, 4]],
  [
    {
      price: {
        filterType: 'number',
        operator: 'OR',
        conditions: [number('lessThan', 6), number('inRange', 9, 11)],
      },
      due: date('greaterThan', '2026-01-31'),
    },
    [2, 5],
  ],
  [
    {
      filterType: 'join',
      type: 'OR',
      conditions: [
        { ...text('endsWith', ':b'), colId: 'title' },
        { filterType: 'set', type: 'isNoneOf', colId: 'title', values: ['plain', 'A:B', null] },
      ],
    },
    [1, 2, 3],
  ],
])('of AG Grid: %j', (filterModel, ids) => {
  const request = { startRow: 0, endRow: 100, filterModel };
  expect(idsOf(fromAgGrid(request, { columns: { at: { timestamp: true } } }))).toEqual(ids);
});

it('of the second block, sorted', () => {
  const sortModel = [{ colId: 'price', sort: 'desc' as const }];
  expect(idsOf(fromAgGrid({ startRow: 2, endRow: 4, sortModel }))).toEqual([5, 1]);
});
