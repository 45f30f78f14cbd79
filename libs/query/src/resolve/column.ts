import type { ColumnType } from '../config/column-types.js';
import type { FilterOperator, OptInOperator } from '../config/operators.js';
import type { QueryRelation } from './relation.js';

export type { ColumnType } from '../config/column-types.js';

/** A column as adapters see it. */
export interface QueryColumn {
  /** Name in the backend: a column, a property or a dotted path. Comes from the config, not from the query. */
  readonly name: string;
  readonly type: ColumnType;
  /** Whether the column may be NULL. @default true */
  readonly nullable?: boolean;
  /** The values of an `enum`. */
  readonly values?: readonly string[];
  /** The operators that clients may use. @default the operators that fit the type */
  readonly operators?: readonly (FilterOperator | OptInOperator)[];
  /** Smallest `integer`. @default -2147483648 */
  readonly min?: number;
  /** Largest `integer`. @default 2147483647 */
  readonly max?: number;
  /**
   * Whether the backend stores the values as text, or the driver returns them as text. If the ORM
   * provides this information, adapters derive it.
   * - `uuid`, `objectId`: false for a native type, which ignores case. @default true
   * - `time`: false for a native type, to which `09:05` equals `09:05:00.000`. @default true
   * - `timestamp`: true if the driver returns text instead of a Date. @default false
   * - `enum` in Prisma: true for a `String` field, false for an enum of the schema. @default unknown: the field cannot
   *   be a sort key of cursors
   */
  readonly asText?: boolean;
  /** False if rows contain a rounded value: the column cannot be a sort key of cursors. @default true */
  readonly hasCursors?: boolean;
  /** The relation of the row that contains the column. @default none: a column of the row itself */
  readonly relation?: QueryRelation;
  /**
   * The keys to a value inside a JSON column: `['theme']`, or `['address', 'city']`. A value of
   * another JSON type than `type` is NULL. With `array`, `[]` means that the JSON column itself is
   * an array.
   * @default none: the value of the column
   */
  readonly json?: readonly string[];
  /**
   * True if the value is an array of `type`: a PostgreSQL array or, with `json`, a JSON array.
   * @default false
   */
  readonly array?: boolean;
}

/** A value of a column. The JavaScript type depends on the `ColumnType`. */
export type ColumnValue = string | number | bigint | boolean | Date;

/** The type of a column, with the properties that depend on the type. */
export type TypeOfColumn = Pick<
  QueryColumn,
  'type' | 'values' | 'min' | 'max' | 'asText' | 'hasCursors'
>;

/**
 * Returns the column of a field. Returns undefined if there is none, and for names that every
 * object inherits.
 */
export function ownColumn(
  columns: Readonly<Record<string, QueryColumn>>,
  field: string,
): QueryColumn | undefined {
  return Object.hasOwn(columns, field) ? columns[field] : undefined;
}

/** The range of an integer type. */
export function integerRange(
  bits: number,
  sign: 'signed' | 'unsigned',
): { readonly min: number; readonly max: number } {
  return sign === 'unsigned'
    ? { min: 0, max: 2 ** bits - 1 }
    : { min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 };
}

/** Whether an operator fits the type of a column and is allowed by its `operators`. */
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
      // Booleans and enums have no range operators, because their order differs between engines.
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
 * Returns the type used to compare the values of a column. Strings in JSON are compared as strings:
 * each type has a format in which the strings have the same order as their values.
 */
export function comparedType({ type, json }: QueryColumn): ColumnType {
  if (json === undefined) return type;
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string';
}

/**
 * Returns `hasCursors` for timestamps that the driver returns as a Date, which has milliseconds. If
 * the column stores more digits, the last row of a page would also be the first row of the next
 * page.
 * @param digits number of digits that the column stores of the fraction of a second
 */
export function cursorsOfDates(digits: number): Pick<QueryColumn, 'hasCursors'> {
  return digits > 3 ? { hasCursors: false } : {};
}
