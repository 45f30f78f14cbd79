import type { ColumnValue } from '../resolve/column.js';
import type { ResolvedFilter, ResolvedSort } from '../resolve/resolved-query.js';

/** Conditions joined by and, or. The leaves are filters, which adapters translate already. */
export type Condition =
  { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] } | ResolvedFilter;

/**
 * The rows behind a place in an order: `(a > 1) or (a = 1 and b > 2)`. NULLs come last, so behind a NULL
 * comes what is equal so far, and a value stands before every NULL.
 *
 * @param values one for each key of `sort`; its last key has to be unique
 */
export function keysetCondition(
  sort: readonly ResolvedSort[],
  values: readonly (ColumnValue | null)[],
): Condition {
  const branches: Condition[] = [];
  const equals: Condition[] = [];
  sort.forEach((key, i) => {
    const value = values[i] ?? null;
    const behind = behindOf(key, value);
    if (behind !== undefined) branches.push(allOf([...equals, behind]));
    equals.push(equalTo(key, value));
  });
  const [only, ...others] = branches;
  if (only !== undefined) {
    if (others.length === 0) return only;
    return allOf([...boundOf(sort[0], values[0]), { kind: 'or', conditions: branches }]);
  }
  return { kind: 'and', conditions: [...equals, ...sort.slice(0, 1).map(nothing)] };
}

/**
 * What already follows: the first key is not before the place. Engines find no start in an index from the
 * alternatives alone, and would read every row up to it.
 */
function boundOf(
  key: ResolvedSort | undefined,
  value: ColumnValue | null | undefined,
): Condition[] {
  if (key === undefined || value === undefined || value === null) return [];
  const { field, column, direction } = key;
  if (column.nullable !== false || column.type === 'boolean') return [];
  const operator = direction === 'asc' ? 'gte' : 'lte';
  return [{ kind: 'compare', operator, field, column, value }];
}

function allOf(conditions: readonly Condition[]): Condition {
  const [only, ...others] = conditions;
  return only !== undefined && others.length === 0 ? only : { kind: 'and', conditions };
}

function equalTo({ field, column }: ResolvedSort, value: ColumnValue | null): Condition {
  if (value === null) return { kind: 'null', field, column, isNull: true };
  return { kind: 'compare', operator: 'eq', field, column, value };
}

function behindOf(
  { field, column, direction }: ResolvedSort,
  value: ColumnValue | null,
): Condition | undefined {
  if (value === null) return undefined;
  const further = furtherThan({ field, column, direction }, value);
  if (column.nullable === false) return further;
  const isNull: Condition = { kind: 'null', field, column, isNull: true };
  return further === undefined ? isNull : { kind: 'or', conditions: [further, isNull] };
}

/** The values behind a value; undefined where there are none. */
function furtherThan(
  { field, column, direction }: ResolvedSort,
  value: ColumnValue,
): Condition | undefined {
  if (column.type !== 'boolean') {
    const operator = direction === 'asc' ? 'gt' : 'lt';
    return { kind: 'compare', operator, field, column, value };
  }
  // Some backends (Prisma) have no order of booleans in conditions, and there is but one other value.
  const last = direction === 'asc';
  return value === last
    ? undefined
    : { kind: 'compare', operator: 'eq', field, column, value: last };
}

function nothing({ field, column }: ResolvedSort): Condition {
  return { kind: 'nothing', field, column };
}
