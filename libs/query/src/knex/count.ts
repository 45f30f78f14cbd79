import type { Knex } from 'knex';
import type { CappedTotal, EstimatedTotal, Total } from '../page/paginated-response.js';
import {
  countOrEstimate,
  countUpTo,
  estimateBy,
  type RowCounter,
  rowsOfDriver,
} from '../page/count-rows.js';
import { clientOf, engineOf } from './render-sql.js';

/**
 * Counts up to `cap` rows, for `total` of `paginate`.
 *
 * @param query the query builder that `applyCount` returns, with your own conditions
 * @throws InvalidQueryConfigError if `cap` is not a whole number of 1 or more
 * @example
 * ```ts
 * const total = await cappedCount(applyCount(knex('tasks')), 1000);
 * ```
 */
export function cappedCount(query: Knex.QueryBuilder, cap: number): Promise<CappedTotal> {
  return countUpTo(counterOf(query), cap);
}

/**
 * Counts the rows exactly if there are at most `threshold`. Otherwise, estimates the number with
 * `EXPLAIN`. SQLite has no estimates, so every row is counted.
 *
 * @param query the query builder that `applyCount` returns, with your own conditions
 * @throws InvalidQueryConfigError if `threshold` is not a whole number of 1 or more
 */
export function estimatedCount(
  query: Knex.QueryBuilder,
  threshold: number,
): Promise<EstimatedTotal> {
  return countOrEstimate(counterOf(query), threshold);
}

function counterOf(query: Knex.QueryBuilder): RowCounter {
  const client = clientOf(query);
  const found = () => query.clone().clearSelect().select(client.raw('1 as one'));
  const explain = async (prefix: string) => {
    const { sql, bindings } = found().toSQL();
    return rowsOfDriver(await client.raw(prefix + sql, bindings));
  };
  return {
    async count(limit) {
      const rows = limit === undefined ? found() : found().limit(limit);
      const counted = client.queryBuilder().from(rows.as('counted')).count({ total: '*' });
      const [row] = (await counted) as { total: Total }[];
      return row?.total ?? 0;
    },
    estimate: estimateBy(engineOf(query), explain),
  };
}
