import { type Column, type Param, type SQL, sql } from 'drizzle-orm';
import type { ColumnValue } from '../resolve/column.js';
import { kindOf } from './derived-type.js';

/** What to compare a column with: the value, which the column encodes, or a parameter encoded already. */
export function operandOf(column: Column, value: ColumnValue): ColumnValue | Param | SQL {
  const [dialect, kind] = kindOf(column);
  if (kind === 'Date' && typeof value === 'string') return sql.param(value);
  // MySQL compares decimals with texts, in lists and between, as floating point: 17 digits would do for 20.
  if (dialect === 'MySql' && kind === 'Decimal') {
    return sql`cast(${sql.param(value)} as decimal(65, 30))`;
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
