import { createHash } from 'node:crypto';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { currentTenant } from '../../scope/tenant-scope.js';

/**
 * Rate limit per tenant: counts all requests of a tenant together. A route or controller with
 * `@Throttle()` is counted separately. Requests without a tenant are counted by address and route,
 * as with `ThrottlerGuard`.
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

  protected override generateKey(context: ExecutionContext, tracker: string, name: string): string {
    if (currentTenant() === undefined || this.hasOwnLimit(context, name)) {
      return super.generateKey(context, tracker, name);
    }
    // Hashed as in the base class, because storages may not accept every character.
    return createHash('sha256')
      .update(JSON.stringify(['tenant', name, tracker]))
      .digest('hex');
  }

  /**
   * Returns true for a route with its own limit. With a shared count, its requests would use up the
   * limit of other routes, and vice versa.
   */
  private hasOwnLimit(context: ExecutionContext, name: string): boolean {
    const places = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride(THROTTLER_LIMIT + name, places) !== undefined;
  }
}

/** Metadata key of `@Throttle()`, which the package does not export. */
const THROTTLER_LIMIT = 'THROTTLER:LIMIT';
