import type { SortItem } from './parsed-query.js';

/**
 * Returns a new list with the default order of a config. The list is recorded as a default, so that
 * links and query strings leave it out.
 */
export function defaultSortOf(order: readonly SortItem[]): SortItem[] {
  if (order.length === 0) return [];
  const sort = order.map((item) => ({ ...item }));
  defaults.add(sort);
  return sort;
}

/** Returns true if no client requested the order. */
export function isDefaultSort(sort: readonly SortItem[]): boolean {
  return defaults.has(sort);
}

const defaults = new WeakSet<readonly SortItem[]>();
