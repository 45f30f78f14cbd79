import type { EntityManager } from '@mikro-orm/core';
import { type ColumnType, integerRange, cursorsOfDates } from '../resolve/column.js';
import type { TypeOfProperty } from '../resolve/derived-columns.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { SqlEngine } from '../shared-sql/sql-writer.js';

export interface TypedProperty {
  readonly type: string;
  readonly runtimeType: string;
  readonly columnTypes?: readonly string[];
  readonly customType?: object;
  readonly enum?: boolean;
  readonly items?: readonly unknown[];
  readonly array?: boolean;
  readonly unsigned?: boolean;
  readonly defaultRaw?: string;
  readonly onCreate?: unknown;
}

export function typeOfProperty(property: TypedProperty, engine: SqlEngine): TypeOfProperty {
  const { runtimeType, customType, items = [] } = property;
  const custom = customType?.constructor.name;
  if (property.array) return { type: undefined };
  // The values of other custom types are not known.
  if (custom !== undefined && !CUSTOM_TYPES.has(custom)) return { type: undefined };
  const values = items.filter((item) => typeof item === 'string');
  if (property.enum && values.length > 0) return { type: 'enum', values };
  const derived = custom === undefined ? undefined : CUSTOM_TYPES.get(custom);
  const declared = typeNameOf(property.type);
  const stored = typeNameOf(property.columnTypes?.[0] ?? '');
  // SQLite stores a UUID as a string.
  if (derived === 'uuid') return { type: derived, asText: stored !== 'uuid' };
  // Times with a time zone have no type here, because their order depends on the zone.
  if (derived === 'time' && /timetz|with time zone/.test(stored)) return { type: undefined };
  // MySQL returns only six digits of a float.
  if (derived === 'number' && stored === 'float') return { type: derived, hasCursors: false };
  if (derived === 'timestamp') return timestampOf(property, engine);
  if (derived !== undefined) return { type: derived };
  switch (runtimeType) {
    case 'boolean':
      return { type: 'boolean' };
    case 'Date':
      return timestampOf(property, engine);
    case 'number': {
      const bits = INTEGER_BITS[declared] ?? INTEGER_BITS[stored];
      if (bits === undefined) return { type: 'number' };
      return { type: 'integer', ...integerRange(bits, property.unsigned ? 'unsigned' : 'signed') };
    }
    case 'string':
      // SQLite stores a UUID as text, so the column type is not `uuid`.
      if (declared === 'uuid') return { type: 'uuid', asText: stored !== 'uuid' };
      return stored === 'uuid' ? { type: 'uuid', asText: false } : { type: TEXT_TYPES.get(stored) };
    default:
      return { type: undefined };
  }
}

const ENGINES: readonly (readonly [RegExp, SqlEngine])[] = [
  [/PostgreSql/, 'postgresql'],
  [/MySql|MariaDb/, 'mysql'],
  [/Sqlite|LibSql/, 'sqlite'],
];

/**
 * Finds the engine by the class of the platform, which an application can extend. Rejects MongoDB,
 * because it has no raw conditions, and SQL Server, where `[` is a wildcard.
 */
export function engineOf(em: EntityManager): SqlEngine {
  const platform: object = em.getPlatform();
  for (let made = platform; made; made = Object.getPrototypeOf(made) as object) {
    const known = ENGINES.find(([name]) => name.test(made.constructor.name));
    if (known) return known[1];
  }
  throw new InvalidQueryConfigError(
    `The MikroORM platform ${platform.constructor.name} is not supported.`,
    'Use PostgreSQL, MySQL, MariaDB or SQLite, and keep the names of classes when you bundle the application. ' +
      'For MongoDB, use @fledge/query/mongoose.',
  );
}

/** Without a precision, PostgreSQL stores microseconds. */
function timestampOf(property: TypedProperty, engine: SqlEngine): TypeOfProperty {
  const { columnTypes: [stored = ''] = [], defaultRaw = '', onCreate } = property;
  const isMixed = engine === 'sqlite' && onCreate === undefined && TEXT_DEFAULT.test(defaultRaw);
  if (isMixed) return { type: 'timestamp', hasCursors: false };
  const byDefault = engine === 'postgresql' ? 6 : 0;
  return {
    type: 'timestamp',
    ...cursorsOfDates(Number(/\((\d)\)/.exec(stored)?.[1] ?? byDefault)),
  };
}

/**
 * Defaults that SQLite stores as text. MikroORM stores a Date as a number, and SQLite sorts every
 * text after every number. MikroORM 6 also reads the text in the time zone of the server.
 */
const TEXT_DEFAULT = /current_timestamp|datetime\s*\(|%Y/i;

/** Removes the length from a type: `varchar(255)` becomes `varchar`. */
function typeNameOf(type: string): string {
  return type.toLowerCase().replace(/\s*\(.*/, '');
}

/** If the value is undefined, the type of the property and the type of the column decide. */
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
