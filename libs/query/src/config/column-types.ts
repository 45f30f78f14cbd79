import { InvalidQueryConfigError } from '../query.errors.js';

/**
 * The type of a column. It determines the format of values in a query, and the JavaScript type of
 * the values.
 */
export type ColumnType =
  /** Any string without U+0000. */
  | 'string'
  /** Whole number from `min` to `max`, by default 32 bits. A number. */
  | 'integer'
  /**
   * 64-bit whole number. A bigint. Adapters convert it to a string if the driver requires a string.
   */
  | 'bigint'
  /** Floating-point number, finite. A number. */
  | 'number'
  /** Exact decimal such as `12.50`. A string. */
  | 'decimal'
  /** `true`, `false`, `1` or `0`, in upper or lower case. A boolean. */
  | 'boolean'
  /** Calendar day, `2026-01-31`. A string. */
  | 'date'
  /** Time of day, `13:05` or `13:05:59.250`. A string. */
  | 'time'
  /**
   * ISO 8601 with milliseconds. The default offset is UTC, and the default time is midnight. A
   * Date.
   */
  | 'timestamp'
  /** UUID in upper or lower case. A string in lower case. */
  | 'uuid'
  /** 24 hexadecimal digits in upper or lower case. A string in lower case. */
  | 'objectId'
  /** One of `values`. A string. */
  | 'enum';

/** Returns true if the values are hexadecimal digits, in upper or lower case. */
export function isHexadecimal(type: ColumnType | undefined): boolean {
  return type === 'uuid' || type === 'objectId';
}

const TYPES: Readonly<Record<ColumnType, true>> = {
  string: true,
  integer: true,
  bigint: true,
  number: true,
  decimal: true,
  boolean: true,
  date: true,
  time: true,
  timestamp: true,
  uuid: true,
  objectId: true,
  enum: true,
};

/**
 * @param name the name of the column, or of the field
 * @throws InvalidQueryConfigError
 */
export function checkColumnType(name: string, type: unknown): void {
  if (typeof type === 'string' && Object.hasOwn(TYPES, type)) return;
  throw new InvalidQueryConfigError(
    `Column "${name}" has the unknown type ${JSON.stringify(type) ?? 'undefined'}.`,
    `Use one of these types: ${Object.keys(TYPES).join(', ')}.`,
  );
}

/**
 * Checks the types of declared columns. Strings in `columns` are types if the config has
 * `primaryKey`, `relations` or `provider`. Otherwise they are property paths, for adapters that
 * read metadata.
 * @throws InvalidQueryConfigError
 */
export function checkColumnTypes(config: object): void {
  const { columns, sortable, primaryKey, relations, provider } = config as Readonly<
    Record<string, unknown>
  >;
  const [key] = [primaryKey].flat();
  const isDeclared = typeof key === 'string' || relations !== undefined || provider !== undefined;
  for (const [field, column] of Object.entries({
    ...(sortable as object),
    ...(columns as object),
  })) {
    const type = typeof column === 'string' && isDeclared ? column : typeIn(column);
    if (type !== undefined) checkColumnType(field, type);
  }
}

/** Skips columns of an ORM. They are instances of classes. */
function typeIn(column: unknown): unknown {
  if (typeof column !== 'object' || column === null) return undefined;
  return Object.getPrototypeOf(column) === Object.prototype && 'type' in column
    ? column.type
    : undefined;
}
