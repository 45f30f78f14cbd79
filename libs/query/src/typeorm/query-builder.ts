import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { queryConditions } from '../resolve/query-conditions.js';
import type { QueryColumn } from '../resolve/column.js';
import { pathOfColumn, relationsTo } from '../resolve/relation.js';
import type {
  Condition,
  ResolvedField,
  ResolvedQuery,
  ResolvedSort,
} from '../resolve/resolved-query.js';
import { conditionSql } from '../shared-sql/condition-sql.js';
import { groupedRowOf, groupSql } from '../shared-sql/group-sql.js';
import { type OrderEngine, orderKeys } from '../shared-sql/order-sql.js';
import { aliasOf } from '../shared-sql/sql-join.js';
import { groupedColumns, type ReadGroups } from '../summary/read-summary.js';
import { hasSpellings, sqlFor, typeOrmWriter } from './render-sql.js';
import { Brackets } from './find-operator.js';
import {
  type BoundCondition,
  type TypeOrmCondition,
  uniquelyNamed,
  parameterName,
} from './typeorm-condition.js';
import {
  aliasOfRelation,
  type Bind,
  inheritanceSql,
  type QueriedEntity,
} from './related-entity.js';

type Builder = SelectQueryBuilder<ObjectLiteral>;

/** Conditions of a page that are not in the parsed query. */
interface MoreConditions {
  /** The condition of the config's `search`. */
  readonly own: TypeOrmCondition | undefined;
  /** The condition of the cursor, for a page with a cursor. */
  readonly after?: Condition | undefined;
}

/** Adds conditions, order and page to a query builder. */
export function applyQuery<B extends Builder>(
  builder: B,
  query: ResolvedQuery,
  entity: QueriedEntity,
  { own, after }: MoreConditions,
): B {
  if (query.fields) selectOnly(builder, query.fields);
  for (const { column } of query.sort) addJoins(builder, column, entity);
  addConditions(builder, queryConditions(query, after), entity, own && uniquelyNamed(own));
  for (const key of query.sort) {
    addKey(builder, key, entity);
  }
  return builder.skip(query.pagination.offset).take(query.pagination.limit);
}

/** Keeps the columns of joined entities. */
function selectOnly(builder: Builder, fields: readonly ResolvedField[]): void {
  const { alias, expressionMap } = builder;
  expressionMap.selects = expressionMap.selects.filter(
    ({ selection }) => selection !== alias && !selection.startsWith(`${alias}.`),
  );
  builder.addSelect(fields.map(({ name }) => `${alias}.${name}`));
}

/** If a query has joins and a page, TypeORM can sort only by selected columns. */
function isFetched(
  { alias, expressionMap }: Builder,
  { name }: QueryColumn,
  { metadata }: QueriedEntity,
): boolean {
  const selects = (selection: string) =>
    expressionMap.selects.some((select) => select.selection === selection);
  if (selects(`${alias}.${name}`)) return true;
  // Columns with `select: false` are not selected with the entity.
  if (selects(alias)) return metadata.findColumnWithPropertyPath(name)?.isSelect !== false;
  return expressionMap.joinAttributes.length === 0;
}

/** Joins the relations of a sort key or a group. Does not select their columns. */
function addJoins(builder: Builder, { relation }: QueryColumn, entity: QueriedEntity): void {
  for (const passed of relationsTo(relation)) {
    const alias = aliasOfRelation(passed);
    const outer = passed.from ? aliasOfRelation(passed.from) : builder.alias;
    const isJoined = builder.expressionMap.joinAttributes.some((join) => join.alias.name === alias);
    if (isJoined) continue;
    const condition = inheritanceSql(passed, entity, bindTo(builder));
    builder.leftJoin(`${outer}.${passed.name}`, alias, condition);
  }
}

function addConditions(
  builder: Builder,
  conditions: readonly Condition[],
  entity: QueriedEntity,
  own: BoundCondition | undefined,
): void {
  if (conditions.length === 0 && own === undefined) return;
  const writer = typeOrmWriter(entity, bindTo(builder));
  bracketWhere(builder);
  builder.andWhere(
    new Brackets((all) => {
      for (const condition of conditions)
        all.andWhere(sqlFor(conditionSql(condition, writer), builder.alias));
      if (own) all.andWhere(own.sql(builder.alias), own.parameters);
    }),
  );
}

function bindTo(builder: Builder): Bind {
  return (value) => {
    const name = parameterName();
    builder.setParameter(name, value);
    return `:${name}`;
  };
}

/**
 * Puts the caller's `a OR b` in parentheses. Otherwise, `a OR b AND ours` would match all rows that
 * match `a`.
 */
function bracketWhere({ expressionMap }: Builder): void {
  if (expressionMap.wheres.length === 0) return;
  expressionMap.wheres = [
    { type: 'simple', condition: { operator: 'brackets', condition: expressionMap.wheres } },
  ];
}

function addKey(builder: Builder, key: ResolvedSort, entity: QueriedEntity): void {
  const { relation } = key.column;
  const writer = typeOrmWriter(entity, bindTo(builder));
  const isOwn = relation === undefined && isFetched(builder, key.column, entity);
  for (const by of orderKeys([key], writer, relation ? JOINED : entity.dialect)) {
    const isColumn = by.sql.length === 1 && !hasSpellings(key.column, entity.dialect);
    const sql = sqlFor(by.sql, builder.alias);
    const as = sql.endsWith(' is null') ? 'is_null' : 'key';
    builder.addOrderBy(
      // In parentheses, because TypeORM would otherwise read the SQL as a property of the entity.
      isColumn && isOwn ? sql : addSelected(builder, key.column, isColumn ? `(${sql})` : sql, as),
      by.direction === 'asc' ? 'ASC' : 'DESC',
      by.nulls && (by.nulls === 'first' ? 'NULLS FIRST' : 'NULLS LAST'),
    );
  }
}

/** TypeORM could sort by a property of a joined entity only if the entity were selected. */
const JOINED: OrderEngine = { placesNulls: false, ordersByDefinition: () => true };

/** Returns the alias. If a query has joins and a page, TypeORM can sort only by columns. */
function addSelected(builder: Builder, column: QueryColumn, sql: string, as: string): string {
  // Several sort keys may be in one JSON column.
  const { orderBys } = builder.expressionMap;
  const inner = column.json === undefined ? '' : `${Object.keys(orderBys).length}_`;
  const alias = `${aliasOf(pathOfColumn(column))}_${inner}${as}`;
  builder.addSelect(sql, alias);
  return alias;
}

/** @param own the condition of the config's `search` */
export function groupReader(
  rows: Builder,
  entity: QueriedEntity,
  own: TypeOrmCondition | undefined,
): ReadGroups {
  return async (grouped) => {
    // The default order of the entity is not in GROUP BY.
    const builder = rows.clone().setOption('disable-global-order').select([]).orderBy();
    const { select, groupBy, orderBy } = groupSql(grouped, typeOrmWriter(entity, bindTo(builder)));
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
