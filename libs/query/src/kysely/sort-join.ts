import * as kysely from 'kysely';
import type { SelectQueryBuilder, SqlBool } from 'kysely';
import type { SortedColumn, SortJoin } from '../resolve/sort-joins.js';

const { sql } = kysely;

/** Adds the left join of a sort key to a query. */
export function withSortJoin<DB, TB extends keyof DB, O>(
  qb: SelectQueryBuilder<DB, TB, O>,
  { table, alias, columns, on }: SortJoin,
): SelectQueryBuilder<DB, TB, O> {
  const selected = columns.map(({ column, as }) => sql`${sql.ref(column)} as ${sql.id(as)}`);
  const joined = sql<object>`(select ${sql.join(selected)} from ${sql.table(table)})`.as(alias);
  const pairs = on.map(([own, equals]) => sql`${sql.ref(own)} = ${sql.ref(equals)}`);
  const condition = sql<SqlBool>`${sql.join(pairs, sql` and `)}`;
  // The types of the query stay: the columns of the join are for the order.
  return qb.leftJoin(joined, (join) => join.on(condition)) as typeof qb;
}

/** Adds the sort keys of related rows to the rows, for cursors. */
export function withSortKeys<DB, TB extends keyof DB, O>(
  qb: SelectQueryBuilder<DB, TB, O>,
  keys: readonly SortedColumn[],
): SelectQueryBuilder<DB, TB, O> {
  return qb.select(keys.map(({ ref, as }) => sql.ref(ref).as(as)));
}
