import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { kindOf } from './derived-type.js';
import { sourceOf } from './drizzle-config.js';
import { type Column, type Param, type SQL, sql } from './drizzle-orm.js';

/** What to compare a column with: the value, which the column encodes, or a parameter encoded already. */
export function operandOf(of: QueryColumn, value: ColumnValue): ColumnValue | Param | SQL {
  const column = sourceOf(of);
  const [dialect, kind] = kindOf(column);
  if (kind === 'Date' && typeof value === 'string') return sql.param(value);
  // MySQL compares decimals with text, in lists and between, as floating point: 17 digits would do for 20.
  if (dialect === 'MySql' && kind === 'Decimal') {
    const type = decimalTypeOf(String(value));
    if (type !== undefined) return sql`cast(${sql.param(value)} as ${sql.raw(type)})`;
  }
  if (value instanceof Date) {
    const text = value.toISOString();
    if (kind.endsWith('String')) {
      return sql.param(dialect === 'MySql' ? text.slice(0, -1).replace('T', ' ') : text);
    }
    // Encoded by the column, half a second past would become the second itself, and be equal to it.
    if (isInSeconds(column)) return sql.param(value.getTime() / 1000);
  }
  // PostgreSQL fails on a number that its 32 bits cannot hold; infinity they can.
  if (dialect === 'Pg' && kind === 'Real') return Math.fround(Number(value));
  return value;
}

function isInSeconds(column: Column): boolean {
  return column.columnType === 'SQLiteTimestamp' && 'mode' in column && column.mode === 'timestamp';
}
