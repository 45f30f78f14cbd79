import { dayOf, timestampOf } from './calendar.js';
import type { ColumnValue, QueryColumn } from './column.js';

/** Converts a value to its JavaScript type. Drivers differ for bigints, decimals and dates. */
export function typedValueOf(value: unknown, { type }: QueryColumn): ColumnValue | null {
  if (value instanceof Date) {
    if (type === 'time') return value.toISOString().slice(11, -1);
    return type === 'date' ? dayOf(value) : value;
  }
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      break;
    default:
      return null;
  }
  switch (type) {
    case 'integer':
    case 'number':
      return Number(value);
    case 'bigint':
      return BigInt(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : Number(value) !== 0;
    case 'timestamp':
      return momentOf(value);
    case 'uuid':
    case 'objectId':
      return String(value).toLowerCase();
    case 'string':
    case 'decimal':
    case 'date':
    case 'time':
    case 'enum':
      return String(value);
  }
}

/** pg returns `infinity` as a number. */
function momentOf(value: string | number | bigint | boolean): ColumnValue | null {
  if (typeof value === 'string') return timestampOf(value) ?? null;
  return value === Infinity || value === -Infinity ? String(value) : new Date(Number(value));
}
