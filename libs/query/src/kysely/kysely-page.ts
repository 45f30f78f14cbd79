import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { SearchHook } from '../config/search-hook.js';
import { queryConditions } from '../resolve/query-conditions.js';
import type { RowOf } from '../config/field-config.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import type { DeclaredQueryConfig } from '../resolve/declared-columns.js';
import type { Condition, ResolvedQuery } from '../resolve/resolved-query.js';
import { type SortedColumn, sortedColumnsOf, sortJoinsOf } from '../resolve/sort-joins.js';
import { declaredJoinsOf, type SqlRelation } from '../resolve/sql-join.js';
import { dialectOf } from './dialect.js';
import { conditionOf, type Scope, type TablesBuilder, withColumns } from './expressions.js';
import { type Ordering, orderOf, withOrder } from './order.js';
import { withSortJoin } from './sort-join.js';

/** Declares the columns, because Kysely has only their types. `parseQuery` takes it too. */
export interface KyselyQueryConfig extends DeclaredQueryConfig, SearchHook<Expression<SqlBool>> {
  /** Relations that fields go through, by path, with their joins: `author`, and `author.team` from there. @default none */
  readonly relations?: Readonly<Record<string, SqlRelation>> | undefined;
  /**
   * Converts a value for the driver. That of SQLite accepts neither Dates nor booleans.
   * @default returns the value unchanged
   */
  readonly encode?: ((value: ColumnValue, column: QueryColumn) => unknown) | undefined;
}

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

/** What a config gives besides its columns. */
export function scopeOf(config: KyselyQueryConfig): Scope {
  const { encode = (value) => value } = config;
  return { encode, stepsOf: declaredJoinsOf(config) };
}

function hasText(condition: Condition): boolean {
  if ('conditions' in condition) return condition.conditions.some(hasText);
  return condition.kind === 'exists' ? hasText(condition.condition) : condition.kind === 'text';
}

/**
 * The first page of a query, a function that adds its conditions only, and the sort keys of related rows.
 * @param own of the `search` of the config
 * @param after the rows to start at, for a page by cursor
 */
export function pageOf(
  query: ResolvedQuery,
  scope: Scope,
  own: Expression<SqlBool> | undefined,
  after?: Condition,
): { page: KyselyPage; filtered: Applied; keys: readonly SortedColumn[] } {
  const { fields } = query;
  const { limit } = query.pagination;
  const orderBy = query.sort.flatMap((key) => orderOf(key, scope));
  const conditions = queryConditions(query, after);
  const joins = sortJoinsOf(query.sort, scope.stepsOf);
  const whereIn =
    (place: Scope): KyselyPage['where'] =>
    (eb) =>
      eb.and([
        ...conditions.map((condition) =>
          conditionOf(eb as unknown as TablesBuilder, condition, place),
        ),
        // It may be `a or b`.
        ...(own ? [eb.parens(own)] : []),
      ]);
  const where = whereIn(scope);
  const comparesText = conditions.some(hasText);
  const filtered: Applied = (qb) => {
    const isPostgres = comparesText && dialectOf(qb) === 'postgres';
    return qb.where((eb) => whereIn({ ...scope, isPostgres })(eb));
  };
  const selected: Applied = (qb) => (fields === undefined ? qb : withColumns(qb, fields));
  const join: Applied = (qb) => joins.reduce(withSortJoin, qb);
  const apply: Applied = (qb) =>
    withOrder(filtered(join(selected(qb))), query.sort, scope, after).limit(limit);
  const keys = sortedColumnsOf(query.sort, scope.stepsOf);
  return { page: { where, orderBy, limit, join, apply }, filtered, keys };
}
