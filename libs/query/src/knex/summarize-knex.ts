import type { Knex } from 'knex';
import { queryConditions } from '../resolve/query-conditions.js';
import { groupedRowOf, groupSql } from '../shared-sql/group-sql.js';
import type { JoinScope } from '../shared-sql/sql-join.js';
import { sortJoinsOf } from '../shared-sql/sort-joins.js';
import { groupedColumns, type ReadGroups } from '../summary/read-summary.js';
import { addConditions } from './knex-page.js';
import { knexRaw, knexWriter, sortJoinSql } from './render-sql.js';

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
    const writer = knexWriter(qb, scope);
    const { select, groupBy, orderBy } = groupSql(grouped, writer);
    for (const { sql, as } of select) {
      const [text, bindings] = knexRaw([...sql, ' as ', { name: as }]);
      // `select()` is the only function of Knex that accepts raw SQL with bindings here.
      void qb.select((qb as unknown as WithClient).client.raw(text, bindings));
    }
    void addConditions(qb, queryConditions(grouped.query), scope, own).limit(grouped.limit);
    for (const name of groupBy) void qb.groupByRaw(name);
    for (const order of orderBy) void qb.orderByRaw(order);
    const found = (await qb) as object[];
    return found.map((row) => groupedRowOf(row, grouped));
  };
}

interface WithClient {
  readonly client: { raw(sql: string, bindings: readonly Knex.Value[]): Knex.Raw };
}
