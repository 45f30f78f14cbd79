// Types alone: the query builder that is given brings Knex with it.
import type { Knex } from 'knex';
import type { Condition } from '../cursor/keyset.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import type { DeclaredQueryConfig } from '../resolve/declared-columns.js';
import type { ResolvedQuery } from '../resolve/resolved-query.js';
import { conditionOf, orderOf, searchOf } from './fragments.js';

/** Knex knows no columns, so they are declared. Also parses. */
export interface KnexQueryConfig extends DeclaredQueryConfig {
  /**
   * What a value is to the driver, where a column keeps it differently: a timestamp as text in SQLite.
   * @default the value itself
   */
  readonly encode?: ((value: ColumnValue, column: QueryColumn) => Knex.Value) | undefined;
}

/** A function that puts a page into a query builder, which it changes and returns. */
export interface KnexPage {
  /** The page of a query. */
  readonly apply: <QB extends Knex.QueryBuilder>(qb: QB) => QB;
}

/** The first page of the rows that meet all conditions and the search. */
export function pageOf(
  { search, sort, pagination }: ResolvedQuery,
  conditions: readonly Condition[],
  { encode = (value) => value as Knex.Value }: KnexQueryConfig,
): { page: KnexPage; filtered: KnexPage['apply'] } {
  const where = conditions.map((condition) => conditionOf(condition, encode));
  if (search !== undefined) where.push(searchOf(search));
  const orderBy = sort.flatMap(orderOf);
  const filtered: KnexPage['apply'] = (qb) => {
    for (const { sql, bindings } of where) void qb.whereRaw(sql, bindings);
    return qb;
  };
  const apply: KnexPage['apply'] = (qb) => {
    void filtered(qb).limit(pagination.limit);
    for (const { sql, bindings } of orderBy) void qb.orderByRaw(sql, bindings);
    return qb;
  };
  return { page: { apply }, filtered };
}
