import type { EntityMetadata } from 'typeorm';
import type { ColumnSource, DerivedColumn } from '../resolve/derived-columns.js';
import type { QueryRelation } from '../resolve/relation.js';
import { typeNameOf, typeOfColumn } from './column-type.js';
import type { Dialect } from './dialect.js';

/** The columns of an entity and of its related entities by property path, from TypeORM's metadata. */
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
  // Without columns that only a relation declares, which TypeORM cannot order by without a join.
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
