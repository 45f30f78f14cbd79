import * as kysely from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import type { SortedColumn, SortJoin } from '../resolve/sort-joins.js';
import { equal, type Tables, type TablesBuilder } from './expressions.js';

const { sql } = kysely;

/** Adds the left join of a sort key to a query, by the query builder, so that `withSchema()` and plugins find the table. */
export function withSortJoin<DB, TB extends keyof DB, O>(
  qb: SelectQueryBuilder<DB, TB, O>,
  { table, alias, columns, on }: SortJoin,
): SelectQueryBuilder<DB, TB, O> {
  const selected = columns.map(({ column, as }) => sql.ref(column).as(as));
  const joined = (qb as unknown as SelectQueryBuilder<Tables, string, object>).leftJoin(
    (eb) => eb.selectFrom(table).select(selected).as(alias),
    (join) =>
      join.on((eb) => eb.and(on.map(([own, equals]) => equal(eb as TablesBuilder, own, equals)))),
  );
  // The types of the query stay: the columns of the join are for the order.
  return joined as unknown as typeof qb;
}

/** Adds the sort keys of related rows to the rows, for cursors. */
export function withSortKeys<DB, TB extends keyof DB, O>(
  qb: SelectQueryBuilder<DB, TB, O>,
  keys: readonly SortedColumn[],
): SelectQueryBuilder<DB, TB, O> {
  return qb.select(keys.map(({ ref, as }) => sql.ref(ref).as(as)));
}
