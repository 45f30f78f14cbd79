import { compareValues } from '../resolve/compare-values.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { rowValueOf } from './row-value.js';

/** Compares rows by sort keys. NULLs have the same position in both directions. */
export function rowComparator(sort: readonly ResolvedSort[]): (a: object, b: object) => number {
  return (a, b) => {
    for (const key of sort) {
      const order = orderBy(key, a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function orderBy({ column, direction, nulls }: ResolvedSort, a: object, b: object): number {
  const [left, right] = [rowValueOf(a, column), rowValueOf(b, column)];
  if (left === null || right === null) {
    const order = Number(left === null) - Number(right === null);
    return nulls === 'first' ? -order : order;
  }
  const order = compareValues(left, right, column);
  return direction === 'asc' ? order : -order;
}
