import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import type { QueryRelation } from '../resolve/relation.js';

/** The engines whose SQL differs. MariaDB is `mysql`. */
export type SqlEngine = 'postgresql' | 'mysql' | 'sqlite';

/** How an adapter writes the names and values of a query for the engine of that query. */
export interface SqlWriter<Part extends object> {
  /**
   * @param of the relation of the row that contains the column.
   * @default the row itself, or a joined row of a sort key or group
   */
  readonly column: (column: QueryColumn, of?: QueryRelation) => Part;
  /** Writes a parameter. The pattern of a string search has no column. */
  readonly value: (value: ColumnValue, column?: QueryColumn) => Part | string;
  /** Writes `(select 1 from ...)`: the related rows that meet a condition. */
  readonly related: (relation: QueryRelation, condition: Sql<Part>) => Sql<Part>;
  readonly engine: SqlEngine;
  /** Whether strings may be compared with a collation of PostgreSQL. */
  readonly hasCollations: boolean;
  /** Whether the engine compares a decimal with text as floating point, exact to 15 digits only, as MySQL does. */
  readonly comparesAsFloat: boolean;
}

/** SQL as strings, alternating with the names and values that an adapter writes. */
export type Sql<Part extends object> = readonly (string | Part)[];

/** Joins the parts with a string between every two of them. */
export function joined<Part extends object>(parts: readonly Sql<Part>[], by: string): Sql<Part> {
  return parts.flatMap((part, i) => (i === 0 ? part : [by, ...part]));
}

/** A value to compare a column with. */
export function operandSql<Part extends object>(
  value: ColumnValue,
  column: QueryColumn,
  { value: write, comparesAsFloat }: SqlWriter<Part>,
): Sql<Part> {
  // A value in JSON is not encoded like the values of its column. Not every driver accepts a
  // boolean.
  if (column.json !== undefined) return [typeof value === 'boolean' ? String(value) : write(value)];
  const operand = write(value, column);
  const isInexact = comparesAsFloat && column.type === 'decimal';
  const type = isInexact ? decimalTypeOf(String(value)) : undefined;
  return type === undefined ? [operand] : ['cast(', operand, ` as ${type})`];
}

/** The functions of a writer that write the SQL of a column. */
export type ColumnWriter<Part extends object> = Pick<
  SqlWriter<Part>,
  'column' | 'value' | 'engine'
>;
