import { inSpan, type RunningSpan } from '@fledge/core/packages';
import { Inject, Injectable } from '@nestjs/common';
import { TenantDirectory } from '../directory/tenant-directory.js';
import {
  type Identification,
  identificationOf,
  type Identify,
} from '../identify/identification.js';
import { checkedIdentifier } from '../identify/identifier.js';
import type { TenantScope } from '../scope/tenant-scope.js';
import type { TenantContext } from '../tenant-context.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { InvalidTenantError, TenantNotResolvedError } from '../tenant.errors.js';
import { callHook } from '../call-hook.js';
import type { TenantRequest } from '../tenant.options.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { TenantMetrics } from './tenant-metrics.js';

/** Finds the tenant of an HTTP request, or of the request that opened a socket. */
@Injectable()
export class TenantRequests {
  private readonly identify: Identify;
  private mark: Mark | undefined;

  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly directory: TenantDirectory,
    private readonly metrics: TenantMetrics,
  ) {
    this.identify = identificationOf(options);
  }

  /**
   * Returns the scope of a request; a promise only if a strategy or the store is asynchronous. Never
   * throws or rejects: a refused request gets the scope `none` with its error.
   */
  scopeOf(req: TenantRequest): TenantScope | Promise<TenantScope> {
    return inSpan(SPAN, (span) => {
      const scope = this.find(req);
      if (span === undefined) return scope;
      return scope instanceof Promise
        ? scope.then((found) => described(found, span))
        : described(scope, span);
    });
  }

  /** Adds to the tenant of each request what the request says about it. */
  markWith(mark: Mark): void {
    this.mark = mark;
  }

  private find(req: TenantRequest): TenantScope | Promise<TenantScope> {
    try {
      const identified = this.identify(req);
      if (!(identified instanceof Promise)) return this.scopeFor(identified, req);
      return identified.then(
        (identification) => this.scopeFor(identification, req),
        (error: unknown) => refused(error),
      );
    } catch (error) {
      return refused(error);
    }
  }

  private scopeFor(found: Identification, req: TenantRequest): TenantScope | Promise<TenantScope> {
    switch (found.kind) {
      case 'found':
        return this.lookUp(found.identifier, found.source, req);
      case 'absent':
        return this.fallBack(req);
      case 'refused':
        this.metrics.invalid += 1;
        return refused(found.error);
    }
  }

  private lookUp(
    identifier: string,
    source: string,
    req: TenantRequest,
  ): TenantScope | Promise<TenantScope> {
    try {
      const tenant = this.directory.find(identifier, source);
      if (!(tenant instanceof Promise)) return this.resolved(tenant, req);
      return tenant.then((known) => this.resolved(known, req)).catch(refused);
    } catch (error) {
      return refused(error);
    }
  }

  private fallBack(req: TenantRequest): TenantScope | Promise<TenantScope> {
    this.metrics.notFound += 1;
    const { onTenantNotFound } = this.options;
    if (onTenantNotFound === undefined) return absent(new TenantNotResolvedError());
    return this.fallBackTo(onTenantNotFound, req);
  }

  private async fallBackTo(
    onTenantNotFound: NonNullable<ResolvedTenantOptions['onTenantNotFound']>,
    req: TenantRequest,
  ): Promise<TenantScope> {
    try {
      // JavaScript callers may return anything.
      const fallback: unknown = await onTenantNotFound(req);
      if (typeof fallback !== 'string' || fallback === '') {
        return absent(new TenantNotResolvedError());
      }
      const identifier = checkedIdentifier(fallback, this.options.identifier);
      if (identifier === undefined) throw new InvalidTenantError('The result of onTenantNotFound');
      return await this.lookUp(identifier, 'fallback', req);
    } catch (error) {
      return absent(error);
    }
  }

  private resolved(known: TenantContext, req: TenantRequest): TenantScope {
    const tenant = this.mark === undefined ? known : this.mark(known, req);
    this.metrics.found(tenant.tenantId);
    callHook(() => this.options.hooks.resolved?.(tenant, req));
    return { kind: 'tenant', tenant };
  }
}

/** Throws if the request is refused. */
type Mark = (tenant: TenantContext, req: TenantRequest) => TenantContext;

const SPAN = { scope: '@fledge/tenant', name: 'resolve tenant' };

/** A refused tenant is an attribute, not a failed span: the request is at fault. */
function described(scope: TenantScope, span: RunningSpan): TenantScope {
  if (scope.kind === 'tenant') {
    const { tenantId, source, impersonatedBy } = scope.tenant;
    span.set({
      'tenant.id': tenantId,
      ...(source !== undefined && { 'tenant.source': source }),
      ...(impersonatedBy !== undefined && { 'tenant.impersonated_by': impersonatedBy }),
    });
  } else if (scope.kind === 'none' && scope.absent !== true && scope.error instanceof Error) {
    span.set({ 'tenant.refusal': scope.error.name });
  }
  return scope;
}

/** The request names no tenant. */
function absent(error: unknown): TenantScope {
  return { kind: 'none', absent: true, error };
}

/** The request names a tenant that is refused. */
function refused(error: unknown): TenantScope {
  return { kind: 'none', error };
}
