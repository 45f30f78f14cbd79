import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { kindOf } from './derived-type.js';
import { sourceOf } from './drizzle-column.js';
import { type Column, type Param, type SQL, sql } from './drizzle-orm.js';

/** The operand to compare a column with: a value for the column to encode, or an encoded parameter. */
export function operandOf(of: QueryColumn, value: ColumnValue): ColumnValue | Param | SQL {
  const column = sourceOf(of);
  const [dialect, kind] = kindOf(column);
  if (kind === 'Date' && typeof value === 'string') return sql.param(value);
  // MySQL compares a decimal with text as floating point, which is exact to 15 digits only.
  if (dialect === 'MySql' && kind === 'Decimal') {
    const type = decimalTypeOf(String(value));
    if (type !== undefined) return sql`cast(${sql.param(value)} as ${sql.raw(type)})`;
  }
  if (value instanceof Date) {
    const text = value.toISOString();
    if (kind.endsWith('String')) {
      return sql.param(dialect === 'MySql' ? text.slice(0, -1).replace('T', ' ') : text);
    }
    // The column would cut the milliseconds, and half past a second would equal the second.
    if (isInSeconds(column)) return sql.param(value.getTime() / 1000);
  }
  // PostgreSQL rejects numbers outside the range of `real`; Math.fround converts them to infinity.
  if (dialect === 'Pg' && kind === 'Real') return Math.fround(Number(value));
  return value;
}

function isInSeconds(column: Column): boolean {
  return column.columnType === 'SQLiteTimestamp' && 'mode' in column && column.mode === 'timestamp';
}
