import { dateOf, timeOf, timestampOf } from './calendar.js';
import type { ColumnValue, QueryColumn } from './column.js';

/**
 * Parses a string as a value of a column. Returns undefined if the string does not have the format
 * of the column's type. See `ColumnType`.
 */
export function columnValueOf(column: QueryColumn, text: string): ColumnValue | undefined {
  switch (column.type) {
    case 'string':
      return text.includes('\0') ? undefined : text;
    case 'integer':
      return integerOf(text, column.min ?? -(2 ** 31), column.max ?? 2 ** 31 - 1);
    case 'bigint':
      return bigintOf(text);
    case 'number':
      return numberOf(text);
    case 'decimal':
      return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? text.replace('+', '') : undefined;
    case 'boolean':
      return BOOLEANS.get(text.toLowerCase());
    case 'date':
      return dateOf(text);
    case 'time':
      return timeOf(text);
    case 'timestamp':
      return timestampOf(text);
    case 'uuid':
      return UUID.test(text) ? text.toLowerCase() : undefined;
    case 'objectId':
      return /^[\da-f]{24}$/i.test(text) ? text.toLowerCase() : undefined;
    case 'enum':
      return column.values?.includes(text) === true ? text : undefined;
  }
}

/** Describes the values that a column accepts, for a 400. */
export function expectationOf({ type, min, max, values }: QueryColumn): string {
  switch (type) {
    case 'string':
      return 'string without U+0000';
    case 'integer':
      return `integer from ${min ?? -(2 ** 31)} to ${max ?? 2 ** 31 - 1}`;
    case 'bigint':
      return '64-bit integer';
    case 'number':
      return 'number';
    case 'decimal':
      return 'decimal number';
    case 'boolean':
      return 'true or false';
    case 'date':
      return 'date such as 2026-01-31';
    case 'time':
      return 'time such as 13:05:59';
    case 'timestamp':
      return 'ISO 8601 date or timestamp with at most three decimal places in the seconds';
    case 'uuid':
      return 'UUID';
    case 'objectId':
      return '24 hexadecimal digits';
    case 'enum':
      return `one of ${values?.join(', ')}`;
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

function integerOf(text: string, min: number, max: number): number | undefined {
  if (!/^[+-]?\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  // `+ 0` converts -0 to 0.
  return Number.isSafeInteger(value) && value >= min && value <= max ? value + 0 : undefined;
}

function bigintOf(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function numberOf(text: string): number | undefined {
  if (!/^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value + 0 : undefined;
}
