import { createHash } from 'node:crypto';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { currentTenant } from '../scope/tenant-scope.js';

/**
 * Counts the requests of each tenant together, whichever route they are for; those of nobody as
 * `ThrottlerGuard` does, by address and route. A route or controller with a limit of its own,
 * `@Throttle()`, is counted for itself.
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
    // Hashed like the keys of the base, whose storages may not take every character.
    return createHash('sha256')
      .update(JSON.stringify(['tenant', name, tracker]))
      .digest('hex');
  }

  /** Together with others it would block them by its limit, and they it by theirs. */
  private hasOwnLimit(context: ExecutionContext, name: string): boolean {
    const places = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride(THROTTLER_LIMIT + name, places) !== undefined;
  }
}

/** Where `@Throttle()` writes; the package does not export it. */
const THROTTLER_LIMIT = 'THROTTLER:LIMIT';
