import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { SearchHook } from '../config/search-hook.js';
import { queryConditions } from '../resolve/query-conditions.js';
import type { RowOf } from '../config/field-config.js';
import { reachesNulls } from '../page/keyset-condition.js';
import type { Condition, ResolvedField, ResolvedQuery } from '../resolve/resolved-query.js';
import { conditionSql } from '../shared-sql/condition-sql.js';
import { orderKeys, orderSql } from '../shared-sql/order-sql.js';
import { sortJoinsOf } from '../shared-sql/sort-joins.js';
import type { JoinedQueryConfig, JoinScope } from '../shared-sql/sql-join.js';
import { findDialect, kyselyRaw, sql, withSortJoin, kyselyWriter } from './render-sql.js';

/** Declares the columns, because Kysely has only their types. `parseQuery` takes it too. */
export interface KyselyQueryConfig
  extends JoinedQueryConfig<unknown>, SearchHook<Expression<SqlBool>> {}

/** The parts of a page, and `apply`, which adds them to a query. */
export interface KyselyPage<Config = KyselyQueryConfig> {
  /**
   * The conditions, for `qb.where(where)`. True for every row if there are none. `apply` also compares text of columns
   * of PostgreSQL with the collation of the database, because one of their own may refuse it.
   */
  readonly where: <DB, TB extends keyof DB>(eb: ExpressionBuilder<DB, TB>) => Expression<SqlBool>;
  /** Needs the joins of `join`. For every engine; `apply` writes it so that the engine may use an index. */
  readonly orderBy: readonly Ordering[];
  readonly limit: number;
  /**
   * Adds a left join for each sort key of a related row. They add nothing to the rows if the query selects the columns
   * of its own table, as `selectAll('tasks')` does.
   */
  readonly join: <DB, TB extends keyof DB, O>(
    qb: SelectQueryBuilder<DB, TB, O>,
  ) => SelectQueryBuilder<DB, TB, O>;
  /** Adds conditions, joins, order and page to a query. If the query string has `fields`, they replace its columns. */
  readonly apply: <DB, TB extends keyof DB, O>(
    qb: SelectQueryBuilder<DB, TB, O>,
  ) => SelectQueryBuilder<DB, TB, RowOf<Config, O>>;
}

type Applied = KyselyPage['apply'];

/** One key of an `order by`. */
type Ordering = readonly [key: Expression<unknown>, direction: 'asc' | 'desc'];

/**
 * The first page of a query, and a function that adds its conditions only.
 * @param own of the `search` of the config
 * @param after the rows to start at, for a page by cursor
 */
export function buildKyselyPage(
  query: ResolvedQuery,
  scope: JoinScope<unknown>,
  own: Expression<SqlBool> | undefined,
  after?: Condition,
): { page: KyselyPage; filtered: Applied } {
  const { fields, sort } = query;
  const { limit } = query.pagination;
  const conditions = queryConditions(query, after);
  const joins = sortJoinsOf(sort, scope.stepsOf);
  const portable = kyselyWriter('mysql', scope);
  const whereBy =
    (writer: typeof portable): KyselyPage['where'] =>
    (eb) =>
      eb.and([
        ...conditions.map((condition) => kyselyRaw<SqlBool>(conditionSql(condition, writer))),
        // It may be `a or b`.
        ...(own ? [eb.parens(own)] : []),
      ]);
  const orderBy = orderKeys(sort, portable, portable).map((key): Ordering => [
    kyselyRaw(key.sql),
    key.direction,
  ]);
  const filtered: Applied = (qb) => qb.where(whereBy(kyselyWriter(findDialect(qb), scope)));
  const join: Applied = (qb) => joins.reduce(withSortJoin, qb);
  const apply: Applied = (qb) => {
    const writer = kyselyWriter(findDialect(qb), scope);
    const found = join(withMembers(qb, fields)).where(whereBy(writer));
    return orderKeys(sort, writer, writer, reachesNulls(after, sort))
      .reduce((ordered, key) => ordered.orderBy(kyselyRaw(orderSql(key))), found)
      .limit(limit);
  };
  return { page: { where: whereBy(portable), orderBy, limit, join, apply }, filtered };
}

/** Replaces the columns of a query by the members of a row that were asked for, each named as its field. */
function withMembers<DB, TB extends keyof DB, O>(
  qb: SelectQueryBuilder<DB, TB, O>,
  fields: readonly ResolvedField[] | undefined,
): SelectQueryBuilder<DB, TB, O> {
  if (fields === undefined) return qb;
  const columns = fields.map(({ field, name }) => sql.ref(name).as(field));
  // The members are known when the query runs.
  return qb.clearSelect().select(columns) as typeof qb;
}
