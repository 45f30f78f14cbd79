import type { ColumnValue } from '../resolve/column.js';
import type { Condition, ResolvedSort } from '../resolve/resolved-query.js';

/**
 * Returns the condition for all rows after a row: `(a > 1) or (a = 1 and b > 2)`. NULLs are last in
 * both directions, or first with `nulls: 'first'`.
 *
 * @param values the sort keys of the row, one for each key of `sort`. The last key must be unique
 */
export function keysetCondition(
  sort: readonly ResolvedSort[],
  values: readonly (ColumnValue | null)[],
): Condition {
  const branches: Condition[] = [];
  const equals: Condition[] = [];
  sort.forEach((key, i) => {
    const value = values[i] ?? null;
    const after = afterValue(key, value);
    if (after !== undefined) branches.push(allOf([...equals, after]));
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
 * Returns true if the page may contain rows with a value in the first key, and then rows with NULL.
 * No index can find the start of such a page. If PostgreSQL used the index for the order, it would
 * read all rows before the page. That takes 450 ms for 200,000 rows. Sorting takes 40 ms.
 */
export function reachesNulls(
  after: Condition | undefined,
  [first]: readonly ResolvedSort[],
): boolean {
  if (after === undefined || !('conditions' in after)) return false;
  const isNullOfFirst = (part: Condition) =>
    part.kind === 'null' && part.isNull && part.column === first?.column;
  if (after.kind === 'or' && after.conditions.some(isNullOfFirst)) return true;
  return after.conditions.some((part) => reachesNulls(part, first ? [first] : []));
}

/**
 * Returns a redundant condition: the first key is not before the value. Engines need this condition
 * to find the start of the page in an index. Without it, engines read all rows before the page.
 */
function boundOf(
  key: ResolvedSort | undefined,
  value: ColumnValue | null | undefined,
): Condition[] {
  if (key === undefined || value === undefined || value === null) return [];
  const { field, column, direction } = key;
  // The page includes NULLs that come last. This comparison would exclude them.
  if (hasNullsLast(key) || column.type === 'boolean') return [];
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

/** NULL counts as the last value, or with `nulls: 'first'` as the first value. */
function afterValue(key: ResolvedSort, value: ColumnValue | null): Condition | undefined {
  const { field, column, nulls } = key;
  if (value === null) {
    return nulls === 'first' ? { kind: 'null', field, column, isNull: false } : undefined;
  }
  const further = beyondValue(key, value);
  if (!hasNullsLast(key)) return further;
  const isNull: Condition = { kind: 'null', field, column, isNull: true };
  return further === undefined ? isNull : { kind: 'or', conditions: [further, isNull] };
}

function hasNullsLast({ column, nulls }: ResolvedSort): boolean {
  return column.nullable !== false && nulls !== 'first';
}

/** Returns undefined if no value comes after the value. */
function beyondValue(
  { field, column, direction }: ResolvedSort,
  value: ColumnValue,
): Condition | undefined {
  if (column.type !== 'boolean') {
    const operator = direction === 'asc' ? 'gt' : 'lt';
    return { kind: 'compare', operator, field, column, value };
  }
  // Prisma cannot order booleans. An equality is sufficient, because there is only one other value.
  const last = direction === 'asc';
  return value === last
    ? undefined
    : { kind: 'compare', operator: 'eq', field, column, value: last };
}

function nothing({ field, column }: ResolvedSort): Condition {
  return { kind: 'nothing', field, column };
}
