import type { ColumnType, ColumnValue } from '../resolve/column.js';
import { LIKE_ESCAPE, likePattern } from '../resolve/like-pattern.js';
import type { ResolvedFilter } from '../resolve/resolved-query.js';

/** Gives a value to the query and its placeholder back: `:fledge_1`. */
export type Bind = (value: string | number | boolean | Date) => string;

/** A condition over the path of its column: `task.title`, which TypeORM turns into a quoted name. */
export function conditionSql(filter: ResolvedFilter, bind: Bind): (path: string) => string {
  const { type } = filter.column;
  switch (filter.kind) {
    case 'compare': {
      const value = bind(bindable(filter.value, type));
      return (path) => `${path} ${SYMBOLS[filter.operator]} ${value}`;
    }
    case 'between': {
      const from = bind(bindable(filter.from, type));
      const to = bind(bindable(filter.to, type));
      return (path) => `${path} BETWEEN ${from} AND ${to}`;
    }
    case 'in': {
      // One by one, because TypeORM does not convert booleans and dates in a spread list on SQLite.
      const values = filter.values.map((value) => bind(bindable(value, type))).join(', ');
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

/** The value as TypeORM's drivers take it. */
export function bindable(value: ColumnValue, type: ColumnType): string | number | boolean | Date {
  if (typeof value === 'bigint') return value.toString();
  // As TypeORM stores it: SQLite compares times as text.
  if (type === 'time' && typeof value === 'string' && value.length === 5) return `${value}:00`;
  return value;
}

const SYMBOLS = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' };
