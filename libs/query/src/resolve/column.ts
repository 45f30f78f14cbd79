import type { ColumnType } from '../config/column-types.js';
import type { FilterOperator, OptInOperator } from '../config/operators.js';
import type { QueryRelation } from './relation.js';

export type { ColumnType } from '../config/column-types.js';

/** A column with its type and its other properties. */
export interface QueryColumn {
  /**
   * The name of the column in the database, the name of the property, or a dotted path. It comes
   * from the config, never from the query.
   */
  readonly name: string;
  readonly type: ColumnType;
  /** True if the column may be NULL. @default true */
  readonly nullable?: boolean;
  /** The values of an `enum`. */
  readonly values?: readonly string[];
  /** Operators that clients may use. @default all operators that fit the type */
  readonly operators?: readonly (FilterOperator | OptInOperator)[];
  /** Smallest value of an `integer`. @default -2147483648 */
  readonly min?: number;
  /** Largest value of an `integer`. @default 2147483647 */
  readonly max?: number;
  /**
   * True if the database stores the values as text, or if the driver returns them as text. Adapters
   * read this from the ORM, if possible.
   * - `uuid`, `objectId`: false for a native type. A native type ignores case.
   * @default true
   * - `time`: false for a native type. For such a type, `09:05` equals `09:05:00.000`.
   * @default true
   * - `timestamp`: true if the driver returns text instead of a Date.
   * @default false
   * - `enum` in Prisma: true for a `String` field, false for an enum of the schema.
   * @default unknown: the field cannot be a sort key of cursors
   */
  readonly asText?: boolean;
  /**
   * False if rows contain rounded values. Cursors then cannot use the column as a sort key.
   * @default true
   */
  readonly hasCursors?: boolean;
  /** The relation to the row that contains the column. @default none: a column of the row itself */
  readonly relation?: QueryRelation;
  /**
   * The keys to a value inside a JSON column: `['theme']`, or `['address', 'city']`. A value whose
   * JSON type differs from `type` is NULL. With the option `array`, `[]` means that the whole JSON
   * column is an array.
   * @default none: the value of the column
   */
  readonly json?: readonly string[];
  /**
   * True if the value is an array of `type`. It is a PostgreSQL array, or with the option `json` a
   * JSON array.
   * @default false
   */
  readonly array?: boolean;
}

/** A value of a column. `ColumnType` determines its JavaScript type. */
export type ColumnValue = string | number | bigint | boolean | Date;

/** The type of a column, and the properties that depend on it. */
export type TypeOfColumn = Pick<
  QueryColumn,
  'type' | 'values' | 'min' | 'max' | 'asText' | 'hasCursors'
>;

/** Returns undefined if the field is unknown or an inherited property. */
export function ownColumn(
  columns: Readonly<Record<string, QueryColumn>>,
  field: string,
): QueryColumn | undefined {
  return Object.hasOwn(columns, field) ? columns[field] : undefined;
}

export function integerRange(
  bits: number,
  sign: 'signed' | 'unsigned',
): { readonly min: number; readonly max: number } {
  return sign === 'unsigned'
    ? { min: 0, max: 2 ** bits - 1 }
    : { min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 };
}

export function allowsOperator(
  { type, operators, array }: QueryColumn,
  operator: FilterOperator | OptInOperator,
): boolean {
  if (operators !== undefined && !operators.includes(operator)) return false;
  if (array === true) return operator === 'has' || operator === 'isnull';
  switch (operator) {
    case 'has':
      return false;
    case 'contains':
    case 'starts':
    case 'ends':
    case 'ieq':
      return type === 'string';
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'between':
      // Engines sort booleans and enums differently, so range operators are not supported.
      return type !== 'boolean' && type !== 'enum';
    case 'eq':
    case 'neq':
    case 'in':
    case 'nin':
    case 'isnull':
      return true;
  }
}

/**
 * Returns the type for comparing values of a column. Strings in JSON are compared as strings. The
 * formats ensure that strings have the same order as their values.
 */
export function comparedType({ type, json }: QueryColumn): ColumnType {
  if (json === undefined) return type;
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string';
}

/**
 * Returns `hasCursors` for timestamps that the driver returns as a Date. A Date has only
 * milliseconds. If the column stores more digits, a cursor would repeat the last row on the next
 * page.
 * @param digits number of digits of a second's fraction in the column
 */
export function cursorsOfDates(digits: number): Pick<QueryColumn, 'hasCursors'> {
  return digits > 3 ? { hasCursors: false } : {};
}
