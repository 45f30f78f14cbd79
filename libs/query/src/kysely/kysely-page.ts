import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import { queryConditions } from '../cursor/query-conditions.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import type { DeclaredQueryConfig } from '../resolve/declared-columns.js';
import type { Condition, ResolvedQuery } from '../resolve/resolved-query.js';
import { conditionOf, type Ordering, orderOf } from './expressions.js';

/** Declares the columns, because Kysely has only their types. `parseQuery` takes it too. */
export interface KyselyQueryConfig extends DeclaredQueryConfig {
  /**
   * Converts a value for the driver. That of SQLite accepts neither Dates nor booleans.
   * @default returns the value unchanged
   */
  readonly encode?: ((value: ColumnValue, column: QueryColumn) => unknown) | undefined;
}

/** The parts of a page, and `apply`, which adds them to a query. */
export interface KyselyPage {
  /** The conditions, for `qb.where(where)`. True for every row if there are none. */
  readonly where: <DB, TB extends keyof DB>(eb: ExpressionBuilder<DB, TB>) => Expression<SqlBool>;
  readonly orderBy: readonly Ordering[];
  readonly limit: number;
  /** Adds conditions, order and page to a query. */
  readonly apply: <DB, TB extends keyof DB, O>(
    qb: SelectQueryBuilder<DB, TB, O>,
  ) => SelectQueryBuilder<DB, TB, O>;
}

/**
 * The first page of a query, and a function that adds its conditions only.
 * @param after the rows to start at, for a page by cursor
 */
export function pageOf(
  query: ResolvedQuery,
  { encode = (value) => value }: KyselyQueryConfig,
  after?: Condition,
): { page: KyselyPage; filtered: KyselyPage['apply'] } {
  const { limit } = query.pagination;
  const orderBy = query.sort.flatMap(orderOf);
  const conditions = queryConditions(query, after);
  const where: KyselyPage['where'] = (eb) =>
    eb.and(conditions.map((condition) => conditionOf(eb, condition, encode)));
  const filtered: KyselyPage['apply'] = (qb) => qb.where((eb) => where(eb));
  const apply: KyselyPage['apply'] = (qb) =>
    orderBy
      .reduce((ordered, [key, direction]) => ordered.orderBy(key, direction), filtered(qb))
      .limit(limit);
  return { page: { where, orderBy, limit, apply }, filtered };
}
