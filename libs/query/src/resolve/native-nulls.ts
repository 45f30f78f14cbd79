import { refuseKeys } from './refuse-keys.js';
import type { ResolvedSort } from './resolved-query.js';

/** How an engine sorts NULL: as smaller or as larger than every value. */
export type NullRank = 'smallest' | 'largest';

/** Returns whether the engine by default puts the NULLs of a sort key at the requested end. */
export function hasNativeNulls(
  { column, direction, nulls = 'last' }: ResolvedSort,
  rank: NullRank,
): boolean {
  const comesFirst = (direction === 'asc') === (rank === 'smallest');
  return column.nullable === false || comesFirst === (nulls === 'first');
}

/**
 * Rejects sort keys for orders in which an engine has no syntax to place NULLs.
 * @throws InvalidQueryError for a sort key whose NULLs should be first but would come last
 */
export function refuseNullsFirst(sort: readonly ResolvedSort[], rank: NullRank): void {
  refuseKeys(
    sort.filter((key) => key.nulls === 'first' && !hasNativeNulls(key, rank)),
    'a direction in which NULLs come first',
  );
}
