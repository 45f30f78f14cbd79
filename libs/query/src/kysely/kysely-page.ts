import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { SearchHook } from '../config/search-hook.js';
import { queryConditions } from '../resolve/query-conditions.js';
import type { RowOf } from '../config/field-config.js';
import { reachesNulls } from '../page/keyset-condition.js';
import type { Condition, ResolvedField, ResolvedQuery } from '../resolve/resolved-query.js';
import { conditionSql } from '../shared-sql/condition-sql.js';
import { groupedRowOf, groupSql } from '../shared-sql/group-sql.js';
import { orderKeys, orderSql } from '../shared-sql/order-sql.js';
import { sortJoinsOf } from '../shared-sql/sort-joins.js';
import type { JoinedQueryConfig, JoinScope } from '../shared-sql/sql-join.js';
import { groupedColumns, type ReadGroups } from '../summary/read-summary.js';
import { kyselyRaw, sql, withSortJoin, kyselyWriter } from './render-sql.js';

/**
 * Declares the columns, because Kysely has only the TypeScript types of columns. `parseQuery` also
 * accepts this config.
 */
export interface KyselyQueryConfig
  extends JoinedQueryConfig<unknown>, SearchHook<Expression<SqlBool>> {}

/** Adds a page to a query. */
export interface KyselyPage<Config = KyselyQueryConfig> {
  /**
   * Adds conditions, order and page to a query. Adds a left join for each sort key of a related
   * row. The join adds no columns to the rows if you select only the columns of your table:
   * `selectAll('tasks')`. If the query string has `fields`, these fields replace the selected
   * columns.
   */
  readonly apply: <DB, TB extends keyof DB, O>(
    qb: SelectQueryBuilder<DB, TB, O>,
  ) => SelectQueryBuilder<DB, TB, RowOf<Config, O>>;
}

type Apply = KyselyPage['apply'];

/**
 * `filtered` adds only the conditions.
 * @param own the condition of the config's `search`
 * @param after the condition of the cursor, for a page with a cursor
 */
export function buildKyselyPage(
  { fields, pagination, sort, ...query }: ResolvedQuery,
  scope: JoinScope<unknown>,
  own: Expression<SqlBool> | undefined,
  after?: Condition,
): { apply: Apply; filtered: Apply } {
  const conditions = queryConditions(query, after);
  const joins = sortJoinsOf(sort, scope.stepsOf);
  const filtered: Apply = (qb) => withConditions(qb, conditions, kyselyWriter(qb, scope), own);
  const apply: Apply = (qb) => {
    const writer = kyselyWriter(qb, scope);
    const joined = joins.reduce(withSortJoin, withMembers(qb, fields));
    const found = withConditions(joined, conditions, writer, own);
    return orderKeys(sort, writer, writer, reachesNulls(after, sort))
      .reduce((ordered, key) => ordered.orderBy(kyselyRaw(orderSql(key))), found)
      .limit(pagination.limit);
  };
  return { apply, filtered };
}

/** @param own the condition of the config's `search` */
function withConditions<DB, TB extends keyof DB, O>(
  qb: SelectQueryBuilder<DB, TB, O>,
  conditions: readonly Condition[],
  writer: ReturnType<typeof kyselyWriter>,
  own: Expression<SqlBool> | undefined,
): SelectQueryBuilder<DB, TB, O> {
  return qb.where((eb) =>
    eb.and([
      ...conditions.map((condition) => kyselyRaw<SqlBool>(conditionSql(condition, writer))),
      // In parentheses, because the condition may be `a or b`.
      ...(own ? [eb.parens(own)] : []),
    ]),
  );
}

/** Each column gets the name of its field. */
function withMembers<DB, TB extends keyof DB, O>(
  qb: SelectQueryBuilder<DB, TB, O>,
  fields: readonly ResolvedField[] | undefined,
): SelectQueryBuilder<DB, TB, O> {
  if (fields === undefined) return qb;
  const columns = fields.map(({ field, name }) => sql.ref(name).as(field));
  // TypeScript cannot infer the type, because the fields are known only at run time.
  return qb.clearSelect().select(columns) as typeof qb;
}

/** @param own the condition of the config's `search` */
export function groupReader<DB, TB extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, TB, O>,
  scope: JoinScope<unknown>,
  own: Expression<SqlBool> | undefined,
): ReadGroups {
  return async (grouped) => {
    const writer = kyselyWriter(rows, scope);
    const { select, groupBy, orderBy } = groupSql(grouped, writer);
    const conditions = queryConditions(grouped.query);
    const joined = sortJoinsOf(groupedColumns(grouped), scope.stepsOf).reduce(
      withSortJoin,
      rows.clearSelect().clearOrderBy(),
    );
    let qb = withConditions(joined, conditions, writer, own)
      .select(select.map((column) => kyselyRaw(column.sql).as(column.as)))
      .limit(grouped.limit);
    for (const name of groupBy) qb = qb.groupBy(sql.raw(name));
    for (const order of orderBy) qb = qb.orderBy(sql.raw(order));
    const found = (await qb.execute()) as object[];
    return found.map((row) => groupedRowOf(row, grouped));
  };
}
