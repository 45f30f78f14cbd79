// Imports types only: the caller's query builder comes from its own Knex.
import type { Knex } from 'knex';
import { queryConditions } from '../cursor/query-conditions.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import type { DeclaredQueryConfig } from '../resolve/declared-columns.js';
import type { Condition, ResolvedQuery } from '../resolve/resolved-query.js';
import { conditionOf, orderOf } from './fragments.js';

/** Declares the columns, because Knex has no column metadata. `parseQuery` takes it too. */
export interface KnexQueryConfig extends DeclaredQueryConfig {
  /**
   * Converts a value for the driver, such as a timestamp that SQLite stores as text.
   * @default returns the value unchanged
   */
  readonly encode?: ((value: ColumnValue, column: QueryColumn) => Knex.Value) | undefined;
}

/** Adds a page to a query builder. */
export interface KnexPage {
  /** Adds conditions, order and page to the query builder, and returns it. */
  readonly apply: <QB extends Knex.QueryBuilder>(qb: QB) => QB;
}

/**
 * The first page of a query, and a function that adds its conditions only.
 * @param after the rows to start at, for a page by cursor
 */
export function pageOf(
  query: ResolvedQuery,
  { encode = (value) => value as Knex.Value }: KnexQueryConfig,
  after?: Condition,
): { page: KnexPage; filtered: KnexPage['apply'] } {
  const where = queryConditions(query, after).map((condition) => conditionOf(condition, encode));
  const orderBy = query.sort.flatMap(orderOf);
  const filtered: KnexPage['apply'] = (qb) => {
    for (const { sql, bindings } of where) void qb.whereRaw(sql, bindings);
    return qb;
  };
  const apply: KnexPage['apply'] = (qb) => {
    void filtered(qb).limit(query.pagination.limit);
    for (const { sql, bindings } of orderBy) void qb.orderByRaw(sql, bindings);
    return qb;
  };
  return { page: { apply }, filtered };
}
