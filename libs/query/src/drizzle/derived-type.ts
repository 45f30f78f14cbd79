import type { Column } from 'drizzle-orm';
import { type ColumnType, integerRange, type TypeOfColumn } from '../resolve/column.js';
import { cursorsOfDates } from '../resolve/date-precision.js';

export type Dialect = 'Pg' | 'MySql' | 'SQLite';

/** The parts of Drizzle's `columnType`: `PgVarchar` gives `Pg` and `Varchar`. */
export function kindOf({
  columnType,
}: Column): readonly [dialect: Dialect | undefined, kind: string] {
  const [, dialect, kind = columnType] = /^(Pg|MySql|SQLite)(.+)$/.exec(columnType) ?? [];
  return [dialect as Dialect | undefined, kind];
}

/** The type of a column; undefined if queries cannot contain its values. */
// oxlint-disable-next-line max-lines-per-function -- a table of all column types
export function derivedTypeOf(column: Column): TypeOfColumn | undefined {
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
      // MySQL returns six digits of it. SQLite does not have it.
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
      // The order of times with a time zone depends on the zone.
      return column.getSQLType().endsWith('with time zone')
        ? undefined
        : { type: 'time', asText: false };
    case 'Timestamp':
    case 'DateTime': {
      const digits = /\((\d)\)/.exec(column.getSQLType())?.[1] ?? (dialect === 'Pg' ? '6' : '0');
      return { type: 'timestamp', ...cursorsOfDates(Number(digits)) };
    }
    case 'TimestampString':
    case 'DateTimeString':
      return { type: 'timestamp', asText: true };
    case 'UUID':
      return { type: 'uuid', asText: false };
    // Other types (json, arrays, bytes, networks, points, custom types) must be declared.
    default:
      return undefined;
  }
}

/** Whether Drizzle accepts the values of a declared type for the column. Custom types are not checked. */
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

const SAFE: TypeOfColumn = {
  type: 'integer',
  min: Number.MIN_SAFE_INTEGER,
  max: Number.MAX_SAFE_INTEGER,
};

/** The digits of a decimal column. A number is exact up to 15; columns without a limit rarely have more. */
function precisionOf(column: Column): number {
  return 'precision' in column && typeof column.precision === 'number' ? column.precision : 0;
}

function textOf({ enumValues }: Column): TypeOfColumn {
  return enumValues === undefined || enumValues.length === 0
    ? { type: 'string' }
    : { type: 'enum', values: enumValues };
}

function integerOf(column: Column, bits: number): TypeOfColumn {
  const sign = column.getSQLType().endsWith('unsigned') ? 'unsigned' : 'signed';
  return { type: 'integer', ...integerRange(bits, sign) };
}
