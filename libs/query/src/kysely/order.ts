import * as kysely from 'kysely';
import type { Expression, SelectQueryBuilder } from 'kysely';
import { reachesNulls } from '../page/keyset-condition.js';
import type { Condition, ResolvedSort } from '../resolve/resolved-query.js';
import { dialectOf } from './dialect.js';
import { refOf, type Scope } from './expressions.js';

const { sql } = kysely;

/** One key of an `order by`. */
export type Ordering = readonly [key: Expression<unknown>, direction: 'asc' | 'desc'];

/** The `order by` of a sort key on every engine: MySQL lacks `nulls last`, and each can sort by `is null`. */
export function orderOf({ column, direction, nulls }: ResolvedSort, scope: Scope): Ordering[] {
  const ref = refOf(column, scope);
  // MySQL orders an enum by its definition but compares it as text; coalesce() orders it as text.
  const key = column.type === 'enum' ? sql`coalesce(${ref}, ${ref})` : ref;
  if (column.nullable === false) return [[key, direction]];
  return [
    [sql`${ref} is null`, nulls === 'first' ? 'desc' : 'asc'],
    [key, direction],
  ];
}

/**
 * Adds the order to a query. Where the engine has `nulls last`, an index can serve it: the first 20 of 200,000 rows of
 * PostgreSQL take 0.3 ms instead of 110 ms.
 * @param after the rows to start at, for a page by cursor
 */
export function withOrder<DB, TB extends keyof DB, O>(
  qb: SelectQueryBuilder<DB, TB, O>,
  sort: readonly ResolvedSort[],
  scope: Scope,
  after: Condition | undefined,
): SelectQueryBuilder<DB, TB, O> {
  const differ = sort.some(({ column }) => column.nullable !== false || column.type === 'enum');
  const canPlace = differ && dialectOf(qb) !== 'mysql';
  const isSorted = reachesNulls(after, sort);
  return sort.reduce((query, key, i) => {
    if (canPlace && !(isSorted && i === 0)) return query.orderBy(placedOrderOf(key, scope));
    return orderOf(key, scope).reduce((ordered, [by, to]) => ordered.orderBy(by, to), query);
  }, qb);
}

function placedOrderOf(
  { column, direction, nulls = 'last' }: ResolvedSort,
  scope: Scope,
): Expression<unknown> {
  const place = column.nullable === false ? '' : ` nulls ${nulls}`;
  return sql`${refOf(column, scope)} ${sql.raw(direction + place)}`;
}
