import { ReferenceKind } from '@mikro-orm/core';
import { TenantRowMismatchError, TenantUnguardedError } from '../tenant.errors.js';
import type { OwnedEntities } from './owned-entities.js';
import type { Metadata, Property, Row, SqlDriver, WriteOptions } from './sql-internals.js';

/** Statements for the table of a many-to-many relation, whichever side they come from. */
interface Linking {
  readonly driver: SqlDriver;
  readonly owner: Metadata;
  /** The relation at its owner. Its `joinColumns` are the owner's key in the table. */
  readonly relation: Property;
}

type Link = Pick<Linking, 'owner' | 'relation'>;

/** The relation that a table is of, for each entity. */
const links = new WeakMap<Metadata, Link | null>();

/** Undefined for other tables, for owners that are shared, and where all rows may be written. */
export function linkingOf(
  driver: SqlDriver,
  entities: OwnedEntities,
  entity: string,
): Linking | undefined {
  const meta: Metadata | undefined = driver.metadata.find(entity);
  if (!meta) return undefined;
  const known = links.get(meta);
  const link = known === undefined ? findLink(driver, meta) : known;
  links.set(meta, link);
  if (!link || !entities.of(link.owner) || entities.tenantId() === undefined) return undefined;
  return { driver, ...link };
}

function findLink(driver: SqlDriver, { className }: Metadata): Link | null {
  for (const owner of Object.values(driver.metadata.getAll()) as Metadata[]) {
    const relation = owner.props.find(
      ({ kind, owner: isOwner, pivotEntity }) =>
        kind === ReferenceKind.MANY_TO_MANY && isOwner && pivotEntity === className,
    );
    if (relation) return { owner, relation };
  }
  return null;
}

/**
 * The table has no tenant: the owner's row decides, also for a change from the other side.
 * @throws TenantRowMismatchError if the owner of a new link belongs to another tenant
 */
export async function checkLinks(
  linking: Linking | undefined,
  links: readonly Row[],
  { ctx }: WriteOptions = {},
): Promise<void> {
  if (!linking) return;
  const { driver, owner, relation } = linking;
  const { primaryKeys } = owner;
  const keys = new Map<string, Row>();
  for (const link of links) {
    const values = relation.joinColumns.map((column) => link[column]);
    keys.set(
      JSON.stringify(values.map(String)),
      Object.fromEntries(primaryKeys.map((key, i) => [key, values[i]])),
    );
  }
  const own = await driver.count(owner.className, { $or: [...keys.values()] }, { ctx });
  if (own === keys.size) return;
  throw new TenantRowMismatchError(`The owner of ${owner.className}.${relation.name}`);
}

/**
 * A condition for links whose owner belongs to the tenant.
 * @throws TenantUnguardedError
 */
export function ownLinks(
  { driver, owner, relation }: Linking,
  where: unknown,
  { ctx }: WriteOptions = {},
): Row {
  const [key, ...more] = owner.primaryKeys;
  const [column] = relation.joinColumns;
  if (key === undefined || column === undefined || more.length > 0) {
    throw new TenantUnguardedError(
      `Removing links of ${owner.className}.${relation.name}`,
      'the key of its owner has several columns',
      'Make an entity of the table, with the property of the tenant',
    );
  }
  const own = driver.createQueryBuilder(owner.className, ctx).select(key).getKnexQuery();
  return { $and: [where, { [column]: { $in: own } }] };
}
