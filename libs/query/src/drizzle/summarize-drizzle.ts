import { queryConditions } from '../resolve/query-conditions.js';
import { conditionSql } from '../shared-sql/condition-sql.js';
import { groupedRowOf, groupSql } from '../shared-sql/group-sql.js';
import { pathOfRelation, relationsTo } from '../resolve/relation.js';
import { groupedColumns, type GroupedQuery, type ReadGroups } from '../summary/read-summary.js';
import { sourceOf } from './drizzle-column.js';
import { type AliasedSql, and, type SQL, sql } from './drizzle-orm.js';
import type { RelatedTables } from './related-tables.js';
import { rawOf, type Scope, writerFor } from './render-sql.js';

/** Selects the rows to summarize: `(select, where) => db.select(select).from(tasks).where(where)`. */
export type DrizzleSummarySource = (
  select: Record<string, AliasedSql>,
  where: SQL | undefined,
) => object;

/** The methods that `select()` has in every dialect. Their exact types depend on the table. */
interface GroupedSelect extends PromiseLike<object[]> {
  leftJoin(table: SQL, on: SQL | undefined): GroupedSelect;
  groupBy(...columns: SQL[]): GroupedSelect;
  orderBy(...columns: SQL[]): GroupedSelect;
  limit(limit: number): GroupedSelect;
}

/** @param own the condition of the config's `search` */
export function groupReader(
  rows: DrizzleSummarySource,
  scope: Scope,
  own: SQL | undefined,
): ReadGroups {
  const writer = writerFor(scope);
  return async (grouped) => {
    const { select, groupBy, orderBy } = groupSql(grouped, writer);
    const fields = select.map(({ as, sql: parts, decodedBy }): [string, AliasedSql] => {
      // Drizzle omits the table of a column, even in a subquery. It writes the table only if the
      // column is inside other SQL.
      const inner = sql`${rawOf(parts)}`;
      return [as, (decodedBy ? inner.mapWith(sourceOf(decodedBy)) : inner).as(as)];
    });
    const conditions = queryConditions(grouped.query).map((part) =>
      rawOf(conditionSql(part, writer)),
    );
    const where = and(...conditions, own && sql`(${own})`);
    let found = rows(Object.fromEntries(fields), where) as GroupedSelect;
    for (const { joined, on } of tablesOf(grouped, scope))
      found = found.leftJoin(joined, and(...on));
    if (groupBy.length > 0) found = found.groupBy(...groupBy.map((name) => sql.raw(name)));
    if (orderBy.length > 0) found = found.orderBy(...orderBy.map((order) => sql.raw(order)));
    return (await found.limit(grouped.limit)).map((row) => groupedRowOf(row, grouped));
  };
}

/** Each table comes after the table from which its relation starts. */
function tablesOf(grouped: GroupedQuery, { related }: Scope): RelatedTables[] {
  const paths = groupedColumns(grouped).flatMap(({ column }) =>
    relationsTo(column.relation).map(pathOfRelation),
  );
  return [...new Set(paths)].map((path) => related.get(path) as RelatedTables);
}
