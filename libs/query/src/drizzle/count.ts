import type { CappedTotal, EstimatedTotal, Total } from '../page/paginated-response.js';
import {
  countOrEstimate,
  countUpTo,
  estimateBy,
  type RowCounter,
  rowsOfDriver,
} from '../page/count-rows.js';
import { kindOf } from './derived-type.js';
import { type Column, getTableColumns, type SQL, sql, type Table } from './drizzle-orm.js';

/** A database or a transaction of Drizzle. */
export interface DrizzleCounting {
  $count(source: SQL): PromiseLike<Total>;
}

/**
 * Counts up to `cap` rows of a table, for `total` of `paginate`.
 *
 * @param where the `where` of `drizzleAdapter.build`, with your own conditions
 * @throws InvalidQueryConfigError if `cap` is not a whole number of 1 or more
 * @example
 * ```ts
 * const total = await cappedCount(db, tasks, where, 1000);
 * ```
 */
export function cappedCount(
  db: DrizzleCounting,
  table: Table,
  where: SQL | undefined,
  cap: number,
): Promise<CappedTotal> {
  return countUpTo(counterOf(db, table, where), cap);
}

/**
 * Counts the rows of a table exactly if there are at most `threshold`. Otherwise, estimates the
 * number with `EXPLAIN`. SQLite has no estimates, so every row is counted.
 *
 * @param where the `where` of `drizzleAdapter.build`, with your own conditions
 * @throws InvalidQueryConfigError if `threshold` is not a whole number of 1 or more
 */
export function estimatedCount(
  db: DrizzleCounting,
  table: Table,
  where: SQL | undefined,
  threshold: number,
): Promise<EstimatedTotal> {
  return countOrEstimate(counterOf(db, table, where), threshold);
}

function counterOf(db: DrizzleCounting, table: Table, where: SQL | undefined): RowCounter {
  const found = sql`select 1 as one from ${table}${where && sql` where ${where}`}`;
  const [column] = Object.values<Column>(getTableColumns(table));
  const [engine] = column ? kindOf(column) : [];
  const explain = async (prefix: string) => {
    const { execute } = db as Partial<ExecutingDatabase>;
    return rowsOfDriver(await execute?.call(db, sql`${sql.raw(prefix)}${found}`));
  };
  return {
    count(limit) {
      const rows = limit === undefined ? found : sql`${found} limit ${limit}`;
      return db.$count(sql`(${rows}) as counted`);
    },
    estimate: engine && estimateBy(engine, explain),
  };
}

/** PostgreSQL and MySQL. SQLite has other methods. */
interface ExecutingDatabase {
  execute(query: SQL): PromiseLike<unknown>;
}
