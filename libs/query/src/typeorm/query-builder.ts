import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { queryConditions } from '../cursor/query-conditions.js';
import type { Condition, ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { type Bind, treeSql } from './condition-sql.js';
import type { Dialect } from './dialect.js';
import { Brackets, parameterName } from './find-operator.js';
import { putsNullsFirst } from './find-options.js';

type Builder = SelectQueryBuilder<ObjectLiteral>;

/**
 * Adds conditions, order and page to a query builder.
 * @param after the rows to start at, for a page by cursor
 */
export function applyQuery<B extends Builder>(
  builder: B,
  query: ResolvedQuery,
  dialect: Dialect,
  after?: Condition,
): B {
  addConditions(builder, queryConditions(query, after), dialect);
  for (const key of query.sort) addKey(builder, key, dialect);
  return builder.skip(query.pagination.offset).take(query.pagination.limit);
}

function addConditions(builder: Builder, conditions: readonly Condition[], dialect: Dialect): void {
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
        all.andWhere(treeSql(condition, bind, dialect)(builder.alias));
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

function addKey(builder: Builder, key: ResolvedSort, dialect: Dialect): void {
  const { name, type } = key.column;
  const path = `${builder.alias}.${name}`;
  const direction = key.direction === 'asc' ? 'ASC' : 'DESC';
  // Selected under an alias: with joins and a page, TypeORM can order by columns only.
  const selected = (sql: string, as: string): string => {
    const alias = `${name.replaceAll('.', '_')}_${as}`;
    builder.addSelect(sql, alias);
    return alias;
  };
  const nullsFirst = putsNullsFirst(key, dialect);
  if (nullsFirst && dialect.hasNullsLast) {
    builder.addOrderBy(path, direction, 'NULLS LAST');
    return;
  }
  if (nullsFirst) builder.addOrderBy(selected(`${path} IS NULL`, 'is_null'), 'ASC');
  // MySQL orders an enum by its definition but compares it as text; COALESCE() orders it as text.
  const isEnum = dialect.isMysql && type === 'enum';
  builder.addOrderBy(isEnum ? selected(`COALESCE(${path}, ${path})`, 'as_text') : path, direction);
}
