import { helper, Utils } from '@mikro-orm/core';
import { TenantRowMismatchError, TenantUnguardedError } from '../../tenant.errors.js';
import { checkLinks, linkingOf, ownLinks, refuseChange } from './guarded-links.js';
import type { OwnedEntities } from './owned-entities.js';
import type { OwnedEntity } from './owned-entity.js';
import { checkRawIn, needsTenant } from './raw-sql.js';
import {
  type Constructor,
  type EntityRef,
  refOf,
  type Row,
  type SqlDriver,
  type SyncedCollection,
  type WriteOptions,
  type Written,
} from './sql-internals.js';

/** Checks statements without a QueryBuilder: for several rows, upserts and links. */
export function guardedWrites(
  Driver: Constructor<SqlDriver>,
  entities: OwnedEntities,
): Constructor<SqlDriver> {
  return class extends guardedUpdates(Driver, entities) {
    override async nativeInsert(entity: EntityRef, row: Row, options?: WriteOptions) {
      await checkLinks(linkingOf(this, entities, entity), [row], options);
      return super.nativeInsert(entity, row, options);
    }

    override async nativeInsertMany(
      entity: EntityRef,
      rows: Row[],
      options?: WriteOptions,
      ...more: unknown[]
    ) {
      const own = ownRows(rows, writingOf(this, entities, entity));
      checkValues(own, entities);
      await checkLinks(linkingOf(this, entities, entity), own, options);
      return super.nativeInsertMany(entity, own, options, ...more);
    }

    override async nativeDelete(entity: EntityRef, where: unknown, options?: WriteOptions) {
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
      entity: EntityRef,
      where: unknown[],
      rows: Row[],
      ...more: [WriteOptions?, ...unknown[]]
    ): Promise<Written> {
      const [options = {}] = more;
      const writing = writingOf(this, entities, entity);
      if (options.upsert !== true) refuseBatch(writing);
      checkValues(rows, entities);
      await checkLinks(linkingOf(this, entities, entity), rows, options);
      const written = await super.nativeUpdateMany(entity, where, rows, ...more);
      if (writing) await checkUpserted(this, writing, where, { ...options, ...written });
      return written;
    }

    override async nativeUpdate(
      entity: EntityRef,
      where: unknown,
      row: Row,
      options: WriteOptions = {},
    ): Promise<Written> {
      refuseChange(this, entities, entity);
      const written = await super.nativeUpdate(entity, where, row, options);
      const writing = writingOf(this, entities, entity);
      if (writing) await checkUpserted(this, writing, [where], { ...options, ...written });
      return written;
    }
  };
}

/** A statement for a tenant's rows. */
interface Writing {
  readonly entity: EntityRef;
  readonly owned: OwnedEntity;
  readonly tenantId: string;
}

/** Returns undefined if the entity is shared, or if all rows may be written. */
function writingOf(
  driver: SqlDriver,
  entities: OwnedEntities,
  entity: EntityRef,
): Writing | undefined {
  const owned = entities.of(driver.metadata.find(entity));
  const tenantId = owned && entities.tenantId();
  return tenantId === undefined ? undefined : { entity, owned: owned as OwnedEntity, tenantId };
}

function ownRows(rows: Row[], writing: Writing | undefined): Row[] {
  if (!writing) return rows;
  return rows.map((row) => writing.owned.filled(row, writing.tenantId, 'property'));
}

/** MikroORM sends such statements without a QueryBuilder. @throws TenantUnguardedError */
function checkValues(rows: readonly Row[], entities: OwnedEntities): void {
  if (!needsTenant((tables) => checkRawIn(rows, tables), entities)) return;
  if (entities.tenantId() !== undefined) checkRawIn(rows, entities);
}

function refuseBatch(writing: Writing | undefined): void {
  if (!writing) return;
  throw new TenantUnguardedError(
    `A batch update of the table of \`${writing.owned.place}\``,
    'the guard cannot add a condition to a batch update',
    'Set `useBatchUpdates` to false',
  );
}

/** @throws TenantRowMismatchError if an upsert has the key of another tenant's row */
async function checkUpserted(
  driver: SqlDriver,
  writing: Writing,
  keys: readonly unknown[],
  options: WriteOptions & Written,
): Promise<void> {
  if (options.upsert !== true || options.affectedRows >= keys.length) return;
  for (const where of keys) {
    if (await hasOwn(driver, writing, where, options)) continue;
    throw new TenantRowMismatchError(
      `The key of an upsert into the table of \`${writing.owned.place}\``,
    );
  }
}

/**
 * Checks the owner of new links. A link table has no tenant. The owner's row is read from the
 * database, because the tenant of the entity in memory may be wrong.
 * @throws TenantRowMismatchError
 */
async function checkOwner(
  driver: SqlDriver,
  entities: OwnedEntities,
  { owner, property }: SyncedCollection,
  options?: WriteOptions,
): Promise<void> {
  const meta = helper(owner).__meta;
  const { className, primaryKeys } = meta;
  const writing = writingOf(driver, entities, refOf(meta));
  if (!writing) return;
  const where = Utils.getPrimaryKeyCond(owner, primaryKeys);
  if (await hasOwn(driver, writing, where, options)) return;
  throw new TenantRowMismatchError(`The owner of \`${className}.${property.name}\``);
}

async function hasOwn(
  driver: SqlDriver,
  { entity }: Writing,
  where: unknown,
  { ctx }: WriteOptions = {},
): Promise<boolean> {
  return (await driver.count(entity, where, { ctx })) > 0;
}
