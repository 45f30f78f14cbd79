import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { queryConditions } from '../cursor/query-conditions.js';
import type {
  Condition,
  ResolvedField,
  ResolvedQuery,
  ResolvedSort,
} from '../resolve/resolved-query.js';
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
  if (query.fields) selectOnly(builder, query.fields);
  addConditions(builder, queryConditions(query, after), dialect);
  const fetched = query.fields && new Set(query.fields.map(({ name }) => name));
  for (const key of query.sort) {
    const isFetched = fetched === undefined || fetched.has(key.column.name);
    addKey(builder, key, dialect, isFetched ? 'fetched' : 'hidden');
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

function addKey(
  builder: Builder,
  key: ResolvedSort,
  dialect: Dialect,
  kind: 'fetched' | 'hidden',
): void {
  const { name, type } = key.column;
  const column = `${builder.alias}.${name}`;
  const direction = key.direction === 'asc' ? 'ASC' : 'DESC';
  // Selected under an alias: with joins and a page, TypeORM can order by columns only.
  const selected = (sql: string, as: string): string => {
    const alias = `${name.replaceAll('.', '_')}_${as}`;
    builder.addSelect(sql, alias);
    return alias;
  };
  // In parentheses, TypeORM does not make a member of the entity of it.
  const path = kind === 'fetched' ? column : selected(`(${column})`, 'key');
  const nullsFirst = putsNullsFirst(key, dialect);
  if (nullsFirst && dialect.hasNullsLast) {
    builder.addOrderBy(path, direction, 'NULLS LAST');
    return;
  }
  if (nullsFirst) builder.addOrderBy(selected(`${column} IS NULL`, 'is_null'), 'ASC');
  // MySQL orders an enum by its definition but compares it as text; COALESCE() orders it as text.
  const isEnum = dialect.isMysql && type === 'enum';
  builder.addOrderBy(
    isEnum ? selected(`COALESCE(${column}, ${column})`, 'as_text') : path,
    direction,
  );
}
