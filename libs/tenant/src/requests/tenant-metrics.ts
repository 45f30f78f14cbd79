import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** Counts requests since the start of the application. */
@Injectable()
export class TenantMetrics {
  /** Number of requests whose tenant was found. */
  resolved = 0;
  /** Number of requests without a tenant. Includes routes that need no tenant. */
  notFound = 0;
  /** Number of requests with an ambiguous or malformed tenant. */
  invalid = 0;
  /** Number of requests that were rejected because the user belongs to another tenant. */
  mismatch = 0;
  /** Number of requests of each tenant. Contains only the 1,000 most recently used tenants. */
  readonly byTenant = new LRUCache<string, number>({ max: 1_000 });

  /** Counts a request whose tenant was found. */
  found(tenantId: string): void {
    this.resolved += 1;
    this.byTenant.set(tenantId, (this.byTenant.get(tenantId) ?? 0) + 1);
  }
}
