import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { TenantCacheOptions } from '../tenant.options.js';
import type { KnownTenant } from './known-tenant.js';

/** Returns the milliseconds since a fixed moment. */
export type Clock = () => number;

export class TenantMemory {
  private readonly known: LRUCache<
    string,
    { readonly tenant: KnownTenant; readonly until: number }
  >;
  // A separate cache for unknown identifiers. Otherwise, requests with invented identifiers would
  // remove tenants from the cache.
  private readonly unknown: LRUCache<string, number>;
  private readonly ttlMs: number;
  private readonly negativeTtlMs: number;

  constructor(
    { ttlMs, negativeTtlMs, max }: Required<TenantCacheOptions>,
    private readonly now: Clock = () => performance.now(),
  ) {
    this.ttlMs = ttlMs;
    this.negativeTtlMs = negativeTtlMs;
    this.known = new LRUCache({ max });
    this.unknown = new LRUCache({ max });
  }

  /** Null if the identifier is cached as unknown. Undefined if the identifier is not cached. */
  recall(identifier: string): KnownTenant | null | undefined {
    const known = this.known.get(identifier);
    if (known !== undefined && this.now() < known.until) return known.tenant;
    const unknownUntil = this.unknown.get(identifier);
    return unknownUntil !== undefined && this.now() < unknownUntil ? null : undefined;
  }

  remember(identifier: string, tenant: KnownTenant | null): void {
    if (tenant === null) this.unknown.set(identifier, this.now() + this.negativeTtlMs);
    else this.known.set(identifier, { tenant, until: this.now() + this.ttlOf(tenant) });
  }

  /**
   * A tenant that is being created is cached only for a short time. Another process may finish the
   * creation without a message to this process.
   */
  private ttlOf({ status }: KnownTenant): number {
    return status === 'provisioning' ? Math.min(this.negativeTtlMs, this.ttlMs) : this.ttlMs;
  }

  /** Returns at most `limit` cached tenants. The most recently used tenant is first. */
  *tenants(limit: number): Iterable<{ readonly tenant: KnownTenant; readonly leftMs: number }> {
    const now = this.now();
    let left = limit;
    for (const { tenant, until } of this.known.values()) {
      if (until <= now) continue;
      if (left === 0) return;
      left -= 1;
      yield { tenant, leftMs: Math.round(until - now) };
    }
  }

  clear(): void {
    this.known.clear();
    this.unknown.clear();
  }

  /** Also removes all unknown identifiers, because one of them may belong to the tenant. */
  forget(tenantId: string): void {
    this.unknown.clear();
    for (const [identifier, { tenant }] of [...this.known.entries()]) {
      if (identifier === tenantId || tenant.tenantId === tenantId) this.known.delete(identifier);
    }
  }
}
