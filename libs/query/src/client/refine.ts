import { filter } from '../build/filter.js';
import type { FilterOperator } from '../config/operators.js';
import { type AnyNode, conditionAt, unbuildable } from './condition.js';
import { joinConditions, type ListQuery, pageAt, pageOfAllRows } from './list-query.js';

/** The arguments of `getList` of a Refine 5 data provider. */
export interface RefineListParams {
  readonly pagination?:
    | {
        readonly currentPage?: number | undefined;
        readonly pageSize?: number | undefined;
        readonly mode?: 'server' | 'client' | 'off' | undefined;
      }
    | undefined;
  readonly sorters?:
    | readonly { readonly field: string; readonly order: 'asc' | 'desc' }[]
    | undefined;
  readonly filters?: readonly RefineFilter[] | undefined;
}

/** A filter of Refine: a condition on a field, or a group. */
export type RefineFilter =
  | { readonly field: string; readonly operator: string; readonly value: unknown }
  | { readonly operator: 'or' | 'and'; readonly value: readonly RefineFilter[] };

export interface RefineOptions {
  /**
   * String fields for which the operators `eq` and `ne` ignore case. Both are sent as `ieq`. The
   * operators `eqs` and `nes` are always case-sensitive.
   * @default []
   */
  readonly ignoreCase?: readonly string[];
  /**
   * Page size if the pagination mode is `off` or `client`.
   * @default undefined: these modes throw
   */
  readonly maxLimit?: number;
}

/**
 * Returns the query of a Refine list. On the server, `or` and negated operators require the option
 * `where`. `null` and `nnull` require the operator `isnull`.
 *
 * @throws UnbuildableQueryError for unsupported operators (`containss`, `startswiths`, `endswiths`,
 * `ina` and their negations), filters without a value, and empty groups
 * @example
 * ```ts
 * buildQueryString(fromRefine({ pagination, sorters, filters }));
 * ```
 */
export function fromRefine(params: RefineListParams, options: RefineOptions = {}): ListQuery {
  const { pagination = {}, sorters = [], filters = [] } = params;
  // The defaults of Refine for the pagination.
  const { currentPage = 1, pageSize = 10, mode = 'server' } = pagination;
  return {
    ...joinConditions(filters.map((item) => nodeOf(item, options))),
    sort: sorters.map(({ field, order }) => ({ field, direction: order })),
    pagination:
      mode === 'server'
        ? pageAt(currentPage - 1, pageSize)
        : pageOfAllRows(`the pagination mode is "${mode}"`, options.maxLimit),
  };
}

function nodeOf(item: RefineFilter, options: RefineOptions): AnyNode {
  if ('field' in item) return conditionOf(item, options);
  const nodes = item.value.map((each) => nodeOf(each, options));
  return item.operator === 'or' ? filter.or(...nodes) : filter.and(...nodes);
}

function conditionOf(
  { field, operator, value }: Extract<RefineFilter, { field: string }>,
  { ignoreCase = [] }: RefineOptions,
): AnyNode {
  const place = { column: field, operator };
  if (operator === 'null' || operator === 'nnull') {
    return filter.isnull(field, operator === 'null');
  }
  if (ignoreCase.includes(field) && (operator === 'eq' || operator === 'ne')) {
    const node = conditionAt(place, 'ieq', value);
    return operator === 'eq' ? node : filter.not(node);
  }
  const positive = POSITIVE.get(operator);
  if (positive !== undefined) return conditionAt(place, positive, value);
  const negated = NEGATED.get(operator);
  if (negated !== undefined) return filter.not(conditionAt(place, negated, value));
  throw unbuildable(place, CURES.get(operator) ?? 'Use one of the operators of Refine.');
}

const POSITIVE: ReadonlyMap<string, FilterOperator> = new Map([
  ['eq', 'eq'],
  ['eqs', 'eq'],
  ['ne', 'neq'],
  ['nes', 'neq'],
  ['lt', 'lt'],
  ['lte', 'lte'],
  ['gt', 'gt'],
  ['gte', 'gte'],
  ['in', 'in'],
  ['between', 'between'],
  ['contains', 'contains'],
  ['startswith', 'starts'],
  ['endswith', 'ends'],
]);

const NEGATED: ReadonlyMap<string, FilterOperator> = new Map([
  ['nin', 'in'],
  ['nbetween', 'between'],
  ['ncontains', 'contains'],
  ['nstartswith', 'starts'],
  ['nendswith', 'ends'],
]);

const BY_CASE = 'This comparison always ignores case. Use the operator without the final "s".';
const ON_ARRAYS = 'Filters on array columns are not supported. Remove the filter.';

const CURES: ReadonlyMap<string, string> = new Map([
  ['containss', BY_CASE],
  ['ncontainss', BY_CASE],
  ['startswiths', BY_CASE],
  ['nstartswiths', BY_CASE],
  ['endswiths', BY_CASE],
  ['nendswiths', BY_CASE],
  ['ina', ON_ARRAYS],
  ['nina', ON_ARRAYS],
]);
