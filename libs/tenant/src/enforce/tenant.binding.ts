import type { RequestContext } from '@fledge/core';
import { Inject, Injectable } from '@nestjs/common';
import { currentTenant } from '../scope/tenant-scope.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { TenantMismatchError } from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';
import { TENANT_OPTIONS } from '../tenant.tokens.js';
import { principalBelongsTo } from './principal.js';
import { Refusal } from './refusal.js';
import { TenantMetrics } from './tenant-metrics.js';

/** Holds the tenant of a request against whoever is authenticated, as `verify` says. */
@Injectable()
export class TenantBinding {
  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly refusal: Refusal,
    private readonly metrics: TenantMetrics,
  ) {}

  /** @throws TenantMismatchError */
  check(ctx: RequestContext): void {
    const { verify } = this.options;
    const tenant = verify && currentTenant();
    if (tenant === undefined) return;
    if (principalBelongsTo(tenant.tenantId, authenticated(ctx), verify)) return;
    this.metrics.mismatch += 1;
    throw this.refusal.of(new TenantMismatchError(), ctx);
  }
}

/** The request with its user, also where a context decorator or a socket's `onConnect` found it. */
function authenticated(ctx: RequestContext): TenantRequest {
  const { req } = ctx;
  const user = ctx.get('user');
  if (user === undefined || req.user === user) return req;
  return Object.create(req, { user: { value: user, enumerable: true } }) as TenantRequest;
}
