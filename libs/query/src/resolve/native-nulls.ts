import { refuseKeys } from './refuse-keys.js';
import type { ResolvedSort } from './resolved-query.js';

/** What NULL is to an engine in an order, compared with every value. */
export type NullRank = 'smallest' | 'largest';

/** Whether the engine, left alone, puts the NULLs of a sort key where they are wanted. */
export function hasNativeNulls(
  { column, direction, nulls = 'last' }: ResolvedSort,
  rank: NullRank,
): boolean {
  const comesFirst = (direction === 'asc') === (rank === 'smallest');
  return column.nullable === false || comesFirst === (nulls === 'first');
}

/**
 * For orders in which an engine cannot be told where to put NULLs.
 * @throws InvalidQueryError for a sort key whose NULLs are wanted first, and come last
 */
export function refuseNullsFirst(sort: readonly ResolvedSort[], rank: NullRank): void {
  refuseKeys(
    sort.filter((key) => key.nulls === 'first' && !hasNativeNulls(key, rank)),
    'a direction in which NULLs come first',
  );
}
