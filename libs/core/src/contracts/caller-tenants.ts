import { Injectable } from '@nestjs/common';

/**
 * The identifier of a tenant. Null: the request has no tenant. Undefined: unknown, because a
 * function of the application found no tenant, and this function may find one later.
 */
export type CallerTenant = string | null | undefined;

/** Finds tenants of requests before these have a context. */
export interface CallerTenantFinder {
  /** Never throws or rejects. A promise only if a function of the application is called. */
  identify(request: object): CallerTenant | Promise<CallerTenant>;
  /** Runs a function for the tenant of a request. Without a tenant, only runs the function. */
  run<T>(request: object, run: () => Promise<T>): Promise<T>;
}

/**
 * Finds the tenant of a message for which a route later gets another request, such as the message
 * of a tool call. `@fledge/tenant` sets the finder.
 */
@Injectable()
export class CallerTenants implements CallerTenantFinder {
  private finder: CallerTenantFinder | undefined;

  use(finder: CallerTenantFinder): void {
    this.finder = finder;
  }

  identify(request: object): CallerTenant | Promise<CallerTenant> {
    return this.finder === undefined ? null : this.finder.identify(request);
  }

  run<T>(request: object, run: () => Promise<T>): Promise<T> {
    return this.finder === undefined ? run() : this.finder.run(request, run);
  }
}
