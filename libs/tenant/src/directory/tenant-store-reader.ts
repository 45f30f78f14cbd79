import { Logger } from '@nestjs/common';
import { TenantOptionError, TenantStoreUnavailableError } from '../tenant.errors.js';
import type { TenantRecord, TenantStore } from '../tenant.options.js';
import { isIterable, kindOf } from '../value-kind.js';
import { findRecordFault, KnownTenant } from './known-tenant.js';

/** The store's result for an identifier. Null if there is no such tenant. */
export type StoreAnswer = KnownTenant | null;

export class TenantStoreReader {
  private readonly store: TenantStore;
  failures = 0;

  constructor(store: TenantStore | TenantStore['find']) {
    this.store = typeof store === 'function' ? { find: store } : store;
  }

  /** @throws TenantStoreUnavailableError */
  async find(identifier: string): Promise<StoreAnswer> {
    try {
      const record = await this.store.find(identifier);
      return record == null ? null : knownTenantOf(record, identifier);
    } catch (error) {
      throw this.unavailable(error);
    }
  }

  /**
   * Returns each tenant. A tenant with an invalid record has a `fault`, because such a record must
   * not prevent work for other tenants.
   * @throws TenantOptionError if the store has no list()
   * @throws TenantStoreUnavailableError if the store fails, if list() does not return a list, or if
   * a record has no tenantId
   */
  async list(): Promise<KnownTenant[]> {
    if (this.store.list === undefined) throw noList();
    try {
      return Array.from(requireRecords(await this.store.list()), listedTenantOf);
    } catch (error) {
      throw this.unavailable(error);
    }
  }

  /** @throws TenantOptionError if the store has no save() */
  async save(record: TenantRecord): Promise<void> {
    if (this.store.save === undefined) throw noStoreMethod('save');
    await this.store.save(record);
  }

  /** @throws TenantOptionError if the store has no remove() */
  async remove(tenantId: string): Promise<void> {
    if (this.store.remove === undefined) throw noStoreMethod('remove');
    await this.store.remove(tenantId);
  }

  /** Logs the cause. Clients do not receive the cause, and Nest does not log an HttpException. */
  private unavailable(cause: unknown): TenantStoreUnavailableError {
    this.failures += 1;
    const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    logger.error(`The tenant store failed: ${reason}`);
    return new TenantStoreUnavailableError(cause);
  }
}

export function noList(): TenantOptionError {
  return new TenantOptionError(
    "forEach('all') and TenantLifecycle need a list of tenants, but the store has no list(). " +
      'Add list() to the store, or pass the tenants to forEach().',
  );
}

export function noStoreMethod(method: 'save' | 'remove'): TenantOptionError {
  return new TenantOptionError(
    `TenantLifecycle changes tenants, but TenantModule has no store with ${method}(). ` +
      `Add ${method}() to the object that you pass as \`store\`.`,
  );
}

const logger = new Logger('TenantDirectory');

function knownTenantOf(record: TenantRecord, identifier: string): KnownTenant {
  const fault = findRecordFault(record);
  if (fault === undefined) return new KnownTenant(record, identifier);
  const call = `find("${identifier}")`;
  throw new TypeError(`${call} of the tenant store returned an invalid record: ${fault}.`);
}

/** `Array.from()` returns an empty list for other objects, such as the `{ rows }` of pg. */
function requireRecords(listed: unknown): Iterable<TenantRecord> {
  if (isIterable(listed)) return listed as Iterable<TenantRecord>;
  const hasRows = Array.isArray((Object(listed) as { rows?: unknown }).rows);
  throw new TypeError(
    `list() of the tenant store returned ${kindOf(listed)}${hasRows ? ' with `rows`' : ''}, but ` +
      `must return a list of records.${hasRows ? ' Return the `rows`.' : ''}`,
  );
}

function listedTenantOf(record: TenantRecord, index: number): KnownTenant {
  const reason = findRecordFault(record);
  if (reason === undefined) return new KnownTenant(record, record.identifier ?? undefined);
  // The result can have any type if the application is written in JavaScript.
  const { tenantId, identifier } = Object(record) as Partial<Record<keyof TenantRecord, unknown>>;
  const returned = 'list() of the tenant store returned an invalid record';
  if (typeof tenantId !== 'string' || tenantId === '') {
    throw new TypeError(`${returned} at position ${index + 1}: ${reason}.`);
  }
  logger.error(`${returned} for the tenant "${tenantId}": ${reason}.`);
  const repaired = { ...record, status: 'suspended' } as const;
  const isStatus = findRecordFault(repaired) === undefined;
  return new KnownTenant(
    isStatus ? repaired : { tenantId, status: 'suspended' },
    typeof identifier === 'string' ? identifier : undefined,
    { reason, isStatus },
  );
}
