import { refuseSortKeys } from './unsupported-sort-keys.js';
import type { ResolvedSort } from './resolved-query.js';

/** The position of NULL in an engine: smaller or larger than every value. */
export type NullRank = 'smallest' | 'largest';

/** True if NULLs are in the requested place even without `nulls first` and `nulls last`. */
export function hasNativeNulls(
  { column, direction, nulls = 'last' }: ResolvedSort,
  rank: NullRank,
): boolean {
  const comesFirst = (direction === 'asc') === (rank === 'smallest');
  return column.nullable === false || comesFirst === (nulls === 'first');
}

/** @throws InvalidQueryError if NULLs should come first but would come last */
export function refuseNullsFirst(sort: readonly ResolvedSort[], rank: NullRank): void {
  refuseSortKeys(
    sort.filter((key) => key.nulls === 'first' && !hasNativeNulls(key, rank)),
    'a direction in which NULLs come first',
  );
}
