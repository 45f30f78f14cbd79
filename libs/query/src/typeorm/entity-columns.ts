import type { EntityMetadata } from 'typeorm';
import type { ColumnSource, DerivedColumn, TypeOfProperty } from '../resolve/derived-columns.js';
import type { QueryRelation } from '../resolve/relation.js';
import type { Dialect } from './dialect.js';
import { type ColumnType, integerRange, cursorsOfDates } from '../resolve/column.js';

export function columnsOfEntity(metadata: EntityMetadata, dialect: Dialect): ColumnSource {
  return {
    label: `entity ${metadata.name}`,
    primaryKey: metadata.primaryColumns.map(({ propertyPath }) => propertyPath),
    propertyOf: (path) => propertyOf(path, metadata, dialect),
  };
}

function propertyOf(
  path: string,
  metadata: EntityMetadata,
  dialect: Dialect,
  from?: QueryRelation,
): DerivedColumn | undefined {
  // Omits columns that exist only because of a relation. TypeORM cannot sort by such columns
  // without a join.
  const column = metadata.columns.find(
    ({ propertyPath, relationMetadata, isVirtual, isVirtualProperty }) =>
      propertyPath === path && !(relationMetadata && isVirtual) && !isVirtualProperty,
  );
  if (column !== undefined) {
    return {
      name: path,
      nullable: column.isNullable,
      native: typeNameOf(column),
      ...typeOfColumn(column, dialect),
      ...(column.isArray && { array: true }),
      ...(from && { relation: from }),
    };
  }
  const relation = metadata.relations.find(({ propertyPath }) =>
    path.startsWith(`${propertyPath}.`),
  );
  if (relation === undefined) return undefined;
  const { propertyPath: name, inverseEntityMetadata } = relation;
  const many = relation.isOneToMany || relation.isManyToMany;
  const inner = path.slice(name.length + 1);
  return propertyOf(inner, inverseEntityMetadata, dialect, { name, many, ...(from && { from }) });
}

type ColumnMetadata = EntityMetadata['columns'][number];

function typeOfColumn(column: ColumnMetadata, dialect: Dialect): TypeOfProperty {
  const { type, isArray, generationStrategy, unsigned } = column;
  if (isArray) return { type: undefined };
  if (type === 'uuid' || generationStrategy === 'uuid') {
    return { type: 'uuid', asText: dialect.engine !== 'postgresql' };
  }
  // MySQL returns only six digits of a float.
  if (type === 'float' && dialect.engine === 'mysql') return { type: 'number', hasCursors: false };
  if (typeof type === 'function') {
    const constructed = CONSTRUCTORS.get(type);
    return { type: constructed, ...(constructed === 'timestamp' && precisionOf(column, dialect)) };
  }
  if (type === 'enum' || type === 'simple-enum') {
    return { type: 'enum', values: (column.enum ?? []).map(String) };
  }
  const bits = INTEGER_BITS[type];
  if (bits !== undefined)
    return { type: 'integer', ...integerRange(bits, unsigned ? 'unsigned' : 'signed') };
  const named = TYPES.get(type);
  return { type: named, ...(named === 'timestamp' && precisionOf(column, dialect)) };
}

/** The default precision is microseconds in PostgreSQL, and seconds in MySQL. */
function precisionOf({ precision }: ColumnMetadata, { engine }: Dialect) {
  return cursorsOfDates(precision ?? (engine === 'postgresql' ? 6 : 0));
}

function typeNameOf({ type, isArray }: ColumnMetadata): string {
  return (typeof type === 'function' ? type.name : type) + (isArray ? '[]' : '');
}

const CONSTRUCTORS: ReadonlyMap<unknown, ColumnType> = new Map<unknown, ColumnType>([
  [String, 'string'],
  [Number, 'integer'],
  [Boolean, 'boolean'],
  [Date, 'timestamp'],
]);

const INTEGER_BITS: Readonly<Record<string, number>> = {
  tinyint: 8,
  smallint: 16,
  int2: 16,
  mediumint: 24,
  int: 32,
  int4: 32,
  integer: 32,
};

const TYPES: ReadonlyMap<string, ColumnType> = new Map(
  Object.entries({
    string: [
      ...['char', 'nchar', 'character', 'native character', 'national char', 'char varying'],
      ...['varchar', 'nvarchar', 'character varying', 'varying character', 'national varchar'],
      ...['text', 'tinytext', 'mediumtext', 'longtext', 'citext', 'clob'],
    ],
    bigint: ['bigint', 'int8', 'int64', 'unsigned big int'],
    number: ['float', 'float4', 'float8', 'float64', 'real', 'double', 'double precision'],
    decimal: ['decimal', 'dec', 'numeric', 'fixed'],
    boolean: ['boolean', 'bool'],
    date: ['date'],
    time: ['time', 'time without time zone'],
    timestamp: [
      ...['datetime', 'timestamp', 'timestamptz'],
      ...['timestamp without time zone', 'timestamp with time zone'],
    ],
    uuid: ['uuid'],
  } satisfies Partial<Record<ColumnType, string[]>>).flatMap(([type, words]) =>
    words.map((word): [string, ColumnType] => [word, type as ColumnType]),
  ),
);
