import { createHash } from 'node:crypto';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { currentTenant } from '../../scope/tenant-scope.js';

/**
 * Rate limit per tenant: all requests of a tenant are counted together. A route or controller with
 * `@Throttle()` has its own count. Requests without a tenant are counted by address and route, as
 * in `ThrottlerGuard`.
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
    // Hashed as in the base class, because some storages do not accept every character.
    return createHash('sha256')
      .update(JSON.stringify(['tenant', name, tracker]))
      .digest('hex');
  }

  /**
   * Returns true for a route with its own limit. Such a route has its own count. Otherwise, its
   * requests would use up the limit of other routes.
   */
  private hasOwnLimit(context: ExecutionContext, name: string): boolean {
    const places = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride(THROTTLER_LIMIT + name, places) !== undefined;
  }
}

/** Metadata key of `@Throttle()`. The package does not export it. */
const THROTTLER_LIMIT = 'THROTTLER:LIMIT';
