import { CacheInterceptor } from '@nestjs/cache-manager';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { buildKey } from '../../scope/tenant-keys.js';
import { currentScope } from '../../scope/tenant-scope.js';

/**
 * Nest's `CacheInterceptor` with the tenant in each key, so tenants never share cached responses.
 * Central routes keep the plain key, and all tenants share their responses. Requests without a
 * tenant, for example on a universal route, are not cached.
 *
 * A subclass with its own keys must return the result of `super.trackBy()`.
 *
 * @example
 * ```ts
 * providers: [{ provide: APP_INTERCEPTOR, useClass: TenantCacheInterceptor }]
 * ```
 */
@Injectable()
export class TenantCacheInterceptor extends CacheInterceptor {
  protected override async trackBy(execution: ExecutionContext): Promise<string | undefined> {
    const scope = currentScope();
    // The base class reads the HTTP request, which resolvers and gateways do not have.
    if (scope === undefined || scope.kind === 'none' || execution.getType() !== 'http') return;
    const key = await super.trackBy(execution);
    if (key === undefined || key === null || key === '') return;
    return scope.kind === 'central' ? key : buildKey(scope.tenant.tenantId, ['http', key]);
  }
}
