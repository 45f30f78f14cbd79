import type { TenantContext } from '../tenant-context.js';
import type { TenantCacheOptions, TenantRecord, TenantStore } from '../tenant.options.js';
import { inactiveTenantError } from './inactive-tenant.js';
import { KnownTenant } from './known-tenant.js';
import { type Clock, TenantMemory } from './lookup-cache.js';
import {
  noList,
  noStoreMethod,
  type StoreAnswer,
  TenantStoreReader,
} from './tenant-store-reader.js';

/** Counters of lookups. */
export interface TenantDirectoryMetrics {
  readonly cacheHits: number;
  readonly cacheMisses: number;
  readonly unknown: number;
  readonly suspended: number;
  readonly maintenance: number;
  readonly provisioning: number;
  /**
   * Failures of the store. If several requests share a lookup, the failure of the lookup counts
   * once.
   */
  readonly unavailable: number;
}

/** A tenant in the cache. */
export interface RememberedTenant {
  readonly id: string;
  readonly name: string | undefined;
  readonly status: string;
  /** Milliseconds until the cache entry expires. */
  readonly cacheMs: number;
}

/**
 * Looks up tenants by identifier. Results are cached. Concurrent requests with the same identifier
 * share one call of the store. Lookups have no timeout. Set a timeout in the driver of the store.
 */
export class TenantDirectory {
  private readonly reader: TenantStoreReader | undefined;
  private readonly memory: TenantMemory | undefined;
  private readonly listeners: ((tenantId: string | undefined) => void)[] = [];
  private readonly underWay = new Map<string, Promise<StoreAnswer>>();
  private readonly counts = {
    cacheHits: 0,
    cacheMisses: 0,
    unknown: 0,
    suspended: 0,
    maintenance: 0,
    provisioning: 0,
  };

  /**
   * @param store if undefined, each identifier counts as the id of a tenant
   * @param cache if false, each lookup calls the store
   */
  constructor(
    store: TenantStore | TenantStore['find'] | undefined,
    cache: Required<TenantCacheOptions> | false,
    now?: Clock,
  ) {
    if (store !== undefined) this.reader = new TenantStoreReader(store);
    if (cache !== false) this.memory = new TenantMemory(cache, now);
  }

  get metrics(): TenantDirectoryMetrics {
    return { ...this.counts, unavailable: this.reader?.failures ?? 0 };
  }

  /**
   * Returns the cached tenant of an identifier, without a promise. Returns undefined if the store
   * must be called.
   * @param source the value of `TenantContext.source`
   * @throws the same errors as `find`, if the tenant is rejected
   */
  recall(identifier: string, source: string): TenantContext | undefined {
    const remembered = this.memory?.recall(identifier);
    if (remembered !== undefined) {
      this.counts.cacheHits += 1;
      return this.admit(remembered, source);
    }
    if (this.reader !== undefined) return undefined;
    const tenant = new KnownTenant({ tenantId: identifier });
    this.memory?.remember(identifier, tenant);
    return tenant.contextFor(source);
  }

  /**
   * Finds the tenant of an identifier.
   * @param source the value of `TenantContext.source`
   * @throws UnknownTenantError
   * @throws SuspendedTenantError
   * @throws TenantMaintenanceError
   * @throws TenantProvisioningError
   * @throws TenantStoreUnavailableError
   */
  async find(identifier: string, source: string): Promise<TenantContext> {
    const known = this.recall(identifier, source);
    if (known !== undefined) return known;
    this.counts.cacheMisses += 1;
    const answer = await (this.underWay.get(identifier) ?? this.lookUp(identifier));
    return this.admit(answer, source);
  }

  /** Returns up to 200 cached tenants. The most recently used tenant is first. */
  remembered(): RememberedTenant[] {
    return [...(this.memory?.tenants(200) ?? [])].map(({ tenant, leftMs }) => ({
      id: tenant.tenantId,
      name: tenant.name,
      status: tenant.status,
      cacheMs: leftMs,
    }));
  }

  /** Removes the cached results of a tenant. The argument is the tenant's id or identifier. */
  invalidate(tenantId: string): void {
    this.memory?.forget(tenantId);
    // Cancels all running lookups. The tenants of these lookups are not known yet, so each result
    // may be outdated.
    this.underWay.clear();
    for (const listener of this.listeners) listener(tenantId);
  }

  /** Removes all cached results. */
  invalidateAll(): void {
    this.memory?.clear();
    this.underWay.clear();
    for (const listener of this.listeners) listener(undefined);
  }

  /** The listener receives the argument of `invalidate()`, or undefined for `invalidateAll()`. */
  onInvalidate(listener: (tenantId: string | undefined) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Returns each active tenant once. For an invalid record, returns the tenant's identifier. A
   * lookup of this identifier fails.
   * @throws TenantOptionError if the store has no list()
   * @throws TenantStoreUnavailableError
   */
  async all(): Promise<(TenantContext | string)[]> {
    const everyone = await this.everyone();
    const wanted = everyone.filter(({ status, fault }) => status === 'active' || fault);
    return wanted.map((tenant) => {
      if (tenant.fault === undefined) return tenant.contextFor('run');
      return tenant.identifier ?? tenant.tenantId;
    });
  }

  /**
   * Returns each tenant of the store once, with any status. A tenant with an invalid record has a
   * `fault`.
   * @throws the same errors as `all`
   */
  async everyone(): Promise<KnownTenant[]> {
    if (this.reader === undefined) throw noList();
    const listed = await this.reader.list();
    return [...new Map(listed.map((tenant) => [tenant.tenantId, tenant])).values()];
  }

  /**
   * Reads a tenant from the store, with any status. Does not use the cache.
   * @throws TenantOptionError if there is no store
   * @throws TenantStoreUnavailableError
   */
  async read(identifier: string): Promise<StoreAnswer> {
    return this.written().find(identifier);
  }

  /**
   * Adds a tenant to the store, or replaces it. The caller must then invalidate the tenant.
   * @throws TenantOptionError if the store has no save()
   */
  async save(record: TenantRecord): Promise<void> {
    await this.written().save(record);
  }

  /**
   * Removes a tenant from the store. The caller must then invalidate the tenant.
   * @throws TenantOptionError if the store has no remove()
   */
  async remove(tenantId: string): Promise<void> {
    await this.written().remove(tenantId);
  }

  /** Counts rejections. @throws the errors of `find`, except for a failure of the store */
  private admit(tenant: StoreAnswer, source: string): TenantContext {
    if (tenant?.status === 'active') return tenant.contextFor(source);
    this.counts[tenant?.status ?? 'unknown'] += 1;
    throw inactiveTenantError(tenant);
  }

  private written(): TenantStoreReader {
    if (this.reader === undefined) throw noStoreMethod('save');
    return this.reader;
  }

  /** The result is not cached if the tenant was invalidated during the lookup. */
  private lookUp(identifier: string): Promise<StoreAnswer> {
    const isCurrent = () => this.underWay.get(identifier) === shared;
    const shared = this.written()
      .find(identifier)
      .then((tenant) => {
        if (isCurrent()) this.memory?.remember(identifier, tenant);
        return tenant;
      })
      .finally(() => {
        if (isCurrent()) this.underWay.delete(identifier);
      });
    // With `cache: false`, a request must not share the lookup of an earlier request.
    if (this.memory !== undefined) this.underWay.set(identifier, shared);
    return shared;
  }
}
