import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { CappedTotal, EstimatedTotal, Total } from '../page/paginated-response.js';
import { countOrEstimate, countUpTo, estimateBy, type RowCounter } from '../page/count-rows.js';
import { engineOf, sql } from './render-sql.js';

/**
 * Counts up to `cap` rows, for `total` of `paginate`.
 *
 * @param db the database or the transaction of the query
 * @param query the query that `applyCount` returns, with your own conditions
 * @throws InvalidQueryConfigError if `cap` is not a whole number of 1 or more
 * @example
 * ```ts
 * const total = await cappedCount(db, applyCount(db.selectFrom('tasks')), 1000);
 * ```
 */
export function cappedCount<DB, TB extends keyof DB, O>(
  db: Kysely<DB>,
  query: SelectQueryBuilder<DB, TB, O>,
  cap: number,
): Promise<CappedTotal> {
  return countUpTo(counterOf(db, query), cap);
}

/**
 * Counts the rows exactly if there are at most `threshold`. Otherwise, estimates the number with
 * `EXPLAIN`. SQLite has no estimates, so every row is counted.
 *
 * @param db the database or the transaction of the query
 * @param query the query that `applyCount` returns, with your own conditions
 * @throws InvalidQueryConfigError if `threshold` is not a whole number of 1 or more
 */
export function estimatedCount<DB, TB extends keyof DB, O>(
  db: Kysely<DB>,
  query: SelectQueryBuilder<DB, TB, O>,
  threshold: number,
): Promise<EstimatedTotal> {
  return countOrEstimate(counterOf(db, query), threshold);
}

function counterOf<DB, TB extends keyof DB, O>(
  db: Kysely<DB>,
  query: SelectQueryBuilder<DB, TB, O>,
): RowCounter {
  const found = query.clearSelect().select((eb) => eb.lit(1).as('one'));
  const explain = async (prefix: string) => {
    const { rows } = await sql`${sql.raw(prefix)}${found}`.execute(db);
    return rows;
  };
  return {
    async count(limit) {
      const rows = limit === undefined ? found : found.limit(limit);
      const counted = await sql<{
        total: Total;
      }>`select count(*) as total from ${rows} as counted`.execute(db);
      return counted.rows[0]?.total ?? 0;
    },
    estimate: estimateBy(engineOf(query), explain),
  };
}
