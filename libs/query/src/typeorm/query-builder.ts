import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { queryConditions } from '../cursor/query-conditions.js';
import type { QueryColumn } from '../resolve/column.js';
import { hasNativeNulls } from '../resolve/native-nulls.js';
import { relationsTo } from '../resolve/relation.js';
import type {
  Condition,
  ResolvedField,
  ResolvedQuery,
  ResolvedSort,
} from '../resolve/resolved-query.js';
import { type Bind, pathOf, treeSql } from './condition-sql.js';
import { Brackets, parameterName } from './find-operator.js';
import { nullsOf } from './find-options.js';
import { aliasOfRelation, type QueriedEntity } from './related-entity.js';

type Builder = SelectQueryBuilder<ObjectLiteral>;

/**
 * Adds conditions, order and page to a query builder.
 * @param after the rows to start at, for a page by cursor
 */
export function applyQuery<B extends Builder>(
  builder: B,
  query: ResolvedQuery,
  entity: QueriedEntity,
  after?: Condition,
): B {
  if (query.fields) selectOnly(builder, query.fields);
  for (const { column } of query.sort) addJoins(builder, column);
  addConditions(builder, queryConditions(query, after), entity);
  const fetched = query.fields && new Set(query.fields.map(({ name }) => name));
  for (const key of query.sort) {
    const isFetched = fetched === undefined || fetched.has(key.column.name);
    addKey(builder, key, entity, isFetched ? 'fetched' : 'hidden');
  }
  return builder.skip(query.pagination.offset).take(query.pagination.limit);
}

/** Replaces the columns of the entity by the members that were asked for. Columns of joined entities stay. */
function selectOnly(builder: Builder, fields: readonly ResolvedField[]): void {
  const { alias, expressionMap } = builder;
  expressionMap.selects = expressionMap.selects.filter(
    ({ selection }) => selection !== alias && !selection.startsWith(`${alias}.`),
  );
  builder.addSelect(fields.map(({ name }) => `${alias}.${name}`));
}

/** Joins the relations of a sort key without selecting them. */
function addJoins(builder: Builder, { relation }: QueryColumn): void {
  for (const passed of relationsTo(relation)) {
    const alias = aliasOfRelation(passed);
    const outer = passed.from ? aliasOfRelation(passed.from) : builder.alias;
    const isJoined = builder.expressionMap.joinAttributes.some((join) => join.alias.name === alias);
    if (!isJoined) builder.leftJoin(`${outer}.${passed.name}`, alias);
  }
}

function addConditions(
  builder: Builder,
  conditions: readonly Condition[],
  entity: QueriedEntity,
): void {
  if (conditions.length === 0) return;
  const bind: Bind = (value) => {
    const name = parameterName();
    builder.setParameter(name, value);
    return `:${name}`;
  };
  bracketWhere(builder);
  builder.andWhere(
    new Brackets((all) => {
      for (const condition of conditions)
        all.andWhere(treeSql(condition, bind, entity)(builder.alias));
    }),
  );
}

/** Puts the caller's `a OR b` in brackets. Otherwise `a OR b AND ours` would match every row of `a`. */
function bracketWhere({ expressionMap }: Builder): void {
  if (expressionMap.wheres.length === 0) return;
  expressionMap.wheres = [
    { type: 'simple', condition: { operator: 'brackets', condition: expressionMap.wheres } },
  ];
}

function addKey(
  builder: Builder,
  key: ResolvedSort,
  entity: QueriedEntity,
  kind: 'fetched' | 'hidden',
): void {
  const { dialect } = entity;
  const { type, relation } = key.column;
  const column = pathOf(key.column, entity, builder.alias);
  const direction = key.direction === 'asc' ? 'ASC' : 'DESC';
  const nulls = nullsOf(key);
  const selected = (sql: string, as: string) => addSelected(builder, key.column, sql, as);
  const addNulls = () =>
    builder.addOrderBy(
      selected(`${column} IS NULL`, 'is_null'),
      nulls === 'FIRST' ? 'DESC' : 'ASC',
    );
  if (relation !== undefined) {
    // TypeORM could order by the property of a joined entity only if it selected that entity.
    addNulls();
    builder.addOrderBy(selected(`COALESCE(${column}, ${column})`, 'key'), direction);
    return;
  }
  // In parentheses, TypeORM does not make a member of the entity of it.
  const path = kind === 'fetched' ? column : selected(`(${column})`, 'key');
  if (!hasNativeNulls(key, dialect.nullRank)) {
    if (dialect.placesNulls) {
      builder.addOrderBy(path, direction, `NULLS ${nulls}`);
      return;
    }
    addNulls();
  }
  // MySQL orders an enum by its definition but compares it as text; COALESCE() orders it as text.
  const isEnum = dialect.isMysql && type === 'enum';
  builder.addOrderBy(
    isEnum ? selected(`COALESCE(${column}, ${column})`, 'as_text') : path,
    direction,
  );
}

/** Selects SQL under an alias, and returns it: with joins and a page, TypeORM can order by columns only. */
function addSelected(
  builder: Builder,
  { name, relation }: QueryColumn,
  sql: string,
  as: string,
): string {
  const owner = relation ? `${aliasOfRelation(relation)}_` : '';
  const alias = `${owner}${name.replaceAll('.', '_')}_${as}`;
  builder.addSelect(sql, alias);
  return alias;
}
