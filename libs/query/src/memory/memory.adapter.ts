import { type DeclaredQueryConfig, specOf } from '../resolve/declared-columns.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import { rowComparator } from './comparator.js';
import { queryPredicate } from './predicate.js';

/** A query as functions over rows. */
export interface MemoryQuery {
  /** Whether a row answers the filters and the search. */
  predicate(row: object): boolean;
  /** For `toSorted`: NULLs last, then the primary key. */
  comparator(a: object, b: object): number;
  /** One page of the rows, and how many answer the query. The rows given are left as they are. */
  apply<Row extends object>(rows: readonly Row[]): { data: Row[]; total: number };
}

/**
 * Answers queries from rows in memory, as a database would: what the other adapters are measured by.
 *
 * @example
 * ```ts
 * const config = { columns: { title: 'string', done: 'boolean' }, primaryKey: 'title' } as const;
 * const { data, total } = memoryAdapter.build(parseQuery(req.query, config), config).apply(tasks);
 * ```
 */
export const memoryAdapter: CheckingAdapter<MemoryQuery, DeclaredQueryConfig> = {
  name: 'memory',
  check: (config) => void specOf(config),
  build(parsed, config) {
    const query = resolveQuery(parsed, specOf(config));
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
