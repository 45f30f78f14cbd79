import type { EntityManager, FilterQuery } from '@mikro-orm/core';
import { pathOfRelation, type QueryRelation, relationsTo } from '../resolve/relation.js';
import { groupedRowOf, groupSql } from '../shared-sql/group-sql.js';
import { aliasOf } from '../shared-sql/sql-join.js';
import { groupedColumns, type GroupedQuery, type ReadGroups } from '../summary/read-summary.js';
import { type Place, raw, rawOf, rawWriter, relatedEntity } from './condition-where.js';
import { activeFiltersOf, requiredRelationsOf } from './entity-filters.js';
import type { EntityProperties } from './entity-properties.js';

/**
 * A query builder of MikroORM, such as `em.createQueryBuilder(Task)`. The type is only in the
 * driver packages.
 */
export interface MikroOrmSummarySource {
  readonly alias: string;
  clone(): MikroOrmSummarySource;
}

interface Builder extends MikroOrmSummarySource {
  clone(): Builder;
  applyFilters(): Promise<void>;
  applyJoinedFilters(em: EntityManager, options: object): Promise<void>;
  select(fields: readonly unknown[]): Builder;
  leftJoin(path: string, alias: string, condition?: object): Builder;
  andWhere(condition: object): Builder;
  groupBy(fields: readonly unknown[]): Builder;
  orderBy(orders: readonly object[]): Builder;
  limit(limit: number): Builder;
  execute(method: 'all', mapResults: false): Promise<object[]>;
}

/** Applies the same default filters as `em.find`. */
export function groupReader(
  rows: MikroOrmSummarySource,
  entity: EntityProperties,
  place: Place,
  whereOf: (query: GroupedQuery['query']) => FilterQuery<object>,
): ReadGroups {
  return async (grouped) => {
    const builder = (rows as Builder).clone();
    await builder.applyFilters();
    const { select, groupBy, orderBy } = groupSql(
      grouped,
      // The columns of related rows come from the joins.
      rawWriter(
        ({ name, relation }) => ({
          alias: relation ? aliasOf(pathOfRelation(relation)) : builder.alias,
          column: relatedEntity(entity, relation).columnNameOf(name),
        }),
        place.engine,
      ),
    );
    await addJoins(builder, grouped, entity, place.em);
    builder
      .select(select.map(({ sql, as }) => rawOf([...sql, ` as ${as}`], place.engine)))
      .limit(grouped.limit);
    builder.andWhere(whereOf(grouped.query));
    builder.andWhere(await requiredRelationsOf(place.em, entity.metadata));
    // Applies the filters of related rows in conditions, like `em.find()`.
    await builder.applyJoinedFilters(place.em, {});
    if (groupBy.length > 0) builder.groupBy(groupBy.map((name) => raw(name)));
    const orders = orderBy.map((order) => {
      const [name = '', ...direction] = order.split(' ');
      return { [raw(name)]: direction.join(' ') };
    });
    if (orders.length > 0) builder.orderBy(orders);
    const found = await builder.execute('all', false);
    return found.map((row) => groupedRowOf(row, grouped));
  };
}

/** Omits rows that default filters hide. */
async function addJoins(
  builder: Builder,
  grouped: GroupedQuery,
  entity: EntityProperties,
  em: EntityManager,
): Promise<void> {
  const relations = new Map<string, QueryRelation>();
  for (const { column } of groupedColumns(grouped)) {
    for (const relation of relationsTo(column.relation)) {
      relations.set(pathOfRelation(relation), relation);
    }
  }
  for (const [path, relation] of relations) {
    const outer = relation.from ? aliasOf(pathOfRelation(relation.from)) : builder.alias;
    const filters = await activeFiltersOf(em, relatedEntity(entity, relation).metadata);
    builder.leftJoin(
      `${outer}.${relation.name}`,
      aliasOf(path),
      filters.length > 0 ? { $and: filters } : undefined,
    );
  }
}
