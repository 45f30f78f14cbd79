import { CacheInterceptor } from '@nestjs/cache-manager';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { keyOf } from '../scope/tenant-names.js';
import { currentScope } from '../scope/tenant-scope.js';

/**
 * Nest's `CacheInterceptor` with the tenant in every key, so that no tenant gets an answer kept for
 * another. Central routes keep the plain key: all tenants share what they answer. A request without
 * a tenant, such as on a universal route, is answered and not cached.
 *
 * A subclass that makes keys itself returns what `super.trackBy()` made of them.
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
    // The base looks for a request where a resolver or a gateway has none.
    if (scope === undefined || scope.kind === 'none' || execution.getType() !== 'http') return;
    const key = await super.trackBy(execution);
    if (key === undefined || key === null || key === '') return;
    return scope.kind === 'central' ? key : keyOf(scope.tenant.tenantId, ['http', key]);
  }
}
