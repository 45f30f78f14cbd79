import type { NullOrder } from '../config/null-order.js';
import type { QueryColumn } from '../resolve/column.js';
import { hasNativeNulls, type NullRank } from '../resolve/native-nulls.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { columnSql } from './column-sql.js';
import type { ColumnWriter, Sql } from './sql-writer.js';

/** How an engine sorts. */
export interface OrderEngine {
  /**
   * Whether an order supports `nulls last` and `nulls first`. MySQL does not. Every engine can sort
   * by `is null`.
   */
  readonly placesNulls: boolean;
  /** How NULL is sorted without `nulls last` or `nulls first`. @default unknown */
  readonly nullRank?: NullRank | undefined;
  /** MySQL orders an enum by its definition but compares it as text; coalesce() orders it as text. */
  readonly ordersByDefinition: (column: QueryColumn) => boolean;
}

/** A key of `order by`. */
export interface OrderKey<Part extends object> {
  readonly sql: Sql<Part>;
  readonly direction: 'asc' | 'desc';
  /** @default not written */
  readonly nulls?: NullOrder;
}

/**
 * Returns the keys of `order by` in the form for which the engine can use an index. In PostgreSQL,
 * fetching the first 20 of 200,000 rows takes 0.3 ms with `nulls last`, but 110 ms with `is null`.
 * @param reachesNulls the result of `reachesNulls` for a page by cursor. If true, the first key is
 * sorted by `is null`
 */
export function orderKeys<Part extends object>(
  sort: readonly ResolvedSort[],
  writer: ColumnWriter<Part>,
  engine: OrderEngine,
  reachesNulls = false,
): readonly OrderKey<Part>[] {
  return sort.flatMap((key, i) => {
    const { column, direction, nulls = 'last' } = key;
    const own = columnSql(column, writer);
    const sql = engine.ordersByDefinition(column) ? ['coalesce(', ...own, ', ', ...own, ')'] : own;
    const isNative = engine.nullRank !== undefined && hasNativeNulls(key, engine.nullRank);
    if (column.nullable === false || isNative) return [{ sql, direction }];
    if (engine.placesNulls && !(reachesNulls && i === 0)) return [{ sql, direction, nulls }];
    return [
      { sql: [...own, ' is null'], direction: nulls === 'first' ? 'desc' : 'asc' },
      { sql, direction },
    ];
  });
}

/** Returns the SQL of a key. */
export function orderSql<Part extends object>({
  sql,
  direction,
  nulls,
}: OrderKey<Part>): Sql<Part> {
  return [...sql, ` ${direction}${nulls === undefined ? '' : ` nulls ${nulls}`}`];
}
