import type { RequestContext, RequestOpener } from '@fledge/core';
import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { headerNamesOf } from '../identify/sources.js';
import { TenantResources } from '../scope/tenant-resources.js';
import { refusalOf, scopeOfRequest, setScope, type TenantScope } from '../scope/tenant-scope.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { TenantNotResolvedError } from '../tenant.errors.js';
import type { TenantRouteMode } from '../tenant.options.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { Refusal } from './refusal.js';
import { onRequestEnd } from './request-end.js';
import { routeModeOf } from './route-mode.js';
import { TenantVerifier } from './tenant-verifier.js';
import { TenantRequests } from './tenant-requests.js';
import { varyBy } from './vary.js';

/**
 * Gives each request its scope before anything of the application sees it, and lets it pass to a
 * handler that agrees with the scope. Refusing at the handler keeps unknown paths 404.
 */
@Injectable()
export class TenantGate implements RequestOpener {
  readonly supplies = [CONTEXT_KEY];
  private readonly modes = new WeakMap<Function, Map<Function, TenantRouteMode>>();
  private readonly headers: readonly string[];

  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly requests: TenantRequests,
    private readonly resources: TenantResources,
    private readonly refusal: Refusal,
    private readonly verifier: TenantVerifier,
  ) {
    this.headers = headerNamesOf(options);
  }

  open(ctx: RequestContext): void | Promise<void> {
    varyBy(ctx.res, this.headers);
    const scope = this.requests.scopeOf(ctx.req);
    return scope instanceof Promise
      ? scope.then((found) => this.enter(ctx, found))
      : this.enter(ctx, scope);
  }

  admit(execution: ExecutionContext, ctx: RequestContext): void {
    // Again: what Fastify's reply has, such as CORS' own, replaces what Node's response had above.
    varyBy(ctx.res, this.headers);
    const mode = this.modeOf(execution.getClass(), execution.getHandler());
    if (mode === 'central') return becomeCentral(execution, ctx);
    const scope = scopeOfRequest(ctx);
    // Whoever names a tenant is not served as nobody: that would be a fallback.
    if (mode === 'universal' && refusalOf(scope) === undefined) return;
    if (scope?.kind === 'tenant' || isPreflight(ctx)) return;
    const reason = scope?.kind === 'none' ? scope.error : undefined;
    if (refusalOf(scope) !== undefined && this.refusal.isSecret(reason)) {
      return setScope(ctx, { kind: 'none', error: reason, secret: true });
    }
    throw this.refusal.httpErrorOf(reason ?? new TenantNotResolvedError(), ctx);
  }

  bind(ctx: RequestContext): void {
    this.verifier.check(ctx);
  }

  /** Whether the handler is one for tenants, told by its decorators or the module's mode. */
  modeOf(owner: Function, handler: Function): TenantRouteMode {
    let modes = this.modes.get(owner);
    if (modes === undefined) this.modes.set(owner, (modes = new Map<Function, TenantRouteMode>()));
    let mode = modes.get(handler);
    if (mode === undefined) {
      mode = routeModeOf(owner, handler) ?? this.options.mode;
      modes.set(handler, mode);
    }
    return mode;
  }

  private enter(ctx: RequestContext, scope: TenantScope): void | Promise<void> {
    setScope(ctx, scope);
    if (scope.kind !== 'tenant') return;
    ctx.set(CONTEXT_KEY, scope.tenant);
    if (!this.resources.any) return;
    return this.resources.hold(scope.tenant).then(
      (release) => onRequestEnd(ctx, release),
      (error: unknown) => {
        hideTenant(ctx);
        setScope(ctx, { kind: 'none', error });
      },
    );
  }
}

/** The resolvers of one GraphQL request share its context, so there the tenant stays for the others. */
function becomeCentral(execution: ExecutionContext, ctx: RequestContext): void {
  if (execution.getType() !== 'http') return;
  const reason = `${execution.getClass().name}.${execution.getHandler().name}`;
  hideTenant(ctx);
  setScope(ctx, { kind: 'central', reason });
}

/** Unless the application set its own value there. */
function hideTenant(ctx: RequestContext): void {
  const scope = scopeOfRequest(ctx);
  if (scope?.kind === 'tenant' && ctx.get(CONTEXT_KEY) === scope.tenant) {
    ctx.set(CONTEXT_KEY, undefined);
  }
}

/** Where the tenant stands in the request's context: `ctx.get('tenant')`. */
const CONTEXT_KEY = 'tenant';

/** Browsers send it without the headers it asks about (Fetch §3.3.2). */
function isPreflight({ method, headers }: RequestContext): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
