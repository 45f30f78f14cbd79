import type { NullOrder } from '../config/null-order.js';
import type { QueryColumn } from '../resolve/column.js';
import { hasNativeNulls, type NullRank } from '../resolve/database-nulls.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { columnSql } from './column-sql.js';
import type { ColumnWriter, Sql, SqlEngine, SqlWriter } from './sql-writer.js';

export interface OrderEngine {
  /**
   * True if the engine supports `nulls last` and `nulls first`. MySQL does not. Every engine can
   * sort by `is null`.
   */
  readonly placesNulls: boolean;
  /** Position of NULL without `nulls last` and `nulls first`. @default unknown */
  readonly nullRank?: NullRank | undefined;
  /**
   * True if the engine sorts enums in the order of their definition, but compares enums as text.
   * This is so in MySQL. coalesce() then sorts enums as text.
   */
  readonly ordersByDefinition: (column: QueryColumn) => boolean;
}

/** The differences between engines that affect a whole query. */
export type EngineTraits = OrderEngine & Pick<SqlWriter<object>, 'engine' | 'hasCollations'>;

export function traitsOf(engine: SqlEngine): EngineTraits {
  return {
    engine,
    hasCollations: engine === 'postgresql',
    placesNulls: engine !== 'mysql',
    ordersByDefinition: ({ type }) => engine === 'mysql' && type === 'enum',
  };
}

export interface OrderKey<Part extends object> {
  readonly sql: Sql<Part>;
  readonly direction: 'asc' | 'desc';
  /** @default the position that the engine uses by default */
  readonly nulls?: NullOrder;
}

/**
 * Returns the keys of `order by`, in a form that can use an index. In PostgreSQL, fetching the
 * first 20 of 200,000 rows takes 0.3 ms with `nulls last`, but 110 ms with `is null`.
 * @param reachesNulls result of the function `reachesNulls`. If true, the first key is sorted by
 * `is null`
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

export function orderSql<Part extends object>({
  sql,
  direction,
  nulls,
}: OrderKey<Part>): Sql<Part> {
  return [...sql, ` ${direction}${nulls === undefined ? '' : ` nulls ${nulls}`}`];
}
