import { dayOf, timestampOf } from '../resolve/calendar.js';
import { columnValueOf } from '../resolve/column-value.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { plainDecimal } from '../resolve/decimal.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';

/**
 * The text of a row's value in a cursor, or undefined where it is no value of its column. Takes what databases
 * hold, which is more than a query may ask for: NaN, infinity, years before 1 and after 9999, UUIDs in upper case.
 */
export function cursorTextOf(value: unknown, column: QueryColumn): string | undefined {
  const text = textOf(value, column);
  return text === undefined || cursorValueOf(text, column) === undefined ? undefined : text;
}

/** The value that `cursorTextOf` wrote, as its column is compared with. */
export function cursorValueOf(text: string, column: QueryColumn): ColumnValue | undefined {
  switch (column.type) {
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
      // In the case that it is stored in, which a column of text sorts by.
      return columnValueOf(column, text) === undefined ? undefined : text;
  }
}

/** The key, where it depends on the driver whether a timestamp is a Date or text. Text goes back as it came. */
export function orText(key: ResolvedSort): ResolvedSort {
  if (key.column.type !== 'timestamp') return key;
  return { ...key, column: { asText: true, ...key.column } };
}

const NOT_FINITE = /^(?:NaN|-?Infinity)$/;
/** `infinity` of PostgreSQL, which pg reads as the number. */
const INFINITE = /^-?infinity$/i;
const DAY = /^\d{4,7}-\d{2}-\d{2}(?: BC)?$/;
/** MySQL keeps spans up to 838 hours as times, PostgreSQL has 24:00:00. */
const TIME = /^-?\d{1,3}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?$/;
/** As `toISOString` writes. */
const ISO = /T[\d:.]+Z$/;
/** As `toISOString` writes years before 1 and after 9999. */
const FAR_YEAR = /^(?:[+-]\d{6}|0000)-\d{2}-\d{2}T[\d:.]+Z$/;

function textOf(value: unknown, { type }: QueryColumn): string | undefined {
  switch (typeof value) {
    case 'number':
      // A driver that gives 64 bits as a number has rounded them: a cursor of it would name another row.
      if (type === 'bigint' && !Number.isSafeInteger(value)) return undefined;
      return String(value);
    case 'string':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (!(value instanceof Date) || Number.isNaN(value.getTime())) return undefined;
      if (type === 'date') return dayOf(value);
      // Prisma gives a time as that time on the first day of 1970.
      return type === 'time' ? value.toISOString().slice(11, -1) : value.toISOString();
  }
}
