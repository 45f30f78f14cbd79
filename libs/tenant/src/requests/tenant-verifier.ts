import { RequestContext } from '@fledge/core';
import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { currentScope, type TenantScope } from '../scope/tenant-scope.js';
import type { TenantContext } from '../tenant-context.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { TenantMismatchError, TenantOptionError } from '../tenant.errors.js';
import type { TenantRequest, TenantVerifyOptions } from '../tenant.options.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { Refusal } from './refusal.js';
import { TenantMetrics } from './tenant-metrics.js';
import type { Observable } from 'rxjs';

/**
 * Applies the option `verify`. Throws rejections that were postponed because of `errors.opaque`.
 * Runs after the guards.
 */
@Injectable()
export class TenantVerifier {
  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly refusal: Refusal,
    private readonly metrics: TenantMetrics,
  ) {}

  /**
   * Returns undefined instead of a promise if there is nothing to check, because promises cost
   * time. The promise rejects with TenantMismatchError or with the postponed rejection.
   */
  check(ctx: RequestContext): Promise<void> | undefined {
    const scope = currentScope();
    if (scope?.kind === 'tenant') {
      return this.options.verify && this.compare(scope.tenant, ctx);
    }
    return scope?.kind === 'none' && scope.postponed === true ? this.refuse(scope, ctx) : undefined;
  }

  /**
   * Returns true if `verify` allows the user to use a tenant. Counts rejections.
   * @throws TenantOptionError if `principal` returns an invalid value. This also rejects the
   * request
   */
  async admits({ tenantId }: TenantContext, req: TenantRequest): Promise<boolean> {
    const { verify } = this.options;
    const isAdmitted =
      verify === undefined || belongsTo(tenantId, await verify.principal(req), verify);
    if (!isAdmitted) this.metrics.mismatch += 1;
    return isAdmitted;
  }

  private async compare(tenant: TenantContext, ctx: RequestContext): Promise<void> {
    if (await this.admits(tenant, authenticated(ctx))) return;
    throw this.refusal.httpErrorOf(new TenantMismatchError(), ctx);
  }

  private async refuse({ failed, error }: RefusedScope, ctx: RequestContext): Promise<never> {
    // The user is checked first, because the error of a failed resource reveals that the tenant
    // exists.
    if (failed !== undefined) await this.compare(failed, ctx);
    throw this.refusal.httpErrorOf(error, ctx);
  }
}

type RefusedScope = Extract<TenantScope, { kind: 'none' }>;

/**
 * Compares the tenant with the tenants of the user. Only null and undefined mean that there is no
 * user. An empty list or string means a user without tenants.
 * @param own the result of `principal`. It can have any type if the application is written in
 * JavaScript
 */
function belongsTo(tenantId: string, own: unknown, { required }: TenantVerifyOptions): boolean {
  if (own === null || own === undefined) return required !== true;
  if (typeof own === 'string') return own === tenantId;
  if (Array.isArray(own)) return own.includes(tenantId);
  throw new TenantOptionError(
    '`verify.principal` must return a tenant id or a list of tenant ids. Read the ids from the ' +
      'user that a guard adds to the request: principal: (req) => req.user?.tenantId.',
  );
}

/** The user may come from a context decorator, or from `onConnect` of a socket. */
function authenticated(ctx: RequestContext): TenantRequest {
  const { req } = ctx;
  const user = ctx.get('user');
  if (user === undefined || req.user === user) return req;
  return Object.create(req, { user: { value: user, enumerable: true } }) as TenantRequest;
}

/** An interceptor, because interceptors run after all guards of the application. */
@Injectable()
export class TenantVerifyInterceptor implements NestInterceptor {
  constructor(
    private readonly verifier: TenantVerifier,
    private readonly ctx: RequestContext,
  ) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (isRequest(execution)) await this.verifier.check(this.ctx);
    return next.handle();
  }
}

/** False for messages of gateways and microservices, which have no request with a user. */
export function isRequest(execution: ExecutionContext): boolean {
  const type = execution.getType<'http' | 'graphql' | 'ws' | 'rpc'>();
  return type === 'http' || type === 'graphql';
}
