import { dayOf, timestampOf } from '../resolve/calendar.js';
import { columnValueOf } from '../resolve/column-value.js';
import { type ColumnValue, comparedType, type QueryColumn } from '../resolve/column.js';
import { plainDecimal } from '../resolve/decimal.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';

/**
 * Writes a value for a cursor, also NaN, infinity, years before 1 or after 9999, and UUIDs in upper
 * case, which queries cannot contain. Returns undefined if the value does not fit the column.
 */
export function cursorTextOf(value: unknown, column: QueryColumn): string | undefined {
  const text = textOf(value, column);
  return text === undefined || cursorValueOf(text, column) === undefined ? undefined : text;
}

/** Converts a string of `cursorTextOf` back to a value. */
export function cursorValueOf(text: string, column: QueryColumn): ColumnValue | undefined {
  switch (comparedType(column)) {
    case 'string':
    case 'enum':
      return text;
    case 'integer':
      return /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))
        ? Number(text)
        : undefined;
    case 'bigint':
      return /^-?\d{1,20}$/.test(text) ? BigInt(text) : undefined;
    case 'number':
      return NOT_FINITE.test(text) ? Number(text) : columnValueOf(column, text);
    case 'decimal':
      return NOT_FINITE.test(text) ? text : plainDecimal(text);
    case 'boolean':
      return columnValueOf(column, text);
    case 'date':
      return DAY.test(text) || INFINITE.test(text) ? text : undefined;
    case 'time':
      return TIME.test(text) ? text : undefined;
    case 'timestamp':
      if (INFINITE.test(text) || (column.asText === true && !ISO.test(text))) return text;
      return FAR_YEAR.test(text) ? new Date(text) : timestampOf(text);
    case 'uuid':
    case 'objectId':
      // Keeps the case, because the database sorts a string column by case.
      return columnValueOf(column, text) === undefined ? undefined : text;
  }
}

/**
 * Makes cursors accept timestamps as strings. Needed if the driver returns a string or a Date. A
 * string is compared unchanged.
 */
export function withTextTimestamps(key: ResolvedSort): ResolvedSort {
  if (key.column.type !== 'timestamp') return key;
  return { ...key, column: { asText: true, ...key.column } };
}

const NOT_FINITE = /^(?:NaN|-?Infinity)$/;
/** PostgreSQL's `infinity`. pg returns it as a number. */
const INFINITE = /^-?infinity$/i;
const DAY = /^\d{4,7}-\d{2}-\d{2}(?: BC)?$/;
/** A time in MySQL can have 838 hours. PostgreSQL has 24:00:00. */
const TIME = /^-?\d{1,3}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?$/;
/** The format of `toISOString`. Databases and drivers write other text with other decimals. */
const ISO = /T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** The format of `toISOString` for years before 1 and after 9999. */
const FAR_YEAR = /^(?:[+-]\d{6}|0000)-\d{2}-\d{2}T[\d:.]+Z$/;

function textOf(value: unknown, { type }: QueryColumn): string | undefined {
  switch (typeof value) {
    case 'number':
      // The driver has rounded the 64-bit integer. The cursor would point to another row.
      if (type === 'bigint' && !Number.isSafeInteger(value)) return undefined;
      return String(value);
    case 'string':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (!(value instanceof Date) || Number.isNaN(value.getTime())) return undefined;
      if (type === 'date') return dayOf(value);
      // Prisma returns a time as a Date with the day 1970-01-01.
      return type === 'time' ? value.toISOString().slice(11, -1) : value.toISOString();
  }
}
