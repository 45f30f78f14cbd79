import type { EntityMetadata } from 'typeorm';
import type { ColumnSource } from '../resolve/derived-columns.js';
import { typeNameOf, typeOfColumn } from './column-type.js';
import type { Dialect } from './dialect.js';

/** The columns of an entity by property path, from TypeORM's metadata. */
export function columnsOfEntity(metadata: EntityMetadata, dialect: Dialect): ColumnSource {
  // Without columns of relations, which TypeORM cannot order by without a join.
  const stored = metadata.columns.filter(
    ({ relationMetadata, isVirtualProperty }) => !relationMetadata && !isVirtualProperty,
  );
  const byPath = new Map(stored.map((column) => [column.propertyPath, column]));
  return {
    label: `entity ${metadata.name}`,
    primaryKey: metadata.primaryColumns.map(({ propertyPath }) => propertyPath),
    propertyOf(path) {
      const column = byPath.get(path);
      return (
        column && {
          name: path,
          nullable: column.isNullable,
          native: typeNameOf(column),
          ...typeOfColumn(column, dialect),
        }
      );
    },
  };
}
