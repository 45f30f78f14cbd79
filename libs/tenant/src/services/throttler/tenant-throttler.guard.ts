import { createHash } from 'node:crypto';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { currentTenant } from '../../scope/tenant-scope.js';

/**
 * Rate limit per tenant: all requests of a tenant are counted together. A route or controller with
 * `@Throttle()` has its own count. Requests without a tenant are counted by address and route, as
 * in `ThrottlerGuard`. With the option `getTracker`, requests of a tenant are counted by tenant and
 * tracker.
 *
 * @example
 * ```ts
 * providers: [{ provide: APP_GUARD, useClass: TenantThrottlerGuard }]
 * ```
 */
@Injectable()
export class TenantThrottlerGuard extends ThrottlerGuard {
  protected override async getTracker(req: Record<string, unknown>): Promise<string> {
    return currentTenant()?.tenantId ?? super.getTracker(req);
  }

  /**
   * The key contains the tenant next to the tracker. The option `getTracker` replaces the tracker
   * above, and a tenant's id may look like an address.
   */
  protected override generateKey(context: ExecutionContext, tracker: string, name: string): string {
    const tenant = currentTenant();
    if (tenant === undefined) return super.generateKey(context, tracker, name);
    const places = [context.getHandler(), context.getClass()];
    // Otherwise, requests of a route with its own limit would use up the limit of other routes.
    const route = places.some((place) => hasOwnLimit(place, name)) ? places : [];
    const key = ['tenant', tenant.tenantId, name, tracker, ...route.map((place) => place.name)];
    // Hashed as in the base class, because some storages do not accept every character.
    return createHash('sha256').update(JSON.stringify(key)).digest('hex');
  }
}

/** `@Throttle()` always sets the limit, to undefined if only other options are given. */
function hasOwnLimit(place: Function, name: string): boolean {
  return Reflect.hasMetadata(THROTTLER_LIMIT + name, place);
}

/** Metadata key of `@Throttle()`. The package does not export it. */
const THROTTLER_LIMIT = 'THROTTLER:LIMIT';
