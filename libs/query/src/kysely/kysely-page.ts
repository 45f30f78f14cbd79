import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Condition } from '../cursor/keyset.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import type { DeclaredQueryConfig } from '../resolve/declared-columns.js';
import type { ResolvedQuery } from '../resolve/resolved-query.js';
import { conditionOf, type Ordering, orderOf, searchOf } from './expressions.js';

/** Kysely knows columns as types alone, so they are declared. Also parses. */
export interface KyselyQueryConfig extends DeclaredQueryConfig {
  /**
   * What a value is to the driver. SQLite's, for one, takes neither Dates nor booleans.
   * @default the value itself
   */
  readonly encode?: ((value: ColumnValue, column: QueryColumn) => unknown) | undefined;
}

/** The parts of a page, and a function that puts them all in. */
export interface KyselyPage {
  /** What rows have to meet: `qb.where(where)`. True of every row where nothing is asked. */
  readonly where: <DB, TB extends keyof DB>(eb: ExpressionBuilder<DB, TB>) => Expression<SqlBool>;
  readonly orderBy: readonly Ordering[];
  readonly limit: number;
  /** The page of a query. */
  readonly apply: <DB, TB extends keyof DB, O>(
    qb: SelectQueryBuilder<DB, TB, O>,
  ) => SelectQueryBuilder<DB, TB, O>;
}

/** The first page of the rows that meet all conditions and the search. */
export function pageOf(
  { search, sort, pagination }: ResolvedQuery,
  conditions: readonly Condition[],
  { encode = (value) => value }: KyselyQueryConfig,
): { page: KyselyPage; filtered: KyselyPage['apply'] } {
  const { limit } = pagination;
  const orderBy = sort.flatMap(orderOf);
  const where: KyselyPage['where'] = (eb) =>
    eb.and([
      ...conditions.map((condition) => conditionOf(eb, condition, encode)),
      ...(search === undefined ? [] : [searchOf(eb, search)]),
    ]);
  const filtered: KyselyPage['apply'] = (qb) => qb.where((eb) => where(eb));
  const apply: KyselyPage['apply'] = (qb) =>
    orderBy
      .reduce((ordered, [key, direction]) => ordered.orderBy(key, direction), filtered(qb))
      .limit(limit);
  return { page: { where, orderBy, limit, apply }, filtered };
}
