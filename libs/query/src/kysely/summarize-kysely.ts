import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import { queryConditions } from '../resolve/query-conditions.js';
import { groupedRowOf, groupSql } from '../shared-sql/group-sql.js';
import type { JoinScope } from '../shared-sql/sql-join.js';
import { sortJoinsOf } from '../shared-sql/sort-joins.js';
import { groupedColumns, type ReadGroups } from '../summary/read-summary.js';
import { withConditions } from './kysely-page.js';
import { findDialect, kyselyRaw, kyselyWriter, sql, withSortJoin } from './render-sql.js';

/** @param own the condition of the config's `search` */
export function groupReader<DB, TB extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, TB, O>,
  scope: JoinScope<unknown>,
  own: Expression<SqlBool> | undefined,
): ReadGroups {
  const dialect = findDialect(rows);
  return async (grouped) => {
    const { select, groupBy, orderBy } = groupSql(grouped, kyselyWriter(dialect, scope));
    const conditions = queryConditions(grouped.query);
    const joined = sortJoinsOf(groupedColumns(grouped), scope.stepsOf).reduce(
      withSortJoin,
      rows.clearSelect().clearOrderBy(),
    );
    let qb = withConditions(joined, conditions, scope, own)
      .select(select.map((column) => kyselyRaw(column.sql).as(column.as)))
      .limit(grouped.limit);
    for (const name of groupBy) qb = qb.groupBy(sql.raw(name));
    for (const order of orderBy) qb = qb.orderBy(sql.raw(order));
    const found = (await qb.execute()) as object[];
    return found.map((row) => groupedRowOf(row, grouped));
  };
}
