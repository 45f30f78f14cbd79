import { helper, Utils } from '@mikro-orm/core';
import { TenantRowMismatchError, TenantUnguardedError } from '../tenant.errors.js';
import { checkLinks, linkingOf, ownLinks } from './guarded-links.js';
import type { OwnedEntities, OwnedEntity } from './owned-entities.js';
import type {
  Constructor,
  Row,
  SqlDriver,
  SyncedCollection,
  WriteOptions,
  Written,
} from './sql-internals.js';

/** A driver that checks what a QueryBuilder does not show: statements of several rows, upserts and links. */
export function guardedWrites(
  Driver: Constructor<SqlDriver>,
  entities: OwnedEntities,
): Constructor<SqlDriver> {
  return class extends guardedUpdates(Driver, entities) {
    override async nativeInsertMany(
      entity: string,
      rows: Row[],
      options?: WriteOptions,
      ...more: unknown[]
    ) {
      const own = ownRows(rows, writingOf(this, entities, entity));
      await checkLinks(linkingOf(this, entities, entity), own, options);
      return super.nativeInsertMany(entity, own, options, ...more);
    }

    override async nativeDelete(entity: string, where: unknown, options?: WriteOptions) {
      const linking = linkingOf(this, entities, entity);
      return super.nativeDelete(
        entity,
        linking ? ownLinks(linking, where, options) : where,
        options,
      );
    }

    override async syncCollections(changed: Iterable<SyncedCollection>, options?: WriteOptions) {
      const all = [...changed];
      for (const one of all) await checkOwner(this, entities, one, options);
      return super.syncCollections(all, options);
    }
  };
}

function guardedUpdates(
  Driver: Constructor<SqlDriver>,
  entities: OwnedEntities,
): Constructor<SqlDriver> {
  return class extends Driver {
    override async nativeUpdateMany(
      entity: string,
      where: unknown[],
      rows: Row[],
      options: WriteOptions = {},
    ): Promise<Written> {
      const writing = writingOf(this, entities, entity);
      if (options.upsert !== true) refuseBatch(writing);
      await checkLinks(linkingOf(this, entities, entity), rows, options);
      const written = await super.nativeUpdateMany(entity, where, rows, options);
      if (writing) await checkUpserted(this, writing, where, { ...options, ...written });
      return written;
    }

    override async nativeUpdate(
      entity: string,
      where: unknown,
      row: Row,
      options: WriteOptions = {},
    ): Promise<Written> {
      const written = await super.nativeUpdate(entity, where, row, options);
      const writing = writingOf(this, entities, entity);
      if (writing) await checkUpserted(this, writing, [where], { ...options, ...written });
      return written;
    }
  };
}

/** A statement for rows of a tenant. */
interface Writing {
  readonly entity: string;
  readonly owned: OwnedEntity;
  readonly tenantId: string;
}

/** Undefined for shared entities, and where all rows may be written. */
function writingOf(
  driver: SqlDriver,
  entities: OwnedEntities,
  entity: string,
): Writing | undefined {
  const owned = entities.of(driver.metadata.find(entity));
  const tenantId = owned && entities.tenantId();
  return tenantId === undefined ? undefined : { entity, owned: owned as OwnedEntity, tenantId };
}

function ownRows(rows: Row[], writing: Writing | undefined): Row[] {
  if (!writing) return rows;
  return rows.map((row) => writing.owned.filled(row, writing.tenantId, 'property'));
}

function refuseBatch(writing: Writing | undefined): void {
  if (!writing) return;
  throw new TenantUnguardedError(
    `A batch of updates beside ${writing.owned.place}`,
    'its statement has no place for a condition',
    'Leave `useBatchUpdates` off',
  );
}

/** @throws TenantRowMismatchError where a row of another tenant has the key of an upsert */
async function checkUpserted(
  driver: SqlDriver,
  writing: Writing,
  keys: readonly unknown[],
  options: WriteOptions & Written,
): Promise<void> {
  if (options.upsert !== true || options.affectedRows >= keys.length) return;
  for (const where of keys) {
    if (await hasOwn(driver, writing, where, options)) continue;
    throw new TenantRowMismatchError(`The key of an upsert beside ${writing.owned.place}`);
  }
}

/**
 * The table between two entities has no tenant: the owner's decides. An entity may lie about its own, its row does not.
 * @throws TenantRowMismatchError
 */
async function checkOwner(
  driver: SqlDriver,
  entities: OwnedEntities,
  { owner, property }: SyncedCollection,
  options?: WriteOptions,
): Promise<void> {
  const { className, primaryKeys } = helper(owner).__meta;
  const writing = writingOf(driver, entities, className);
  if (!writing) return;
  const where = Utils.getPrimaryKeyCond(owner, primaryKeys);
  if (await hasOwn(driver, writing, where, options)) return;
  throw new TenantRowMismatchError(`The owner of ${className}.${property.name}`);
}

async function hasOwn(
  driver: SqlDriver,
  { entity }: Writing,
  where: unknown,
  { ctx }: WriteOptions = {},
): Promise<boolean> {
  return (await driver.count(entity, where, { ctx })) > 0;
}
