import type { SortItem } from './parsed-query.js';

/**
 * A new list of the order that a config gives. It is remembered as such, so that links and query strings leave it out.
 */
export function defaultSortOf(order: readonly SortItem[]): SortItem[] {
  if (order.length === 0) return [];
  const sort = order.map((item) => ({ ...item }));
  defaults.add(sort);
  return sort;
}

/** True if no client asked for the order. */
export function isDefaultSort(sort: readonly SortItem[]): boolean {
  return defaults.has(sort);
}

const defaults = new WeakSet<readonly SortItem[]>();
