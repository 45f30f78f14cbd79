import type { Column } from 'drizzle-orm';
import {
  type ColumnType,
  integerRange,
  type TypeOfColumn,
  cursorsOfDates,
} from '../resolve/column.js';
import type { SqlEngine } from '../shared-sql/sql-writer.js';

const ENGINES: Readonly<Record<string, SqlEngine>> = {
  Pg: 'postgresql',
  MySql: 'mysql',
  SQLite: 'sqlite',
};

/** Splits Drizzle's `columnType`: `PgVarchar` becomes `postgresql` and `Varchar`. */
export function kindOf({
  columnType,
}: Column): readonly [engine: SqlEngine | undefined, kind: string] {
  const [, prefix = '', kind = columnType] = /^(Pg|MySql|SQLite)(.+)$/.exec(columnType) ?? [];
  return [ENGINES[prefix], kind];
}

/**
 * Returns the JavaScript type of a column's values, with its name in Drizzle 0.44, such as `array`,
 * `date` or `number`. Drizzle 1.0 writes `object date` and `number int32`. Drizzle 1.0 also gives
 * an array the type of the elements.
 */
export function dataTypeOf(column: Column): string {
  const { dataType, dimensions = 0 } = column as Column & { readonly dimensions?: number };
  if (dimensions > 0) return 'array';
  const [first = '', second] = dataType.split(' ');
  return first === 'object' && second !== undefined ? second : first;
}

/** Returns undefined if queries cannot contain values of the column. */
export function derivedTypeOf(column: Column): TypeOfColumn | undefined {
  if (dataTypeOf(column) === 'array') return undefined;
  const [engine, kind] = kindOf(column);
  // Other types (json, arrays, bytes, networks, points, custom types) must be declared.
  return engine && DERIVED.get(kind)?.(column, engine);
}

type Derive = (column: Column, engine: SqlEngine) => TypeOfColumn | undefined;

const SAFE: TypeOfColumn = {
  type: 'integer',
  min: Number.MIN_SAFE_INTEGER,
  max: Number.MAX_SAFE_INTEGER,
};

const DERIVED: ReadonlyMap<string, Derive> = new Map(
  (
    [
      ['Text Char Varchar VarChar EnumColumn EnumObjectColumn', textOf],
      ['Integer', (column, engine) => (engine === 'sqlite' ? SAFE : integerOf(column, 32))],
      ['Serial', (column, engine) => (engine === 'mysql' ? SAFE : integerOf(column, 32))],
      ['Int', (column) => integerOf(column, 32)],
      ['MediumInt', (column) => integerOf(column, 24)],
      ['SmallInt SmallSerial Year', (column) => integerOf(column, 16)],
      ['TinyInt', (column) => integerOf(column, 8)],
      ['BigInt53 BigSerial53', () => SAFE],
      ['BigInt64 BigSerial64 NumericBigInt DecimalBigInt', () => ({ type: 'bigint' })],
      ['Numeric Decimal', () => ({ type: 'decimal' })],
      ['NumericNumber DecimalNumber', roundedOf],
      // MySQL returns only six digits of a float. SQLite has no type `float`.
      ['Float', () => ({ type: 'number', hasCursors: false })],
      ['DoublePrecision Double Real', () => ({ type: 'number' })],
      ['Boolean', () => ({ type: 'boolean' })],
      ['Date DateString', () => ({ type: 'date' })],
      ['Time', timeOf],
      ['Timestamp DateTime', timestampOf],
      ['TimestampString DateTimeString', () => ({ type: 'timestamp', asText: true })],
      ['UUID', () => ({ type: 'uuid', asText: false })],
    ] satisfies [kinds: string, derive: Derive][]
  ).flatMap(([kinds, derive]) => kinds.split(' ').map((kind): [string, Derive] => [kind, derive])),
);

/** True if Drizzle accepts values of the declared type. Custom types are not checked. */
export function holdsValuesOf(column: Column, type: ColumnType): boolean {
  const dataType = dataTypeOf(column);
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

/**
 * A JavaScript number is exact up to 15 digits. Decimal columns without a precision rarely contain
 * more digits.
 */
function roundedOf(column: Column): TypeOfColumn {
  const digits =
    'precision' in column && typeof column.precision === 'number' ? column.precision : 0;
  return { type: 'number', hasCursors: digits <= 15 };
}

/** Times with a time zone have no type here, because their order depends on the zone. */
function timeOf(column: Column): TypeOfColumn | undefined {
  const hasZone = column.getSQLType().endsWith('with time zone');
  return hasZone ? undefined : { type: 'time', asText: false };
}

function timestampOf(column: Column, engine: SqlEngine): TypeOfColumn {
  const digits = /\((\d)\)/.exec(column.getSQLType())?.[1] ?? (engine === 'postgresql' ? '6' : '0');
  return { type: 'timestamp', ...cursorsOfDates(Number(digits)) };
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
