import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { kindOf } from './derived-type.js';
import { sourceOf } from './drizzle-column.js';
import { type Column, type Param, sql } from './drizzle-orm.js';

/** The parameter to compare a column with, which the column encodes if Drizzle's encoding fits. */
export function operandOf(of: QueryColumn, value: ColumnValue): Param {
  const column = sourceOf(of);
  const [dialect, kind] = kindOf(column);
  if (kind === 'Date' && typeof value === 'string') return sql.param(value);
  if (dialect === 'MySql' && kind === 'Decimal') return sql.param(value);
  if (value instanceof Date) {
    const text = value.toISOString();
    if (kind.endsWith('String')) {
      return sql.param(dialect === 'MySql' ? text.slice(0, -1).replace('T', ' ') : text);
    }
    // The column would cut the milliseconds, and half past a second would equal the second.
    if (isInSeconds(column)) return sql.param(value.getTime() / 1000);
  }
  // PostgreSQL rejects numbers outside the range of `real`; Math.fround converts them to infinity.
  if (dialect === 'Pg' && kind === 'Real') return sql.param(Math.fround(Number(value)), column);
  return sql.param(value, column);
}
function isInSeconds(column: Column): boolean {
  return column.columnType === 'SQLiteTimestamp' && 'mode' in column && column.mode === 'timestamp';
}
