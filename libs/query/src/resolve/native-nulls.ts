import { refuseKeys } from './refuse-keys.js';
import type { ResolvedSort } from './resolved-query.js';

/** The position of NULL in an engine: smaller or larger than every value. */
export type NullRank = 'smallest' | 'largest';

/**
 * Returns true if the engine puts NULLs where the query requests them, even without `nulls first`
 * or `nulls last`.
 */
export function hasNativeNulls(
  { column, direction, nulls = 'last' }: ResolvedSort,
  rank: NullRank,
): boolean {
  const comesFirst = (direction === 'asc') === (rank === 'smallest');
  return column.nullable === false || comesFirst === (nulls === 'first');
}

/**
 * Rejects sort keys if the engine cannot put NULLs first.
 * @throws InvalidQueryError if NULLs should come first but would come last
 */
export function refuseNullsFirst(sort: readonly ResolvedSort[], rank: NullRank): void {
  refuseKeys(
    sort.filter((key) => key.nulls === 'first' && !hasNativeNulls(key, rank)),
    'a direction in which NULLs come first',
  );
}
