import { readableQuery } from './tool-request.js';

/** A condition of the builder: `status:in:open,done`. */
export interface FilterRow {
  readonly column: string;
  readonly operator: string;
  readonly value: string;
}

export interface SortRow {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/** The current input of the query builder. Empty strings are not sent. */
export interface QueryDraft {
  readonly filters: readonly FilterRow[];
  readonly sorts: readonly SortRow[];
  readonly search: string;
  readonly page: string;
  readonly limit: string;
}

export const EMPTY_DRAFT: QueryDraft = { filters: [], sorts: [], search: '', page: '', limit: '' };

/** Returns the query parameters in order, as pairs of name and value. */
export function queryParts(draft: QueryDraft): readonly (readonly [name: string, value: string])[] {
  const { filters, sorts, search, page, limit } = draft;
  return [
    ...filters.map((row) => ['filter', `${row.column}:${row.operator}:${row.value}`] as const),
    ...sorts.map((row) => ['sort', `${row.column}:${row.direction}`] as const),
    ...(search === '' ? [] : [['q', search] as const]),
    ...(page === '' ? [] : [['page', page] as const]),
    ...(limit === '' ? [] : [['limit', limit] as const]),
  ];
}

/** Returns the query string without a question mark. */
export function queryText(draft: QueryDraft): string {
  return readableQuery(
    new URLSearchParams(queryParts(draft).map(([name, value]) => [name, value])),
  );
}

/** Returns the same query as arguments of the route's tool. */
export function queryArguments(draft: QueryDraft): Readonly<Record<string, unknown>> {
  const { filters, sorts, search, page, limit } = draft;
  return {
    ...(filters.length > 0 && {
      filter: filters.map(({ column, operator, value }) => `${column}:${operator}:${value}`),
    }),
    ...(sorts.length > 0 && { sort: sorts.map((row) => `${row.column}:${row.direction}`) }),
    ...(search !== '' && { q: search }),
    ...(page !== '' && { page: Number(page) }),
    ...(limit !== '' && { limit: Number(limit) }),
  };
}

/** Returns the names of a path's parameters: `team` for `/teams/:team/tasks`. */
export function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => name);
}

/** Fills in the parameters of a path. A parameter without a value stays unchanged. */
export function filledPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/[:*](\w+)/g, (written: string, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : written,
  );
}
