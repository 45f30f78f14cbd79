import type { Column } from 'drizzle-orm';
import type { ColumnType, QueryColumn } from '../resolve/column.js';

/** What Drizzle's metadata says of the values of a column. */
export type DerivedType = Pick<
  QueryColumn,
  'type' | 'values' | 'min' | 'max' | 'asText' | 'hasCursors'
>;

export type Dialect = 'Pg' | 'MySql' | 'SQLite';

/** The engine of a column, and what the column is there: `Pg` and `Varchar`. */
export function kindOf({
  columnType,
}: Column): readonly [dialect: Dialect | undefined, kind: string] {
  const [, dialect, kind = columnType] = /^(Pg|MySql|SQLite)(.+)$/.exec(columnType) ?? [];
  return [dialect as Dialect | undefined, kind];
}

/** The type of a column, or undefined where no text of a query stands for its values. */
export function derivedTypeOf(column: Column): DerivedType | undefined {
  const [dialect, kind] = kindOf(column);
  if (dialect === undefined) return undefined;
  switch (kind) {
    case 'Text':
    case 'Char':
    case 'Varchar':
    case 'VarChar':
    case 'EnumColumn':
    case 'EnumObjectColumn':
      return textOf(column);
    case 'Integer':
      return dialect === 'SQLite' ? SAFE : integerOf(column, 32);
    case 'Int':
      return integerOf(column, 32);
    case 'Serial':
      return dialect === 'MySql' ? SAFE : integerOf(column, 32);
    case 'MediumInt':
      return integerOf(column, 24);
    case 'SmallInt':
    case 'SmallSerial':
    case 'Year':
      return integerOf(column, 16);
    case 'TinyInt':
      return integerOf(column, 8);
    case 'BigInt53':
    case 'BigSerial53':
      return SAFE;
    case 'BigInt64':
    case 'BigSerial64':
    case 'NumericBigInt':
    case 'DecimalBigInt':
      return { type: 'bigint' };
    case 'Numeric':
    case 'Decimal':
      return { type: 'decimal' };
    case 'NumericNumber':
    case 'DecimalNumber':
      return { type: 'number', hasCursors: precisionOf(column) <= 15 };
    case 'Float':
      // MySQL shows six digits of it, and SQLite has none.
      return { type: 'number', hasCursors: false };
    case 'DoublePrecision':
    case 'Double':
    case 'Real':
      return { type: 'number' };
    case 'Boolean':
      return { type: 'boolean' };
    case 'Date':
    case 'DateString':
      return { type: 'date' };
    case 'Time':
      // Of a time with a time zone the order depends on the zone.
      return column.getSQLType().endsWith('with time zone')
        ? undefined
        : { type: 'time', asText: false };
    case 'Timestamp':
    case 'DateTime':
      return { type: 'timestamp' };
    case 'TimestampString':
    case 'DateTimeString':
      return { type: 'timestamp', asText: true };
    case 'UUID':
      return { type: 'uuid', asText: false };
    // Whatever else there is (json, arrays, bytes, networks, points, custom types) somebody has to tell.
    default:
      return undefined;
  }
}

/** Whether Drizzle takes the values of a declared type for the column. A custom type takes its own. */
export function holdsValuesOf({ dataType }: Column, type: ColumnType): boolean {
  if (dataType === 'custom') return true;
  switch (type) {
    case 'integer':
    case 'number':
    case 'bigint':
      return dataType === 'number' || dataType === 'bigint';
    case 'boolean':
      return dataType === 'boolean';
    case 'timestamp':
      return dataType === 'date';
    case 'date':
      return dataType === 'string' || dataType === 'date';
    case 'string':
    case 'decimal':
    case 'time':
    case 'uuid':
    case 'objectId':
    case 'enum':
      return dataType === 'string';
  }
}

const SAFE: DerivedType = {
  type: 'integer',
  min: Number.MIN_SAFE_INTEGER,
  max: Number.MAX_SAFE_INTEGER,
};

/** How many digits a decimal may have; as a number it is exact up to 15. Without a limit few have more. */
function precisionOf(column: Column): number {
  return 'precision' in column && typeof column.precision === 'number' ? column.precision : 0;
}

function textOf({ enumValues }: Column): DerivedType {
  return enumValues === undefined || enumValues.length === 0
    ? { type: 'string' }
    : { type: 'enum', values: enumValues };
}

function integerOf(column: Column, bits: number): DerivedType {
  return column.getSQLType().endsWith('unsigned')
    ? { type: 'integer', min: 0, max: 2 ** bits - 1 }
    : { type: 'integer', min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 };
}
