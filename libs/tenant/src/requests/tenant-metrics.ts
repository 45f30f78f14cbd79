import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** Counts requests since the start of the application. */
@Injectable()
export class TenantMetrics {
  /** Requests whose tenant was found. */
  resolved = 0;
  /** Requests without a tenant, including requests of routes that need none. */
  notFound = 0;
  /** Requests whose tenant was ambiguous or malformed. */
  invalid = 0;
  /** Requests rejected because the authenticated user belongs to another tenant. */
  mismatch = 0;
  /** Number of requests of each tenant, for the 1,000 most recently used tenants. */
  readonly byTenant = new LRUCache<string, number>({ max: 1_000 });

  /** A request whose tenant was found. */
  found(tenantId: string): void {
    this.resolved += 1;
    this.byTenant.set(tenantId, (this.byTenant.get(tenantId) ?? 0) + 1);
  }
}
