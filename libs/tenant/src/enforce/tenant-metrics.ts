import { Injectable } from '@nestjs/common';

/** What became of the requests, counted since the start. */
@Injectable()
export class TenantMetrics {
  /** Requests whose tenant was found. */
  resolved = 0;
  /** Requests that told none, whether their route wanted one or not. */
  notFound = 0;
  /** Requests whose tenant was ambiguous or ill-formed. */
  invalid = 0;
  /** Requests refused because who is authenticated belongs to another tenant. */
  mismatch = 0;
}
