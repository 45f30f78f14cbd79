import { RequestContext } from '@fledge/core';
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import { currentTenant } from '../scope/tenant-scope.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { TenantMismatchError } from '../tenant.errors.js';
import { TENANT_OPTIONS } from '../tenant.tokens.js';
import { principalBelongsTo } from './principal.js';
import { Refusal } from './refusal.js';
import { TenantMetrics } from './tenant-metrics.js';

/**
 * Holds a request's tenant against whoever is authenticated. An interceptor, because the order of
 * guards is the application's: interceptors come after all of them.
 */
@Injectable()
export class BindingInterceptor implements NestInterceptor {
  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly ctx: RequestContext,
    private readonly refusal: Refusal,
    private readonly metrics: TenantMetrics,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const tenant = currentTenant();
    if (
      tenant !== undefined &&
      isRequest(execution) &&
      !principalBelongsTo(tenant.tenantId, this.ctx.req, this.options.verify)
    ) {
      this.metrics.mismatch += 1;
      throw this.refusal.of(new TenantMismatchError(), this.ctx);
    }
    return next.handle();
  }
}

/** Messages have no request whose user could be asked for. */
function isRequest(execution: ExecutionContext): boolean {
  const type = execution.getType<'http' | 'graphql' | 'ws' | 'rpc'>();
  return type === 'http' || type === 'graphql';
}
