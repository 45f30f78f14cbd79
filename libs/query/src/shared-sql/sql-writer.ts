import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import type { QueryRelation } from '../resolve/relation.js';

/** The engines with different SQL. MariaDB counts as `mysql`. */
export type SqlEngine = 'postgresql' | 'mysql' | 'sqlite';

/** The functions with which an adapter writes names and values for one engine. */
export interface SqlWriter<Part extends object> {
  /**
   * @param of the relation to the row that contains the column.
   * @default the row itself, or a joined row of a sort key or group
   */
  readonly column: (column: QueryColumn, of?: QueryRelation) => Part;
  /** Writes a parameter. `column` is undefined for the pattern of a string search. */
  readonly value: (value: ColumnValue, column?: QueryColumn) => Part | string;
  /** Writes `(select 1 from ...)` for the related rows that match a condition. */
  readonly related: (relation: QueryRelation, condition: Sql<Part>) => Sql<Part>;
  readonly engine: SqlEngine;
  /** True if strings may be compared with a PostgreSQL collation. */
  readonly hasCollations: boolean;
  /**
   * True if the engine compares a decimal with text as floating-point numbers, like MySQL. Only 15
   * digits are then exact.
   */
  readonly comparesAsFloat: boolean;
}

/** SQL as a list of strings, names and values. The adapter writes the names and values. */
export type Sql<Part extends object> = readonly (string | Part)[];

export function joined<Part extends object>(parts: readonly Sql<Part>[], by: string): Sql<Part> {
  return parts.flatMap((part, i) => (i === 0 ? part : [by, ...part]));
}

export function operandSql<Part extends object>(
  value: ColumnValue,
  column: QueryColumn,
  { value: write, comparesAsFloat, engine }: SqlWriter<Part>,
): Sql<Part> {
  // A value in JSON has another encoding than the column. Not every driver accepts a boolean.
  if (column.json !== undefined) return [typeof value === 'boolean' ? String(value) : write(value)];
  const operand = write(value, column);
  const isInexact = comparesAsFloat && column.type === 'decimal';
  const type =
    (engine === 'postgresql' ? largeTypeOf(value, column) : undefined) ??
    (isInexact ? decimalTypeOf(String(value)) : undefined);
  return type === undefined ? [operand] : ['cast(', operand, ` as ${type})`];
}

/**
 * Returns a type of PostgreSQL for a number that a smaller type rejects. Declared columns have no
 * native type, so every column of whole numbers may be `smallint`, and of numbers `real`.
 */
function largeTypeOf(value: ColumnValue, { type }: QueryColumn): string | undefined {
  if (exceedsReal(value)) return 'double precision';
  if (type !== 'integer' && type !== 'bigint') return undefined;
  const whole = BigInt(value as number | bigint);
  const fits = (bits: number) => BigInt.asIntN(bits, whole) === whole;
  if (fits(16)) return undefined;
  // Larger numbers come from cursors on `numeric` columns.
  return fits(32) ? 'integer' : fits(64) ? 'bigint' : undefined;
}

/** True if PostgreSQL rejects the number as a value of type `real`. */
export function exceedsReal(value: ColumnValue): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  const single = Math.fround(value);
  return !Number.isFinite(single) || (single === 0 && value !== 0);
}

export type ColumnWriter<Part extends object> = Pick<
  SqlWriter<Part>,
  'column' | 'value' | 'engine'
>;
