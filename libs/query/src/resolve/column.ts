import type { FilterOperator, OptInOperator } from '../config/operators.js';

/** What kind of text a column takes, and what a value of it is in JavaScript. */
export type ColumnType =
  /** Any text without U+0000. */
  | 'string'
  /** Whole number between `min` and `max`, by default those of 32 bits. A number. */
  | 'integer'
  /** Whole number of 64 bits. A bigint; backends that want text convert it. */
  | 'bigint'
  /** Floating point. A finite number. */
  | 'number'
  /** Exact decimal, `12.50`. Stays text. */
  | 'decimal'
  /** `true`, `false`, `1`, `0`, in any case. */
  | 'boolean'
  /** `2026-01-31`, a day of the calendar. Stays text. */
  | 'date'
  /** `13:05`, `13:05:59.250`. Stays text. */
  | 'time'
  /** ISO 8601 to the millisecond; without an offset UTC, without a time midnight. A Date. */
  | 'timestamp'
  /** Stays text, in lower case. */
  | 'uuid'
  /** 24 hexadecimal digits. Stays text, in lower case. */
  | 'objectId'
  /** One of `values`. */
  | 'enum';

/** What adapters know of a column. */
export interface QueryColumn {
  /** What the backend calls it: a column, a property or a dotted path. Never taken from a query. */
  readonly name: string;
  readonly type: ColumnType;
  /** @default true */
  readonly nullable?: boolean;
  /** What an `enum` may be. */
  readonly values?: readonly string[];
  /** The operators callers may use. @default all that fit the type */
  readonly operators?: readonly (FilterOperator | OptInOperator)[];
  /** Smallest `integer`. @default -2147483648 */
  readonly min?: number;
  /** Largest `integer`. @default 2147483647 */
  readonly max?: number;
  /**
   * Whether the backend keeps the values as text, or its driver hands them over as text, where that makes a
   * difference. Derived where the ORM knows it.
   * - `uuid`, `objectId`: false when the column has a type for them, so that upper and lower case are one.
   *   @default true
   * - `time`: false when the column has a type for it, so that `09:05` and `09:05:00.000` are one. @default true
   * - `timestamp`: true when the driver gives text instead of a Date. @default false
   * - `enum` in Prisma: true for a `String` field, false for an enum of the schema. @default unknown, and no
   *   cursors by it
   */
  readonly asText?: boolean;
  /** False when rows do not hold the exact value, so that no cursor can be made of it. @default true */
  readonly hasCursors?: boolean;
}

/** A value of a column, typed as its `ColumnType` says. */
export type ColumnValue = string | number | bigint | boolean | Date;

/** Whether an operator means something on columns of this type, and the config lets it be used. */
export function allowsOperator(
  { type, operators }: QueryColumn,
  operator: FilterOperator | OptInOperator,
): boolean {
  if (operators !== undefined && !operators.includes(operator)) return false;
  switch (operator) {
    case 'contains':
    case 'starts':
    case 'ends':
      return type === 'string';
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'between':
      // Engines do not agree on the order of booleans and enums.
      return type !== 'boolean' && type !== 'enum';
    case 'eq':
    case 'neq':
    case 'in':
    case 'nin':
    case 'isnull':
      return true;
  }
}
