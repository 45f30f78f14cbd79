import type { ColumnValue } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { pgTimestamp } from '../resolve/calendar.js';
import { LIKE_ESCAPE, likePattern } from '../resolve/like-pattern.js';
import type { ResolvedFilter } from '../resolve/resolved-query.js';
import type { Dialect } from './dialect.js';

/** Gives a value to the query and its placeholder back: `:fledge_1`. */
export type Bind = (value: string | number | boolean | Date) => string;

/** A condition over the path of its column: `task.title`, which TypeORM turns into a quoted name. */
export function conditionSql(
  filter: ResolvedFilter,
  bind: Bind,
  dialect: Dialect,
): (path: string) => string {
  const operand = (value: ColumnValue): string => {
    // TypeORM writes numbers into the SQL of SQLite, where Infinity would be the name of a column.
    if (!dialect.isPostgres && (value === Infinity || value === -Infinity)) {
      return value < 0 ? '-9e999' : '9e999';
    }
    const place = bind(bindable(value, dialect));
    const type = comparesAsFloat(filter, dialect) ? decimalTypeOf(String(value)) : undefined;
    return type === undefined ? place : `CAST(${place} AS ${type})`;
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
      // One by one, because TypeORM does not convert booleans and dates in a spread list on SQLite.
      const values = filter.values.map(operand).join(', ');
      return (path) => `${path} ${filter.operator === 'in' ? 'IN' : 'NOT IN'} (${values})`;
    }
    case 'text': {
      const pattern = bind(likePattern(filter.operator, filter.text));
      return (path) => `LOWER(${path}) LIKE LOWER(${pattern}) ESCAPE '${LIKE_ESCAPE}'`;
    }
    case 'null':
      return (path) => `${path} IS ${filter.isNull ? 'NULL' : 'NOT NULL'}`;
    case 'nothing':
      return () => '1 = 0';
  }
}

/** Whether the engine would compare the column with a bound value as floating point: 17 digits for 20. */
export function comparesAsFloat({ column }: ResolvedFilter, { isMysql }: Dialect): boolean {
  return isMysql && column.type === 'decimal';
}

/** The value as TypeORM's drivers take it. */
export function bindable(
  value: ColumnValue,
  { isPostgres }: Dialect,
): string | number | boolean | Date {
  if (typeof value === 'bigint') return value.toString();
  return isPostgres && value instanceof Date ? pgTimestamp(value) : value;
}

const SYMBOLS = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' };
