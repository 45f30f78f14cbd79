import { Logger } from '@nestjs/common';
import type { TenantContext } from '../tenant-context.js';
import {
  SuspendedTenantError,
  TenantMaintenanceError,
  TenantMismatchError,
  TenantOptionError,
  TenantStoreUnavailableError,
  UnknownTenantError,
} from '../tenant.errors.js';
import type { TenantCacheOptions, TenantRecord, TenantStore } from '../tenant.options.js';
import { faultOfRecord, KnownTenant } from './known-tenant.js';
import { type Clock, TenantMemory } from './tenant-memory.js';

/** How often lookups ended how. */
export interface TenantDirectoryMetrics {
  readonly cacheHits: number;
  readonly cacheMisses: number;
  readonly unknown: number;
  readonly suspended: number;
  readonly maintenance: number;
  /** Failures of the store, however many waited for one. */
  readonly unavailable: number;
}

/**
 * Knows the tenant of an identifier: asks the store once for all who ask at the same time, and
 * remembers what it answered. Waits as long as the store does, so bound its queries in its driver.
 */
export class TenantDirectory {
  private readonly store: TenantStore | undefined;
  private readonly memory: TenantMemory | undefined;
  private readonly listeners: ((tenantId: string) => void)[] = [];
  private readonly underWay = new Map<string, Promise<KnownTenant | null>>();
  private readonly counts = {
    cacheHits: 0,
    cacheMisses: 0,
    unknown: 0,
    suspended: 0,
    maintenance: 0,
    unavailable: 0,
  };

  /**
   * @param store without one, every identifier is the id of a tenant
   * @param cache false asks the store each time, for each caller
   * @throws TenantOptionError
   */
  constructor(
    store: TenantStore | TenantStore['find'] | undefined,
    cache: TenantCacheOptions | false = {},
    now?: Clock,
  ) {
    this.store = typeof store === 'function' ? { find: store } : store;
    if (this.store !== undefined && typeof this.store.find !== 'function') {
      throw new TenantOptionError(
        'The store has no find(identifier). Give a function or an object with find().',
      );
    }
    if (cache !== false) this.memory = new TenantMemory(cache, now);
  }

  get metrics(): TenantDirectoryMetrics {
    return this.counts;
  }

  /**
   * The tenant of an identifier. Without a promise where the answer is known: it is remembered, there
   * is no store, or the store needs no time.
   * @param source see `TenantContext.source`
   * @throws UnknownTenantError
   * @throws SuspendedTenantError
   * @throws TenantMaintenanceError
   * @throws TenantStoreUnavailableError
   */
  find(identifier: string, source: string): TenantContext | Promise<TenantContext> {
    const remembered = this.memory?.recall(identifier);
    if (remembered !== undefined) {
      this.counts.cacheHits += 1;
      return this.admit(remembered, source);
    }
    if (this.store === undefined) {
      const tenant = new KnownTenant({ tenantId: identifier });
      this.memory?.remember(identifier, tenant);
      return tenant.contextFor(source);
    }
    this.counts.cacheMisses += 1;
    const answer = this.underWay.get(identifier) ?? this.ask(this.store, identifier);
    return answer instanceof Promise
      ? answer.then((tenant) => this.admit(tenant, source))
      : this.admit(answer, source);
  }

  /**
   * Looks up the tenant that a job, a message or a socket was made for.
   * @throws like `find`, and TenantMismatchError where its identifier belongs to another tenant by now
   */
  async lookUpAgain({ tenantId, identifier, source }: TenantContext): Promise<TenantContext> {
    const tenant = await this.find(identifier ?? tenantId, source ?? 'run');
    if (tenant.tenantId === tenantId) return tenant;
    throw new TenantMismatchError('The identifier belongs to another tenant by now');
  }

  /** Has the store asked again for a tenant, given by its id or by an identifier. */
  invalidate(tenantId: string): void {
    this.memory?.forget(tenantId);
    // Whose they are is not known yet. What was asked before now may be answered with what was true before.
    this.underWay.clear();
    for (const listener of this.listeners) listener(tenantId);
  }

  /** Calls the listener after each `invalidate()`, with what that was given. */
  onInvalidate(listener: (tenantId: string) => void): void {
    this.listeners.push(listener);
  }

  /**
   * All tenants that are served, each once.
   * @throws TenantOptionError where the store cannot list them
   * @throws TenantStoreUnavailableError
   */
  async all(): Promise<TenantContext[]> {
    if (this.store?.list === undefined) {
      throw new TenantOptionError(
        'All tenants were asked for, but the store has no list(). Add one, or name the tenants.',
      );
    }
    const tenants = new Map<string, TenantContext>();
    try {
      for (const record of await this.store.list()) {
        const tenant = knownTenantOf(record);
        if (tenant.status === 'active') tenants.set(tenant.tenantId, tenant.contextFor('run'));
      }
    } catch (error) {
      throw this.unavailable(error);
    }
    return [...tenants.values()];
  }

  private admit(tenant: KnownTenant | null, source: string): TenantContext {
    if (tenant === null) {
      this.counts.unknown += 1;
      throw new UnknownTenantError();
    }
    switch (tenant.status) {
      case 'active':
        return tenant.contextFor(source);
      case 'suspended':
        this.counts.suspended += 1;
        throw new SuspendedTenantError();
      case 'maintenance':
        this.counts.maintenance += 1;
        throw new TenantMaintenanceError(tenant.retryAfterSeconds);
    }
  }

  private ask(
    store: TenantStore,
    identifier: string,
  ): KnownTenant | null | Promise<KnownTenant | null> {
    try {
      const answer = store.find(identifier);
      if (isThenable(answer)) return this.awaitAnswer(answer, identifier);
      const tenant = answer == null ? null : knownTenantOf(answer, identifier);
      this.memory?.remember(identifier, tenant);
      return tenant;
    } catch (error) {
      throw this.unavailable(error);
    }
  }

  private awaitAnswer(
    answer: PromiseLike<TenantRecord | null | undefined>,
    identifier: string,
  ): Promise<KnownTenant | null> {
    const isCurrent = () => this.underWay.get(identifier) === asked;
    const asked = Promise.resolve(answer)
      .then((record) => {
        const tenant = record == null ? null : knownTenantOf(record, identifier);
        if (isCurrent()) this.memory?.remember(identifier, tenant);
        return tenant;
      })
      .catch((error: unknown) => {
        throw this.unavailable(error);
      })
      .finally(() => {
        if (isCurrent()) this.underWay.delete(identifier);
      });
    // Without a memory each caller wants an answer from after it asked.
    if (this.memory !== undefined) this.underWay.set(identifier, asked);
    return asked;
  }

  /** Logged here: clients are not told the cause, and Nest does not log what has a status. */
  private unavailable(cause: unknown): TenantStoreUnavailableError {
    this.counts.unavailable += 1;
    const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    logger.error(`The tenant store failed: ${reason}`);
    return new TenantStoreUnavailableError(cause);
  }
}

const logger = new Logger('TenantDirectory');

function knownTenantOf(record: TenantRecord, identifier?: string): KnownTenant {
  const fault = faultOfRecord(record);
  if (fault !== undefined) {
    const asked = identifier === undefined ? 'list()' : `find("${identifier}")`;
    throw new TypeError(`What ${asked} of the tenant store answered is no record: ${fault}.`);
  }
  return new KnownTenant(record, identifier ?? record.identifier);
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | null | undefined)?.then === 'function';
}
