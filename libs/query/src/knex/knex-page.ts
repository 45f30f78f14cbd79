// Imports only types, because the query builder comes from the Knex installation of the
// application.
import type { Knex } from 'knex';
import type { SearchHook } from '../config/search-hook.js';
import { queryConditions } from '../resolve/query-conditions.js';
import { reachesNulls } from '../page/keyset-condition.js';
import type { Condition, ResolvedQuery } from '../resolve/resolved-query.js';
import { conditionSql } from '../shared-sql/condition-sql.js';
import { groupedRowOf, groupSql } from '../shared-sql/group-sql.js';
import { orderKeys, orderSql } from '../shared-sql/order-sql.js';
import { sortedColumnsOf, sortJoinsOf } from '../shared-sql/sort-joins.js';
import type { JoinedQueryConfig, JoinScope } from '../shared-sql/sql-join.js';
import { groupedColumns, type ReadGroups } from '../summary/read-summary.js';
import { clientOf, knexRaw, sortJoinSql, knexWriter } from './render-sql.js';

/**
 * Declares the columns, because Knex has no column metadata. `parseQuery` also accepts this config.
 */
export interface KnexQueryConfig
  extends JoinedQueryConfig<Knex.Value>, SearchHook<Knex.QueryCallback> {}

/** Adds a page to a query builder. */
export interface KnexPage {
  /**
   * Adds conditions, order and page to the query builder. Returns the query builder. Adds a left
   * join for each sort key of a related row. The join adds no columns to the rows if you select
   * only the columns of your table: `select('tasks.*')`. If the query string has `fields`, these
   * fields replace the selected columns. If you use `withSchema()`, call it before `apply`, because
   * `apply` adds the same schema to related tables.
   */
  readonly apply: <QB extends Knex.QueryBuilder>(qb: QB) => QB;
}

/**
 * `filtered` adds only the conditions. `withSortKeys` selects only the sort keys of related rows.
 * @param own the condition of the config's `search`
 * @param after the condition of the cursor, for a page with a cursor
 */
export function buildKnexPage(
  query: ResolvedQuery,
  scope: JoinScope<Knex.Value>,
  own: Knex.QueryCallback | undefined,
  after?: Condition,
): { page: KnexPage; filtered: KnexPage['apply']; withSortKeys: KnexPage['apply'] } {
  const conditions = queryConditions(query, after);
  const joins = sortJoinsOf(query.sort, scope.stepsOf);
  const filtered: KnexPage['apply'] = (qb) => addConditions(qb, conditions, scope, own);
  const columns =
    query.fields && Object.fromEntries(query.fields.map(({ field, name }) => [field, name]));
  const apply: KnexPage['apply'] = (qb) => {
    if (columns) void qb.clearSelect().select(columns);
    for (const join of joins) void qb.joinRaw(...knexRaw(sortJoinSql(qb, join)));
    void filtered(qb).limit(query.pagination.limit);
    const writer = knexWriter(qb, scope);
    for (const key of orderKeys(query.sort, writer, writer, reachesNulls(after, query.sort))) {
      // Knex's own `nulls` option omits the column on SQLite and MySQL.
      void qb.orderByRaw(...knexRaw(orderSql(key)));
    }
    return qb;
  };
  const keys = sortedColumnsOf(query.sort, scope.stepsOf).map(({ ref }) => ref);
  return { page: { apply }, filtered, withSortKeys: (qb) => withSelected(qb, keys) };
}

/** @param own the condition of the config's `search` */
function addConditions<QB extends Knex.QueryBuilder>(
  qb: QB,
  conditions: readonly Condition[],
  scope: JoinScope<Knex.Value>,
  own: Knex.QueryCallback | undefined,
): QB {
  const writer = knexWriter(qb, scope);
  for (const condition of conditions) void qb.whereRaw(...knexRaw(conditionSql(condition, writer)));
  if (own) void qb.where(own);
  return qb;
}

/** Does nothing if the query selects no columns, because such a query returns all columns. */
function withSelected<QB extends Knex.QueryBuilder>(qb: QB, columns: readonly string[]): QB {
  const { _statements: statements = [] } = qb as { _statements?: readonly { grouping?: string }[] };
  if (statements.some(({ grouping }) => grouping === 'columns')) void qb.select(...columns);
  return qb;
}

/** @param own the condition of the config's `search` */
export function groupReader(
  rows: Knex.QueryBuilder,
  scope: JoinScope<Knex.Value>,
  own: Knex.QueryCallback | undefined,
): ReadGroups {
  return async (grouped) => {
    const qb = rows.clone().clearSelect().clearOrder();
    for (const join of sortJoinsOf(groupedColumns(grouped), scope.stepsOf)) {
      void qb.joinRaw(...knexRaw(sortJoinSql(qb, join)));
    }
    const { select, groupBy, orderBy } = groupSql(grouped, knexWriter(qb, scope));
    for (const { sql, as } of select) {
      // `select()` is the only function of Knex that accepts raw SQL with bindings here.
      void qb.select(clientOf(qb).raw(...knexRaw([...sql, ' as ', { name: as }])));
    }
    void addConditions(qb, queryConditions(grouped.query), scope, own).limit(grouped.limit);
    for (const name of groupBy) void qb.groupByRaw(name);
    for (const order of orderBy) void qb.orderByRaw(order);
    const found = (await qb) as object[];
    return found.map((row) => groupedRowOf(row, grouped));
  };
}
