import type { RequestContext } from '@fledge/core';
import { type RequestOpener, withhold } from '@fledge/core/packages';
import { type ExecutionContext, Inject, Injectable, UnauthorizedException } from '@nestjs/common';
import { listVaryHeaders } from '../identify/create-sources.js';
import { TenantResources } from '../scope/tenant-resources.js';
import {
  pickScopeAttributes,
  missingContext,
  findRefusal,
  scopeOfRequest,
  setScope,
  type TenantScope,
} from '../scope/tenant-scope.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import type { TenantRouteMode } from '../tenant.options.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { findModeRefusal } from './missing-tenant.js';
import { Refusal } from './refusal.js';
import { onClientLeft, onRequestEnd } from './request-end.js';
import { readRouteMode } from './route-mode.js';
import { TenantVerifier } from './tenant-verifier.js';
import { TenantFinder } from './find-tenant.js';
import { varyBy } from './vary-header.js';

/**
 * Sets the scope of each request before the application's middleware runs. Before the handler,
 * checks that the route accepts the scope. Requests are rejected only at this point, so unknown
 * paths still get 404.
 */
@Injectable()
export class TenantGate implements RequestOpener {
  readonly supplies = [CONTEXT_KEY];
  private readonly headers: readonly string[];

  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly finder: TenantFinder,
    private readonly resources: TenantResources,
    private readonly refusal: Refusal,
    private readonly verifier: TenantVerifier,
  ) {
    this.headers = listVaryHeaders(options);
  }

  open(ctx: RequestContext): void | Promise<void> {
    varyBy(ctx.res, this.headers);
    const scope = this.finder.find(ctx.req);
    return scope instanceof Promise
      ? scope.then((found) => this.enter(ctx, found))
      : this.enter(ctx, scope);
  }

  admit(execution: ExecutionContext, ctx: RequestContext): void {
    // Adds the headers again, because headers of Fastify's reply, such as CORS headers, replace the
    // headers that `open` has set.
    varyBy(ctx.res, this.headers);
    const mode = this.modeOf(execution.getClass(), execution.getHandler());
    if (mode === 'central') return becomeCentral(execution, ctx);
    const scope = scopeOfRequest(ctx);
    const refusal = findModeRefusal(mode, scope);
    if (refusal === undefined) return accept(ctx, scope);
    // Preflights need no tenant, but a rejected tenant stays rejected.
    if (isPreflight(ctx) && findRefusal(scope) === undefined) return;
    if (scope?.kind === 'none' && scope.secret === true) {
      return setScope(ctx, { ...scope, postponed: true });
    }
    throw scope?.kind === 'none' && scope.refuse
      ? scope.refuse()
      : this.refusal.httpErrorOf(refusal, ctx);
  }

  bind(ctx: RequestContext): void | Promise<void> {
    return this.verifier.check(ctx);
  }

  /** The handler's decorator overrides the class's decorator. Both override the module's mode. */
  modeOf(owner: Function, handler: Function): TenantRouteMode {
    return readRouteMode(owner, handler) ?? this.options.mode;
  }

  /**
   * Request-scoped providers are created before the guards run. If their constructors read the
   * tenant, the client gets the same error as from the guard. A secret error must not show
   * unauthenticated clients that the tenant does not exist, so they get a 401.
   */
  private setRefused(ctx: RequestContext, scope: TenantScope): void {
    const refusal = findRefusal(scope);
    const secret = refusal !== undefined && this.refusal.isSecret(refusal);
    // Created once, because `hooks.rejected` is called for it.
    let error: unknown;
    const refuse = () =>
      (error ??= secret
        ? new UnauthorizedException()
        : this.refusal.httpErrorOf(findModeRefusal('tenant', scope), ctx));
    withhold(ctx, CONTEXT_KEY, () => missingContext("ctx.require('tenant')") as Error);
    setScope(ctx, { ...scope, refuse, ...(secret && { secret }) } as TenantScope);
  }

  private enter(ctx: RequestContext, scope: TenantScope): void | Promise<void> {
    if (scope.kind !== 'tenant') return this.setRefused(ctx, scope);
    setScope(ctx, scope);
    ctx.set(CONTEXT_KEY, scope.tenant);
    if (!this.resources.any) return;
    const onLeave = (leave: () => void) => onClientLeft(ctx, leave);
    return this.resources.hold(scope.tenant, { onLeave }).then(
      (release) => onRequestEnd(ctx, release),
      (error: unknown) => {
        hideTenant(ctx);
        this.setRefused(ctx, { kind: 'none', error, failed: scope.tenant });
      },
    );
  }
}

/** From here on, code that reads a missing tenant has a mistake. */
function accept(ctx: RequestContext, scope: TenantScope | undefined): void {
  if (scope?.kind !== 'none') return;
  setScope(ctx, { ...scope, refuse: undefined });
}

/**
 * Does nothing for GraphQL. All resolvers of a request share one context, and some resolvers need
 * the tenant.
 */
function becomeCentral(execution: ExecutionContext, ctx: RequestContext): void {
  if (execution.getType() !== 'http') return;
  const reason = `${execution.getClass().name}.${execution.getHandler().name}`;
  const attributes = pickScopeAttributes(scopeOfRequest(ctx));
  hideTenant(ctx);
  setScope(ctx, { kind: 'central', reason, ...(attributes && { attributes }) });
}

/** Removes the tenant from `ctx.get('tenant')`. Keeps the value if the application has set it. */
function hideTenant(ctx: RequestContext): void {
  const scope = scopeOfRequest(ctx);
  if (scope?.kind === 'tenant' && ctx.get(CONTEXT_KEY) === scope.tenant) {
    ctx.set(CONTEXT_KEY, undefined);
  }
}

/** Key of the tenant in the request context: `ctx.get('tenant')`. */
const CONTEXT_KEY = 'tenant';

/** Browsers send preflights without the custom headers of the request (Fetch §3.3.2). */
function isPreflight({ method, headers }: RequestContext): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
