import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** Counts requests since the start of the application. */
@Injectable()
export class TenantMetrics {
  /** Requests whose tenant was found. */
  resolved = 0;
  /** Requests that named no tenant, also on routes that need none. */
  notFound = 0;
  /** Requests whose tenant was ambiguous or malformed. */
  invalid = 0;
  /** Requests refused because the authenticated user belongs to another tenant. */
  mismatch = 0;
  /** Requests of each tenant, for the 1,000 that were used last. */
  readonly byTenant = new LRUCache<string, number>({ max: 1_000 });

  /** A request whose tenant was found. */
  found(tenantId: string): void {
    this.resolved += 1;
    this.byTenant.set(tenantId, (this.byTenant.get(tenantId) ?? 0) + 1);
  }
}
