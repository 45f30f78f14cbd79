import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { cacheByObject } from '../config/cache-by-object.js';
import type { ColumnSource, DerivedColumn } from '../resolve/derived-columns.js';
import { type QueryRelation, startingFrom } from '../resolve/relation.js';
import type { SqlEngine } from '../shared-sql/sql-writer.js';
import { typeOfProperty } from './property-type.js';

/** The stored properties of an entity and of its related entities. */
export interface EntityProperties extends ColumnSource {
  readonly metadata: EntityMetadata;
  /** The paths of the properties of this entity. */
  readonly paths: readonly string[];
  /** MikroORM fetches a lazy property only if the query populates it. */
  isLazy(path: string): boolean;
  /** True for single-precision numbers of PostgreSQL. */
  isReal(path: string): boolean;
  readonly columnNameOf: (path: string) => string;
  relatedBy(relation: QueryRelation): EntityProperties;
}

function propertiesFor(metadata: EntityMetadata, engine: SqlEngine): EntityProperties {
  const stored = metadata.props.filter(
    (property) => isStoredValue(property) || keyBehind(property) !== undefined,
  );
  const byPath = new Map(stored.map((property) => [pathOf(property, metadata), property]));
  const targets = targetsOf(metadata);
  return {
    label: `entity ${metadata.className}`,
    primaryKey: metadata.primaryKeys,
    metadata,
    paths: [...byPath.keys()],
    isLazy: (path) => byPath.get(path)?.lazy === true,
    isReal: (path) => /^(real|float4)$/i.test(byPath.get(path)?.columnTypes[0] ?? ''),
    columnNameOf: (path) => byPath.get(path)?.fieldNames[0] ?? path,
    // Never undefined, because the columns of the config were found through this relation.
    relatedBy: ({ name }) => propertiesOfEntity((targets.get(name) as Target).entity, engine),
    propertyOf(path) {
      const property = byPath.get(path);
      if (property === undefined) return relatedProperty(path, targets, engine);
      const value = keyBehind(property) ?? property;
      return {
        name: path,
        nullable: mayBeNull(property, metadata),
        native: value.type,
        ...typeOfProperty(value, engine),
        ...(value.columnTypes?.[0]?.endsWith('[]') === true && { array: true }),
      };
    },
  };
}

function isStoredValue({ kind, persist, formula, object }: EntityProperty): boolean {
  return String(kind) === 'scalar' && persist !== false && !formula && !object;
}

/**
 * Returns the primary key of the related entity if the property is a primary key and a relation.
 * The column contains the value of that key. Returns undefined for other properties, and if the key
 * has several columns.
 */
function keyBehind({
  primary,
  fieldNames,
  targetMeta,
}: EntityProperty): EntityProperty | undefined {
  if (primary !== true || fieldNames.length !== 1 || targetMeta === undefined) return undefined;
  const [key, ...others] = targetMeta.primaryKeys.map((name) => propertyOf(name, targetMeta));
  if (key === undefined || others.length > 0) return undefined;
  return isStoredValue(key) ? key : keyBehind(key);
}

interface Target {
  readonly many: boolean;
  readonly entity: EntityMetadata;
}

/** The keys are paths. */
function targetsOf(metadata: EntityMetadata): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  for (const property of metadata.props) {
    const many = RELATIONS.get(String(property.kind));
    const { targetMeta: entity, persist } = property;
    if (many === undefined || entity === undefined || persist === false) continue;
    targets.set(pathOf(property, metadata), { many, entity });
  }
  return targets;
}

/** True if the kind has several related rows. */
const RELATIONS: ReadonlyMap<string, boolean> = new Map([
  ['m:1', false],
  ['1:1', false],
  ['1:m', true],
  ['m:n', true],
]);

function relatedProperty(
  path: string,
  targets: ReadonlyMap<string, Target>,
  engine: SqlEngine,
): DerivedColumn | undefined {
  for (const [name, { many, entity }] of targets) {
    if (!path.startsWith(`${name}.`)) continue;
    const found = propertiesOfEntity(entity, engine).propertyOf(path.slice(name.length + 1));
    return found && { ...found, relation: startingFrom({ name, many }, found.relation) };
  }
  return undefined;
}

const PROPERTIES = {
  postgresql: cacheByObject((metadata: EntityMetadata) => propertiesFor(metadata, 'postgresql')),
  mysql: cacheByObject((metadata: EntityMetadata) => propertiesFor(metadata, 'mysql')),
  sqlite: cacheByObject((metadata: EntityMetadata) => propertiesFor(metadata, 'sqlite')),
};

/** Created on demand, because entities refer to each other. */
export function propertiesOfEntity(metadata: EntityMetadata, engine: SqlEngine): EntityProperties {
  return PROPERTIES[engine](metadata);
}

/** Returns the path of an embedded property: `address.city` for `address_city`. */
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
