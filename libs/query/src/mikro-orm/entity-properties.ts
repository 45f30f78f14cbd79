import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import type { ColumnSource } from '../resolve/derived-columns.js';
import type { ColumnNames } from './condition-where.js';
import { typeOfProperty } from './property-type.js';

/** The stored properties of an entity, from MikroORM's metadata. */
export interface EntityProperties extends ColumnSource {
  /** Gives the name in the database of the column at a path of this entity. */
  readonly columnNameOf: ColumnNames;
}

export function propertiesOfEntity(metadata: EntityMetadata): EntityProperties {
  const stored = metadata.props.filter(
    ({ kind, persist, formula, object }) =>
      String(kind) === 'scalar' && persist !== false && !formula && !object,
  );
  const byPath = new Map(stored.map((property) => [pathOf(property, metadata), property]));
  return {
    label: `entity ${metadata.className}`,
    primaryKey: metadata.primaryKeys,
    columnNameOf: (path) => byPath.get(path)?.fieldNames[0] ?? path,
    propertyOf(path) {
      const property = byPath.get(path);
      return (
        property && {
          name: path,
          nullable: mayBeNull(property, metadata),
          native: property.type,
          ...typeOfProperty(property),
        }
      );
    },
  };
}

/** The path of an embedded property: `address.city` for `address_city`. */
function pathOf({ name, embedded }: EntityProperty, metadata: EntityMetadata): string {
  const outer = embedded && propertyOf(embedded[0], metadata);
  return outer ? `${pathOf(outer, metadata)}.${embedded[1]}` : name;
}

function mayBeNull({ nullable, embedded }: EntityProperty, metadata: EntityMetadata): boolean {
  const outer = embedded && propertyOf(embedded[0], metadata);
  return nullable === true || (outer !== undefined && mayBeNull(outer, metadata));
}

function propertyOf(name: string, metadata: EntityMetadata): EntityProperty | undefined {
  return metadata.props.find((property) => property.name === name);
}
