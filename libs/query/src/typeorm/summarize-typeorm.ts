import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { queryConditions } from '../resolve/query-conditions.js';
import { groupedRowOf, groupSql } from '../shared-sql/group-sql.js';
import { groupedColumns, type ReadGroups } from '../summary/read-summary.js';
import { type TypeOrmCondition, uniquelyNamed } from './own-condition.js';
import { addConditions, addJoins, bindTo } from './query-builder.js';
import type { QueriedEntity } from './related-entity.js';
import { sqlFor, typeOrmWriter } from './render-sql.js';

/** @param own the condition of the config's `search` */
export function groupReader(
  rows: SelectQueryBuilder<ObjectLiteral>,
  entity: QueriedEntity,
  own: TypeOrmCondition | undefined,
): ReadGroups {
  const { ordersByDefinition } = entity.dialect;
  return async (grouped) => {
    // The default order of the entity is not in GROUP BY.
    const builder = rows.clone().setOption('disable-global-order').select([]).orderBy();
    const writer = { ...typeOrmWriter(entity, bindTo(builder)), ordersByDefinition };
    const { select, groupBy, orderBy } = groupSql(grouped, writer);
    for (const { column } of groupedColumns(grouped)) addJoins(builder, column, entity);
    for (const { sql, as } of select) builder.addSelect(sqlFor(sql, builder.alias), as);
    addConditions(builder, queryConditions(grouped.query), entity, own && uniquelyNamed(own));
    for (const name of groupBy) builder.addGroupBy(name);
    for (const order of orderBy) {
      const [name = '', direction, nulls] = order.split(' ');
      builder.addOrderBy(
        name,
        direction === 'desc' ? 'DESC' : 'ASC',
        nulls === undefined ? undefined : 'NULLS FIRST',
      );
    }
    const found: object[] = await builder.limit(grouped.limit).getRawMany();
    return found.map((row) => groupedRowOf(row, grouped));
  };
}
