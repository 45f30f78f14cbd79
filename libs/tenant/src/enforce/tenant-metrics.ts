import { Injectable } from '@nestjs/common';

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
}
