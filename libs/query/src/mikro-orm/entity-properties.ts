import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { onceFor } from '../config/once-for.js';
import type { ColumnSource, DerivedColumn } from '../resolve/derived-columns.js';
import { type QueryRelation, startingFrom } from '../resolve/relation.js';
import { typeOfProperty } from './property-type.js';

/** The stored properties of an entity and of its related entities, from MikroORM's metadata. */
export interface EntityProperties extends ColumnSource {
  readonly metadata: EntityMetadata;
  /** The paths of the properties of this entity. */
  readonly paths: readonly string[];
  /**
   * Returns true for a lazy property: rows are fetched without it unless the query populates it.
   */
  isLazy(path: string): boolean;
  /** Returns the database name of the column at a path of this entity. */
  readonly columnNameOf: (path: string) => string;
  /** The properties of the related entity. */
  relatedBy(relation: QueryRelation): EntityProperties;
}

export function propertiesOfEntity(metadata: EntityMetadata): EntityProperties {
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
    columnNameOf: (path) => byPath.get(path)?.fieldNames[0] ?? path,
    // Not undefined, because the columns of the config were found through this relation.
    relatedBy: ({ name }) => propertiesOf((targets.get(name) as Target).entity),
    propertyOf(path) {
      const property = byPath.get(path);
      if (property === undefined) return relatedProperty(path, targets);
      const value = keyBehind(property) ?? property;
      return {
        name: path,
        nullable: mayBeNull(property, metadata),
        native: value.type,
        ...typeOfProperty(value),
        ...(value.columnTypes?.[0]?.endsWith('[]') === true && { array: true }),
      };
    },
  };
}

function isStoredValue({ kind, persist, formula, object }: EntityProperty): boolean {
  return String(kind) === 'scalar' && persist !== false && !formula && !object;
}

/**
 * For a primary key that is a relation, returns the property whose value its column contains: the
 * primary key of the related entity. Returns undefined for other properties, and for a key of
 * several columns.
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

/** The target of a relation. */
interface Target {
  readonly many: boolean;
  readonly entity: EntityMetadata;
}

/** Returns the targets of relations by path. */
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

/** The kinds of relations. True for a kind with several related rows. */
const RELATIONS: ReadonlyMap<string, boolean> = new Map([
  ['m:1', false],
  ['1:1', false],
  ['1:m', true],
  ['m:n', true],
]);

function relatedProperty(
  path: string,
  targets: ReadonlyMap<string, Target>,
): DerivedColumn | undefined {
  for (const [name, { many, entity }] of targets) {
    if (!path.startsWith(`${name}.`)) continue;
    const found = propertiesOf(entity).propertyOf(path.slice(name.length + 1));
    return found && { ...found, relation: startingFrom({ name, many }, found.relation) };
  }
  return undefined;
}

/** Created when a path requires it, because entities refer to each other. */
const propertiesOf = onceFor(propertiesOfEntity);

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
