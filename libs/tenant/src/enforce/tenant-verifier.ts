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

  /**
   * Returns a promise if `verify.principal` does. Promises cost each request, so there is none otherwise.
   * @throws TenantMismatchError, or the postponed refusal
   */
  check(ctx: RequestContext): void | Promise<void> {
    const scope = currentScope();
    if (scope?.kind === 'tenant') return this.compare(scope.tenant, ctx);
    if (scope?.kind !== 'none' || scope.postponed !== true) return;
    const refuse = () => {
      throw this.refusal.httpErrorOf(scope.error, ctx);
    };
    // First, because a failed resource shows that the tenant exists.
    const compared = scope.failed && this.compare(scope.failed, ctx);
    return compared instanceof Promise ? compared.then(refuse) : refuse();
  }

  /** @throws TenantMismatchError */
  private compare({ tenantId }: TenantContext, ctx: RequestContext): void | Promise<void> {
    const { verify } = this.options;
    if (verify === undefined) return;
    const admit = (belongs: boolean) => {
      if (belongs) return;
      this.metrics.mismatch += 1;
      throw this.refusal.httpErrorOf(new TenantMismatchError(), ctx);
    };
    const belongs = principalBelongsTo(tenantId, authenticated(ctx), verify);
    return belongs instanceof Promise ? belongs.then(admit) : admit(belongs);
  }
}

/** The request with its user, which may come from a context decorator or a socket's `onConnect`. */
function authenticated(ctx: RequestContext): TenantRequest {
  const { req } = ctx;
  const user = ctx.get('user');
  if (user === undefined || req.user === user) return req;
  return Object.create(req, { user: { value: user, enumerable: true } }) as TenantRequest;
}
