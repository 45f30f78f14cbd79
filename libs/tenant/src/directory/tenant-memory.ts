import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { TenantOptionError } from '../tenant.errors.js';
import type { TenantCacheOptions } from '../tenant.options.js';
import type { KnownTenant } from './known-tenant.js';

/** Milliseconds since some moment. */
export type Clock = () => number;

/** What a directory remembers: tenants, and identifiers of none. */
export class TenantMemory {
  private readonly known: LRUCache<
    string,
    { readonly tenant: KnownTenant; readonly until: number }
  >;
  // Apart from the tenants, so that a stranger who makes up identifiers drives none of them out.
  private readonly unknown: LRUCache<string, number>;
  private readonly ttlMs: number;
  private readonly negativeTtlMs: number;

  /** @throws TenantOptionError */
  constructor(
    options: TenantCacheOptions,
    private readonly now: Clock = () => performance.now(),
  ) {
    const { ttlMs = 60_000, negativeTtlMs = 5_000, max = 10_000 } = options;
    this.ttlMs = duration('ttlMs', ttlMs);
    this.negativeTtlMs = duration('negativeTtlMs', negativeTtlMs);
    if (!Number.isSafeInteger(max) || max < 1) {
      throw new TenantOptionError(
        `cache.max is ${max}, which is no whole number above 0. To remember nothing, say cache: false.`,
      );
    }
    this.known = new LRUCache({ max });
    this.unknown = new LRUCache({ max });
  }

  /** The tenant; null where it is known that there is none; undefined where nothing is known. */
  recall(identifier: string): KnownTenant | null | undefined {
    const known = this.known.get(identifier);
    if (known !== undefined && this.now() < known.until) return known.tenant;
    const unknownUntil = this.unknown.get(identifier);
    return unknownUntil !== undefined && this.now() < unknownUntil ? null : undefined;
  }

  remember(identifier: string, tenant: KnownTenant | null): void {
    if (tenant === null) this.unknown.set(identifier, this.now() + this.negativeTtlMs);
    else this.known.set(identifier, { tenant, until: this.now() + this.ttlMs });
  }

  /** Forgets the tenant under all its identifiers, and who is unknown: that may have been the tenant. */
  forget(tenantId: string): void {
    this.unknown.clear();
    for (const [identifier, { tenant }] of [...this.known.entries()]) {
      if (identifier === tenantId || tenant.tenantId === tenantId) this.known.delete(identifier);
    }
  }
}

function duration(name: string, ms: number): number {
  if (typeof ms === 'number' && ms >= 0) return ms;
  throw new TenantOptionError(`cache.${name} is ${ms}, which is no number of milliseconds.`);
}
