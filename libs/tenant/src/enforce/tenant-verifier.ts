import type { RequestContext } from '@fledge/core';
import { Inject, Injectable } from '@nestjs/common';
import { currentScope } from '../scope/tenant-scope.js';
import type { TenantContext } from '../tenant-context.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { TenantMismatchError } from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { principalBelongsTo } from './principal.js';
import { Refusal } from './refusal.js';
import { TenantMetrics } from './tenant-metrics.js';

/** Applies `verify`, and throws the refusals that `errors.opaque` postponed. Runs after the guards. */
@Injectable()
export class TenantVerifier {
  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly refusal: Refusal,
    private readonly metrics: TenantMetrics,
  ) {}

  /** @throws TenantMismatchError, or the postponed refusal */
  check(ctx: RequestContext): void {
    const scope = currentScope();
    if (scope?.kind === 'tenant') this.compare(scope.tenant, ctx);
    if (scope?.kind !== 'none' || scope.postponed !== true) return;
    // First, because a failed resource shows that the tenant exists.
    if (scope.failed !== undefined) this.compare(scope.failed, ctx);
    throw this.refusal.httpErrorOf(scope.error, ctx);
  }

  /** @throws TenantMismatchError */
  private compare({ tenantId }: TenantContext, ctx: RequestContext): void {
    const { verify } = this.options;
    if (verify === undefined || principalBelongsTo(tenantId, authenticated(ctx), verify)) return;
    this.metrics.mismatch += 1;
    throw this.refusal.httpErrorOf(new TenantMismatchError(), ctx);
  }
}

/** The request with its user, which may come from a context decorator or a socket's `onConnect`. */
function authenticated(ctx: RequestContext): TenantRequest {
  const { req } = ctx;
  const user = ctx.get('user');
  if (user === undefined || req.user === user) return req;
  return Object.create(req, { user: { value: user, enumerable: true } }) as TenantRequest;
}
