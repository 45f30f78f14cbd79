import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { pgTimestamp } from '../resolve/calendar.js';
import { LIKE_ESCAPE, likePattern, PG_COLLATION } from '../sql/like-pattern.js';
import type { QueryRelation } from '../resolve/relation.js';
import type {
  Condition,
  ExistsCondition,
  ResolvedFilter,
  TextFilter,
} from '../resolve/resolved-query.js';
import type { Dialect } from './dialect.js';
import {
  type Bind,
  inheritanceSql,
  type QueriedEntity,
  relatedColumnSql,
  relatedTablesSql,
} from './related-entity.js';

/** The SQL of conditions, as a function of the alias of the entity. */
export function treeSql(
  condition: Condition,
  bind: Bind,
  entity: QueriedEntity,
): (alias: string) => string {
  if ('conditions' in condition) {
    const parts = condition.conditions.map((part) => treeSql(part, bind, entity));
    const joint = condition.kind === 'and' ? ' AND ' : ' OR ';
    return (alias) => `(${parts.map((sql) => sql(alias)).join(joint)})`;
  }
  if (condition.kind === 'exists') return existsSql(condition, bind, entity);
  const sql = conditionSql(condition, bind, entity.dialect);
  return (alias) => sql(pathOf(condition.column, entity, alias));
}

/** The column in SQL, of a related row with the alias of its relation. */
export function pathOf(
  { name, relation }: QueryColumn,
  entity: QueriedEntity,
  alias: string,
): string {
  return relation === undefined ? `${alias}.${name}` : relatedColumnSql(relation, name, entity);
}

function existsSql(
  { relation, negated, condition }: ExistsCondition,
  bind: Bind,
  entity: QueriedEntity,
): (alias: string) => string {
  const { from, on } = relatedTablesSql(relation, entity);
  const inherited = inheritanceSql(relation, entity, bind) ?? [];
  const inner = treeSql(onRelated(condition, relation), bind, entity);
  return (alias) => {
    const where = [on(alias), inherited, inner(alias)].flat().join(' AND ');
    return `${negated ? 'NOT EXISTS' : 'EXISTS'} (SELECT 1 FROM ${from} WHERE ${where})`;
  };
}

/** The condition with the relation in its columns again, so that they get its alias. */
function onRelated(condition: Condition, relation: QueryRelation): Condition {
  if ('conditions' in condition) {
    const conditions = condition.conditions.map((part) => onRelated(part, relation));
    return { ...condition, conditions };
  }
  if (condition.kind === 'exists') return condition;
  return { ...condition, column: { ...condition.column, relation } };
}

/** The SQL of a condition, as a function of the column's path, such as `task.title`, which TypeORM quotes. */
export function conditionSql(
  filter: ResolvedFilter,
  bind: Bind,
  dialect: Dialect,
): (path: string) => string {
  const operand = (value: ColumnValue): string => {
    // TypeORM writes numbers into the SQL text of SQLite, where Infinity would be read as a column name.
    if (!dialect.isPostgres && (value === Infinity || value === -Infinity)) {
      return value < 0 ? '-9e999' : '9e999';
    }
    const placeholder = bind(bindable(value, dialect));
    const type = comparesAsFloat(filter, dialect) ? decimalTypeOf(String(value)) : undefined;
    return type === undefined ? placeholder : `CAST(${placeholder} AS ${type})`;
  };
  switch (filter.kind) {
    case 'compare': {
      const value = operand(filter.value);
      return (path) => `${path} ${SYMBOLS[filter.operator]} ${value}`;
    }
    case 'between': {
      const from = operand(filter.from);
      const to = operand(filter.to);
      return (path) => `${path} BETWEEN ${from} AND ${to}`;
    }
    case 'in': {
      // One parameter per value: on SQLite, TypeORM does not convert booleans and dates in a list parameter.
      const values = filter.values.map(operand).join(', ');
      return (path) => `${path} ${filter.operator === 'in' ? 'IN' : 'NOT IN'} (${values})`;
    }
    case 'text':
      return textSql(filter, bind, dialect);
    case 'null':
      return (path) => `${path} IS ${filter.isNull ? 'NULL' : 'NOT NULL'}`;
    case 'nothing':
      return () => '1 = 0';
  }
}

function textSql(
  { operator, text, negated }: TextFilter,
  bind: Bind,
  { hasCollations }: Dialect,
): (path: string) => string {
  const pattern = bind(likePattern(operator, text));
  const like = negated ? 'NOT LIKE' : 'LIKE';
  const collation = hasCollations ? ` ${PG_COLLATION}` : '';
  return (path) => `LOWER(${path}${collation}) ${like} LOWER(${pattern}) ESCAPE '${LIKE_ESCAPE}'`;
}

/** Whether the engine compares the column with a parameter as floating point, exact to 15 digits only. */
export function comparesAsFloat({ column }: ResolvedFilter, { isMysql }: Dialect): boolean {
  return isMysql && column.type === 'decimal';
}

/** Converts a value for TypeORM's drivers. */
export function bindable(
  value: ColumnValue,
  { isPostgres }: Dialect,
): string | number | boolean | Date {
  if (typeof value === 'bigint') return value.toString();
  return isPostgres && value instanceof Date ? pgTimestamp(value) : value;
}

const SYMBOLS = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' };
