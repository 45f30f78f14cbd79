import type { ColumnValue } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { pgTimestamp } from '../resolve/calendar.js';
import { relationsRefused } from '../resolve/declared-relations.js';
import { LIKE_ESCAPE, likePattern } from '../resolve/like-pattern.js';
import type { Condition, ResolvedFilter } from '../resolve/resolved-query.js';
import type { Dialect } from './dialect.js';

/** Adds a value to the parameters of the query, and returns its placeholder: `:fledge_1`. */
export type Bind = (value: string | number | boolean | Date) => string;

/** The SQL of filters and groups, as a function of the alias of the entity. */
export function treeSql(
  condition: Condition,
  bind: Bind,
  dialect: Dialect,
): (alias: string) => string {
  if ('conditions' in condition) {
    const parts = condition.conditions.map((part) => treeSql(part, bind, dialect));
    const joint = condition.kind === 'and' ? ' AND ' : ' OR ';
    return (alias) => `(${parts.map((sql) => sql(alias)).join(joint)})`;
  }
  if (condition.kind === 'exists') throw relationsRefused('TypeORM');
  const sql = conditionSql(condition, bind, dialect);
  return (alias) => sql(`${alias}.${condition.column.name}`);
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
    case 'text': {
      const pattern = bind(likePattern(filter.operator, filter.text));
      const like = filter.negated ? 'NOT LIKE' : 'LIKE';
      return (path) => `LOWER(${path}) ${like} LOWER(${pattern}) ESCAPE '${LIKE_ESCAPE}'`;
    }
    case 'null':
      return (path) => `${path} IS ${filter.isNull ? 'NULL' : 'NOT NULL'}`;
    case 'nothing':
      return () => '1 = 0';
  }
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
