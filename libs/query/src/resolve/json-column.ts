import { type ColumnType, isHexadecimal } from '../config/column-types.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import { type ColumnValue, comparedType, type QueryColumn } from './column.js';
import { pathOfColumn } from './relation.js';
import type { QuerySpec } from './resolved-query.js';
import { typedValueOf } from './typed-value.js';

const D = '[0-9]';
const H = '[0-9a-fA-F]';

/** The format of a type's strings in JSON. */
export interface JsonForm {
  /** A pattern that is valid both as a regular expression and as SQLite's GLOB. */
  readonly pattern: string;
  /** The length of every matching string, in characters. */
  readonly length: number;
  readonly whole: RegExp;
}

function formOf(pattern: string): JsonForm {
  const { length } = pattern.replaceAll(/\[[^\]]+\]/g, '.');
  return { pattern, length, whole: new RegExp(`^${pattern}$`) };
}

const DATE = `${D.repeat(4)}-${D.repeat(2)}-${D.repeat(2)}`;
const TIME = `${D.repeat(2)}:${D.repeat(2)}:${D.repeat(2)}`;

/** The formats of types. Without a format, every JSON string is a valid value of the type. */
const FORMS: Readonly<Partial<Record<ColumnType, JsonForm>>> = {
  date: formOf(DATE),
  time: formOf(TIME),
  timestamp: formOf(`${DATE}T${TIME}[.]${D.repeat(3)}Z`),
  uuid: formOf([8, 4, 4, 4, 12].map((digits) => H.repeat(digits)).join('-')),
  objectId: formOf(H.repeat(24)),
};

/** Returns undefined if every string is valid. */
export function jsonFormOf(type: ColumnType): JsonForm | undefined {
  return FORMS[type];
}

/** Types that JSON columns do not support, because some engines or drivers round their values. */
const NOT_IN_JSON: readonly ColumnType[] = ['bigint', 'decimal'];

/** The largest number that is finite in every engine, and the largest exact whole number. */
export const LARGEST = { number: 1e308, integer: Number.MAX_SAFE_INTEGER } as const;

/** A column with `json` becomes nullable. @throws InvalidQueryConfigError */
export function checkedNesting<Column extends QueryColumn>(column: Column): Column {
  const { name, type, json, array } = column;
  if (array === true && type === 'timestamp' && json === undefined) {
    throw new InvalidQueryConfigError(
      `Column "${name}" is an array of timestamps. Such arrays are not supported, ` +
        'because drivers send their values in different time zones.',
      'Remove it from the query config, or store the timestamps in another table.',
    );
  }
  if (json === undefined) return column;
  if (!Array.isArray(json) || (json.length === 0 && array !== true) || !json.every(isKey)) {
    throw new InvalidQueryConfigError(
      `\`json\` of column "${name}" is ${JSON.stringify(json)}, which is not a list of keys.`,
      `Write json: ['theme']. A key must not be empty, and must not contain double quotes, ` +
        'backslashes, question marks or control characters.',
    );
  }
  if (NOT_IN_JSON.includes(type)) {
    throw new InvalidQueryConfigError(
      `Column "${name}" is inside a JSON column, but has the type ${type}. ` +
        'Numbers in JSON are exact only up to about 15 digits.',
      'Declare it as number, integer or string, or store the value in a separate column.',
    );
  }
  return { ...column, nullable: true, ...(isHexadecimal(type) && { asText: false }) };
}

/**
 * JSON escapes quotes and backslashes, and engines disagree on how to write such keys in a path.
 * MikroORM reads a question mark as a parameter, even in a value.
 */
function isKey(key: unknown): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what this rejects
  return typeof key === 'string' && key !== '' && !/["\\?\u0000-\u001f]/.test(key);
}

/** For adapters that support neither `json` nor `array`. @throws InvalidQueryConfigError */
export function refuseNested(
  { columns, sortable = {}, search = [] }: QuerySpec,
  adapter: string,
  cure: string,
): void {
  const listed = [...Object.values(columns), ...Object.values(sortable), ...search];
  const nested = listed.find(({ json, array }) => json !== undefined || array === true);
  if (nested === undefined) return;
  const kind = nested.json === undefined ? 'an array' : 'a value inside a JSON column';
  throw new InvalidQueryConfigError(
    `Column "${pathOfColumn(nested)}" is ${kind}, which the ${adapter} adapter does not support.`,
    cure,
  );
}

/** The value of a `json` or `array` column. It is null, one value, or a list without nulls. */
export function nestedValueOf(
  stored: unknown,
  column: QueryColumn,
): ColumnValue | readonly ColumnValue[] | null {
  const { json, array } = column;
  const found = json === undefined ? stored : valueInside(parsed(stored), json);
  const valueOf = (value: unknown) =>
    json === undefined ? typedValueOf(value, column) : jsonScalarOf(value, column);
  if (array !== true) return valueOf(found);
  return Array.isArray(found) ? found.flatMap((item) => valueOf(item) ?? []) : null;
}

/** The row contains the whole JSON column. */
export function keyValueOf(stored: unknown, column: QueryColumn): unknown {
  if (column.json === undefined || stored === undefined) return stored;
  return nestedValueOf(stored, column);
}

/** Drivers of SQLite and MariaDB return JSON as a string. */
function parsed(document: unknown): unknown {
  if (typeof document !== 'string') return document;
  try {
    return JSON.parse(document);
  } catch {
    return null;
  }
}

function valueInside(document: unknown, keys: readonly string[]): unknown {
  let value = document;
  for (const key of keys) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject || !Object.hasOwn(value as object, key)) return null;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Returns null if the JSON type does not fit the column, or the string does not fit its format. */
function jsonScalarOf(value: unknown, column: QueryColumn): ColumnValue | null {
  const { type } = column;
  switch (comparedType(column)) {
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'integer':
    case 'number': {
      if (typeof value !== 'number' || !(Math.abs(value) <= LARGEST.number)) return null;
      return type === 'number' || Number.isSafeInteger(value) ? value : null;
    }
    default: {
      if (typeof value !== 'string') return null;
      const form = jsonFormOf(type);
      if (form === undefined) return value;
      if (!form.whole.test(value)) return null;
      return isHexadecimal(type) ? value.toLowerCase() : value;
    }
  }
}
