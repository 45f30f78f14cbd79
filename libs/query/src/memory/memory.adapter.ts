import { declaredSpec, type RelatedQueryConfig } from '../resolve/declared-columns.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import { rowComparator } from './comparator.js';
import { queryPredicate } from './predicate.js';

/** A query as functions for rows in memory. */
export interface MemoryQuery {
  /** Whether a row matches the filters and the search. */
  predicate(row: object): boolean;
  /** For `toSorted`. NULLs come last; the primary key ends the order. */
  comparator(a: object, b: object): number;
  /** The rows of the page, and the number of matching rows. Does not change `rows`. */
  apply<Row extends object>(rows: readonly Row[]): { data: Row[]; total: number };
}

/**
 * Applies queries to rows in memory. The tests compare the other adapters with it.
 *
 * @throws InvalidQueryError for values that do not fit their columns
 * @throws InvalidQueryConfigError
 * @example
 * ```ts
 * const config = { columns: { title: 'string', done: 'boolean' }, primaryKey: 'title' } as const;
 * const { data, total } = memoryAdapter.build(parseQuery(req.query, config), config).apply(tasks);
 * ```
 */
export const memoryAdapter: CheckingAdapter<MemoryQuery, RelatedQueryConfig> = {
  name: 'memory',
  check: (config) => void declaredSpec(config),
  build(parsed, config) {
    const query = resolveQuery(parsed, declaredSpec(config));
    const predicate = queryPredicate(query);
    const comparator = rowComparator(query.sort);
    const { offset, limit } = query.pagination;
    return {
      predicate,
      comparator,
      apply: (rows) => {
        const found = rows.filter(predicate);
        return {
          data: found.toSorted(comparator).slice(offset, offset + limit),
          total: found.length,
        };
      },
    };
  },
};
