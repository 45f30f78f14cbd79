import type { FilterOperator, OptInOperator } from '../config/operators.js';
import { joinList } from '../parse/list-value.js';
import type { FilterItem, WhereNode } from '../parse/parsed-query.js';
import { refuseEmptyGroup } from '../parse/empty-group.js';
import { UnbuildableQueryError } from '../query.errors.js';

/** A value that `filter` writes as a string. Dates are written in ISO 8601. */
export type FilterValue = string | number | bigint | boolean | Date;

/**
 * Creates filter items and groups for `buildQueryParams` and `buildQueryString`. Escapes the items
 * of lists. Pass groups as `where`.
 *
 * @throws UnbuildableQueryError if a value is missing, a Date is invalid or an item of a list is
 * empty
 * @example
 * ```ts
 * buildQueryString({ filters: [filter.eq('status', 'open'), filter.in('tag', ['a,b', 'c'])] });
 * buildQueryString({ where: filter.or(filter.eq('status', 'open'), filter.not(filter.isnull('due', true))) });
 * ```
 */
export const filter = {
  eq: single('eq'),
  neq: single('neq'),
  gt: single('gt'),
  gte: single('gte'),
  lt: single('lt'),
  lte: single('lte'),
  contains: single('contains'),
  starts: single('starts'),
  ends: single('ends'),
  between: <F extends string>(field: F, from: FilterValue, to: FilterValue): FilterItem<F> => ({
    field,
    operator: 'between',
    value: listText(field, [from, to]),
  }),
  /** Like `eq`, but ignores the case of ASCII letters. */
  ieq: single('ieq'),
  /** Matches rows whose array contains the value. */
  has: single('has'),
  in: list('in'),
  nin: list('nin'),
  isnull: <F extends string>(field: F, isNull: boolean): FilterItem<F, 'isnull'> => ({
    field,
    operator: 'isnull',
    value: String(isNull),
  }),
  /**
   * Creates a group: a row matches if at least one condition is true.
   * @throws UnbuildableQueryError if there are no conditions
   */
  or: <F extends string, OptIn extends OptInOperator = never>(
    ...nodes: readonly WhereNode<F, OptIn>[]
  ): WhereNode<F, OptIn> => ({ or: refuseEmptyGroup('or', nodes) }),
  /**
   * Creates a group: a row matches if all conditions are true.
   * @throws UnbuildableQueryError if there are no conditions
   */
  and: <F extends string, OptIn extends OptInOperator = never>(
    ...nodes: readonly WhereNode<F, OptIn>[]
  ): WhereNode<F, OptIn> => ({ and: refuseEmptyGroup('and', nodes) }),
  /**
   * Negates a condition. If the column is NULL, neither the condition nor its negation matches the
   * row.
   */
  not: <F extends string, OptIn extends OptInOperator = never>(
    node: WhereNode<F, OptIn>,
  ): WhereNode<F, OptIn> => ({ not: node }),
};

// The casts are safe. TypeScript does not see that each operator is either standard or opt-in.

function single<Op extends FilterOperator | OptInOperator>(operator: Op) {
  return <F extends string>(field: F, value: FilterValue) =>
    ({ field, operator, value: textOf(field, value) }) as FilterItem<F, Extract<Op, OptInOperator>>;
}

function list<Op extends 'in' | 'nin'>(operator: Op) {
  return <F extends string>(field: F, values: readonly FilterValue[]) => {
    // A single comma means an empty list. An empty value would be invalid.
    const value = listText(field, values) || ',';
    return { field, operator, value } as FilterItem<F, Extract<Op, OptInOperator>>;
  };
}

function listText(field: string, values: readonly FilterValue[]): string {
  const items = values.map((value) => textOf(field, value));
  if (!items.includes('')) return joinList(items);
  throw new UnbuildableQueryError(
    `filter on "${field}" with an empty item`,
    'Remove the item: a list cannot contain empty strings.',
  );
}

function textOf(field: string, value: FilterValue): string {
  // In JavaScript, the value may be missing.
  if ((value as unknown) === undefined || value === null) {
    throw new UnbuildableQueryError(
      `filter on "${field}" without a value`,
      'Set its value. To find rows with NULL, use filter.isnull().',
    );
  }
  if (!(value instanceof Date)) return String(value);
  if (!Number.isNaN(value.getTime())) return value.toISOString();
  throw new UnbuildableQueryError(`filter on "${field}" with an invalid Date`, 'Set a valid Date.');
}
