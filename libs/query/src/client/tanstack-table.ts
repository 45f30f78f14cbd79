import type { FilterOperator, OptInOperator } from '../config/operators.js';
import type { PaginationParams } from '../parse/parsed-query.js';
import { UnbuildableQueryError } from '../query.errors.js';
import { type AnyNode, conditionAt, type Place, unbuildable } from './condition.js';
import { joinConditions, type ListQuery, pageAt, pageOfAllRows } from './list-query.js';

/**
 * The part of the state of TanStack Table 8 or 9 that a server needs. Pass `table.state`, or the
 * parts that your application controls.
 */
export interface TanStackTableState {
  readonly sorting?: readonly { readonly id: string; readonly desc: boolean }[] | undefined;
  readonly columnFilters?: readonly { readonly id: string; readonly value: unknown }[] | undefined;
  readonly globalFilter?: unknown;
  readonly pagination?: { readonly pageIndex: number; readonly pageSize: number } | undefined;
}

export interface TanStackTableOptions {
  /**
   * The operator of each column that has filters. The table state does not contain the operator.
   * For example, an array may mean `in` or `between`.
   * @default {}
   */
  readonly operators?: Readonly<Record<string, FilterOperator | OptInOperator>>;
  /**
   * Page size if the page size of the table is `Infinity`.
   * @default undefined: the page size `Infinity` throws
   */
  readonly maxLimit?: number;
}

/**
 * Returns the query of a table with `manualSorting`, `manualFiltering` and `manualPagination`.
 * Column ids are the names of fields. Cleared filters are omitted: their value is `undefined`,
 * `null`, `''`, or an array of only these values.
 *
 * @throws UnbuildableQueryError if a filtered column has no operator, if the values do not fit the
 * operator, or if the page is invalid
 * @example
 * ```ts
 * buildQueryString(fromTanStackTable(table.state, { operators: { title: 'contains', status: 'in', due: 'between' } }));
 * ```
 */
export function fromTanStackTable(
  state: TanStackTableState,
  options: TanStackTableOptions = {},
): ListQuery {
  const { sorting = [], columnFilters = [], globalFilter, pagination } = state;
  return {
    ...joinConditions(columnFilters.flatMap(({ id, value }) => conditionsOf(id, value, options))),
    sort: sorting.map(({ id, desc }) => ({ field: id, direction: desc ? 'desc' : 'asc' })),
    ...(pagination !== undefined && { pagination: pageOf(pagination, options) }),
    ...(!isCleared(globalFilter) && { search: searchOf(globalFilter) }),
  };
}

function conditionsOf(
  column: string,
  value: unknown,
  { operators = {} }: TanStackTableOptions,
): AnyNode[] {
  if (isCleared(value)) return [];
  const operator = Object.hasOwn(operators, column) ? operators[column] : undefined;
  if (operator === undefined) {
    throw new UnbuildableQueryError(
      `filter on "${column}" without an operator`,
      `Set the operator of the column: operators: { ${JSON.stringify(column)}: 'eq' }.`,
    );
  }
  const place = { column, operator };
  if (operator === 'between') return rangeOf(place, value);
  const isList = operator === 'in' || operator === 'nin';
  return [conditionAt(place, operator, isList && !Array.isArray(value) ? [value] : value)];
}

/** One bound may be missing. */
function rangeOf(place: Place, value: unknown): AnyNode[] {
  if (!Array.isArray(value) || value.length > 2) {
    throw unbuildable(place, 'Set its value to an array of two bounds.');
  }
  const [from, to] = value as unknown[];
  if (isCleared(to)) return [conditionAt(place, 'gte', from)];
  if (isCleared(from)) return [conditionAt(place, 'lte', to)];
  return [conditionAt(place, 'between', [from, to])];
}

/** Returns true if a filter control is empty. TanStack Table also removes such filters. */
function isCleared(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isCleared);
  return value === undefined || value === null || value === '';
}

function pageOf(
  { pageIndex, pageSize }: NonNullable<TanStackTableState['pagination']>,
  { maxLimit }: TanStackTableOptions,
): PaginationParams {
  if (pageSize === Infinity) return pageOfAllRows('the page size is Infinity', maxLimit);
  return pageAt(pageIndex, pageSize);
}

function searchOf(text: unknown): string {
  if (typeof text === 'string' || typeof text === 'number') return String(text);
  throw new UnbuildableQueryError('global filter', 'Set it to a string or a number.');
}
