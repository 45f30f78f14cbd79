import type { ColumnType } from '../resolve/column.js';

/** What MikroORM says of a property, as far as its type goes. */
export interface TypedProperty {
  readonly type: string;
  readonly runtimeType: string;
  readonly columnTypes?: readonly string[];
  readonly customType?: object;
  readonly enum?: boolean;
  readonly items?: readonly unknown[];
  readonly array?: boolean;
  readonly unsigned?: boolean;
}

/** The values of a property; no `type` where no filter fits. */
export interface TypeOfProperty {
  readonly type: ColumnType | undefined;
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly asText?: boolean;
  readonly hasCursors?: boolean;
}

export function typeOfProperty(property: TypedProperty): TypeOfProperty {
  const { runtimeType, customType, items = [] } = property;
  const custom = customType?.constructor.name;
  if (property.array) return { type: undefined };
  // What another custom type makes of its values, nobody knows but its author.
  if (custom !== undefined && !CUSTOM_TYPES.has(custom)) return { type: undefined };
  const values = items.filter((item) => typeof item === 'string');
  if (property.enum && values.length > 0) return { type: 'enum', values };
  const derived = custom === undefined ? undefined : CUSTOM_TYPES.get(custom);
  const declared = wordOf(property.type);
  const stored = wordOf(property.columnTypes?.[0] ?? '');
  // SQLite stores a uuid as text.
  if (derived === 'uuid') return { type: derived, asText: stored !== 'uuid' };
  // Of a time with a time zone the order depends on the zone.
  if (derived === 'time' && /timetz|with time zone/.test(stored)) return { type: undefined };
  // MySQL shows six digits of it.
  if (derived === 'number' && stored === 'float') return { type: derived, hasCursors: false };
  if (derived !== undefined) return { type: derived };
  switch (runtimeType) {
    case 'boolean':
      return { type: 'boolean' };
    case 'Date':
      return { type: 'timestamp' };
    case 'number': {
      const bits = INTEGER_BITS[declared] ?? INTEGER_BITS[stored];
      if (bits === undefined) return { type: 'number' };
      return { type: 'integer', ...rangeOf(bits, property.unsigned === true) };
    }
    case 'string':
      // SQLite stores a uuid as text, and only the property knows.
      if (declared === 'uuid') return { type: 'uuid', asText: stored !== 'uuid' };
      return stored === 'uuid' ? { type: 'uuid', asText: false } : { type: TEXT_TYPES.get(stored) };
    default:
      return { type: undefined };
  }
}

/** `varchar(255)` and `time(0)` without their lengths. */
function wordOf(type: string): string {
  return type.toLowerCase().replace(/\s*\(.*/, '');
}

function rangeOf(bits: number, unsigned: boolean): { min: number; max: number } {
  return unsigned
    ? { min: 0, max: 2 ** bits - 1 }
    : { min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 };
}

/** MikroORM's own types; undefined where the property and its column tell more. */
const CUSTOM_TYPES: ReadonlyMap<string, ColumnType | undefined> = new Map([
  ['BigIntType', 'bigint'],
  ['DecimalType', 'decimal'],
  ['DoubleType', 'number'],
  ['FloatType', 'number'],
  ['DateType', 'date'],
  ['TimeType', 'time'],
  ['UuidType', 'uuid'],
  ['BooleanType', 'boolean'],
  ['DateTimeType', 'timestamp'],
  ['EnumType', undefined],
  ['StringType', undefined],
  ['TextType', undefined],
  ['CharacterType', undefined],
  ['IntegerType', undefined],
  ['SmallIntType', undefined],
  ['TinyIntType', undefined],
  ['MediumIntType', undefined],
] satisfies [string, ColumnType | undefined][]);

const INTEGER_BITS: Readonly<Record<string, number>> = {
  tinyint: 8,
  smallint: 16,
  smallserial: 16,
  mediumint: 24,
  int: 32,
  integer: 32,
  serial: 32,
};

const TEXT_TYPES: ReadonlyMap<string, ColumnType> = new Map([
  ...['text', 'tinytext', 'mediumtext', 'longtext', 'citext'].map(textual),
  ...['char', 'character', 'varchar', 'character varying', 'nvarchar'].map(textual),
  ['date', 'date'],
  ['time', 'time'],
  ['numeric', 'decimal'],
  ['decimal', 'decimal'],
]);

function textual(word: string): [string, ColumnType] {
  return [word, 'string'];
}
