import { ReferenceKind } from '@mikro-orm/core';
import { TenantRowMismatchError, TenantUnguardedError } from '../../tenant.errors.js';
import type { OwnedEntities } from './owned-entities.js';
import { partOf } from './owned-entity.js';
import {
  asValue,
  type EntityRef,
  type Metadata,
  type Property,
  refOf,
  type Row,
  type SqlDriver,
  type WriteOptions,
} from './sql-internals.js';

/** A statement for a link table. Either side of the relation can be the source. */
interface Linking {
  readonly driver: SqlDriver;
  readonly table: Metadata;
  readonly owner: Metadata;
  /** The owning side. `joinColumns` contains the owner's key columns in the table. */
  readonly relation: Property;
}

type Link = Pick<Linking, 'owner' | 'relation'>;

/** The many-to-many relation, if the entity is a link table. Null for other entities. */
const links = new WeakMap<Metadata, Link | null>();

/**
 * Returns undefined if the entity is not a link table, if the owner is shared, or if all rows may
 * be written.
 */
export function linkingOf(
  driver: SqlDriver,
  entities: OwnedEntities,
  entity: EntityRef,
): Linking | undefined {
  const meta: Metadata | undefined = driver.metadata.find(entity);
  if (!meta) return undefined;
  const known = links.get(meta);
  const link = known === undefined ? findLink(driver, meta) : known;
  links.set(meta, link);
  if (!link || !entities.of(link.owner) || entities.tenantId() === undefined) return undefined;
  return { driver, table: meta, ...link };
}

function findLink({ metadata }: SqlDriver, meta: Metadata): Link | null {
  for (const owner of metadata as Iterable<Metadata>) {
    const relation = owner.props.find(
      ({ kind, owner: isOwner, pivotEntity }) =>
        kind === ReferenceKind.MANY_TO_MANY && isOwner && metadata.find(pivotEntity) === meta,
    );
    if (relation) return { owner, relation };
  }
  return null;
}

/**
 * Checks new links. A link table has no tenant, so the tenant of the owner's row is checked. The
 * same check applies if code changes the other side of the relation.
 * @throws TenantRowMismatchError if the owner of a new link belongs to another tenant
 */
export async function checkLinks(
  linking: Linking | undefined,
  links: readonly Row[],
  { ctx }: WriteOptions = {},
): Promise<void> {
  if (!linking) return;
  const { driver, table, owner, relation } = linking;
  const { primaryKeys } = owner;
  const { joinColumns } = relation;
  const side = table.props.find(({ fieldNames }) => String(fieldNames) === String(joinColumns));
  const keys = new Map<string, Row>();
  for (const link of links) {
    const values = joinColumns.map(
      (column, position) => link[column] ?? (side && partOf(link[side.name], position)),
    );
    keys.set(
      JSON.stringify(values.map(textOfKey)),
      Object.fromEntries(primaryKeys.map((key, i) => [key, values[i]])),
    );
  }
  const own = await driver.count(refOf(owner), { $or: [...keys.values()] }, { ctx });
  if (own === keys.size) return;
  throw new TenantRowMismatchError(`The owner of \`${owner.className}.${relation.name}\``);
}

/** Returns different strings for different keys. `String()` omits the milliseconds of dates. */
function textOfKey(key: unknown): string {
  if (key instanceof Uint8Array) return Buffer.from(key).toString('hex');
  return typeof key === 'object' ? JSON.stringify(key) : String(key as string | number | bigint);
}

/**
 * A link table with the tenant property counts as a normal entity.
 * @throws TenantUnguardedError if a change does not come from a collection
 */
export function refuseChange(driver: SqlDriver, entities: OwnedEntities, entity: EntityRef): void {
  const linking = linkingOf(driver, entities, entity);
  if (!linking || entities.of(linking.table)) return;
  const { owner, relation } = linking;
  throw new TenantUnguardedError(
    `A direct change of the link table of \`${owner.className}.${relation.name}\``,
    'the link table has no column for the tenant',
    'Change the collection, or delete and insert the links',
  );
}

/** The owner must belong to the tenant. @throws TenantUnguardedError */
export function ownLinks(
  { driver, owner, relation }: Linking,
  where: unknown,
  { ctx }: WriteOptions = {},
): Row {
  const [key, ...more] = owner.primaryKeys;
  const [column] = relation.joinColumns;
  if (key === undefined || column === undefined || more.length > 0) {
    throw new TenantUnguardedError(
      `Removing links of \`${owner.className}.${relation.name}\``,
      'the primary key of the owner has several columns',
      'Define an entity for the link table, with a property for the tenant',
    );
  }
  const own = asValue(driver.createQueryBuilder(refOf(owner), ctx).select(key));
  return { $and: [where, { [column]: { $in: own } }] };
}
