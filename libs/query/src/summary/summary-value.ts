import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { typedValueOf } from '../resolve/typed-value.js';
import { plainDecimal } from '../resolve/decimal.js';
import { shortDecimal } from './exact-number.js';
import type { SummaryValue } from './summary.js';

/** Converts a driver's value to a format that is the same for all databases. */
export function summaryValueOf(value: unknown, column: QueryColumn): SummaryValue {
  const typed = typedValueOf(readable(value, column), column);
  return typed === null ? null : plainValue(typed, column);
}

function plainValue(value: ColumnValue, { type }: QueryColumn): SummaryValue {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value);
  return type === 'decimal' ? shortDecimal(String(value)) : value;
}

/** Returns undefined for NULL, and NaN for `infinity`. */
export function localTimeOf(value: unknown, column: QueryColumn): number | undefined {
  const typed = typedValueOf(readable(value, column), column);
  if (typed === null) return undefined;
  return typed instanceof Date ? typed.getTime() : Date.parse(`${String(typed)}T00:00:00Z`);
}

/**
 * Decimals that SQLite stores as floating point have 15 digits. Timestamps may be strings in the
 * database's format.
 */
function readable(value: unknown, { type }: QueryColumn): unknown {
  if (type === 'decimal') return decimalTextOf(value);
  if (type !== 'timestamp' || typeof value !== 'string') return value;
  const [, day, time = '00:00', fraction = '', zone = 'Z'] = TIMESTAMP.exec(value) ?? [];
  if (day === undefined) return value;
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone;
  return new Date(`${day}T${time}${fraction.slice(0, 4)}${offset}`);
}

const TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/;

/** Some drivers return decimals as objects. */
export function decimalTextOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'number') return String(value as string | bigint);
  return plainDecimal(value.toPrecision(15)) ?? String(value);
}
