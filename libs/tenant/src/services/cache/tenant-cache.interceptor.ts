import { CacheInterceptor } from '@nestjs/cache-manager';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { buildKey } from '../../scope/tenant-keys.js';
import { currentScope } from '../../scope/tenant-scope.js';

/**
 * Nest's `CacheInterceptor` with the tenant in each key. Tenants therefore never share cached
 * responses. Central routes have plain keys, and all tenants share their responses. Requests
 * without a tenant, for example on a universal route, are not cached.
 *
 * If a subclass creates its own keys, it must return the result of `super.trackBy()`.
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
    // The base class reads the HTTP request. Resolvers and gateways have no HTTP request.
    if (scope === undefined || scope.kind === 'none' || execution.getType() !== 'http') return;
    const key = await super.trackBy(execution);
    if (key === undefined || key === null || key === '') return;
    return scope.kind === 'central' ? key : buildKey(scope.tenant.tenantId, ['http', key]);
  }
}
