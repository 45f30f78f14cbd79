import type { SortItem } from './parsed-query.js';

/**
 * Returns a new list with the default order of a config. This file remembers the list, because
 * links and query strings omit the default order.
 */
export function defaultSortOf(order: readonly SortItem[]): SortItem[] {
  if (order.length === 0) return [];
  const sort = order.map((item) => ({ ...item }));
  defaults.add(sort);
  return sort;
}

export function isDefaultSort(sort: readonly SortItem[]): boolean {
  return defaults.has(sort);
}

const defaults = new WeakSet<readonly SortItem[]>();
