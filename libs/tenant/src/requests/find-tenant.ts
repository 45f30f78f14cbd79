import {
  type CallerTenant,
  inSpan,
  type PanelTenantAnswer,
  type PanelTenantStep,
  type RunningSpan,
} from '@fledge/core/packages';
import { HttpException, Inject, Injectable } from '@nestjs/common';
import { callHook } from '../call-hook.js';
import { TenantDirectory } from '../directory/tenant-directory.js';
import { attempt, type Identification, Strategies, type Trace } from '../identify/strategies.js';
import { checkIdentifier } from '../identify/identifier.js';
import type { TenantScope } from '../scope/tenant-scope.js';
import { spanAttributesOf } from '../tenant-attributes.js';
import type { TenantContext } from '../tenant-context.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { InvalidTenantError, TenantNotResolvedError } from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { findModeRefusal } from './missing-tenant.js';
import { TenantMetrics } from './tenant-metrics.js';

/** Finds the tenant of an HTTP request, or of the request that opened a socket. */
@Injectable()
export class TenantFinder {
  private readonly strategies: Strategies;
  private completeTenant: CompleteTenant | undefined;

  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly directory: TenantDirectory,
    private readonly metrics: TenantMetrics,
  ) {
    this.strategies = new Strategies(options);
  }

  /** Names of the strategies, in order. */
  get names(): string[] {
    return this.strategies.names;
  }

  /**
   * Returns a promise only if a strategy or the store is asynchronous, because a promise for each
   * request would cost time. Never throws or rejects. A rejected request gets the scope `none`,
   * which contains the error.
   */
  find(req: TenantRequest): TenantScope | Promise<TenantScope> {
    return inSpan(SPAN, (span) => {
      const finish = (scope: Scope) => this.finish(scope, req, span);
      try {
        const now = this.strategies.readNow(req);
        const known = now && this.recall(this.count(now));
        if (known !== undefined) return finish(known);
        const read = now ?? this.strategies.read(req).then((found) => this.count(found));
        return this.search(req, read).then(finish);
      } catch (error) {
        return finish(refused(error));
      }
    });
  }

  /** Does not count a request. Does not call hooks, guards or `verify`. */
  async explain(req: TenantRequest): Promise<PanelTenantAnswer> {
    const steps: PanelTenantStep[] = [];
    const scope = await this.search(req, this.strategies.read(req, steps), steps);
    if (scope.kind !== 'tenant') return { verdict: describeRefusal(scope), steps };
    if (this.options.verify) steps.push(VERIFY);
    return { verdict: { tenant: scope.tenant.tenantId }, steps };
  }

  /** The function can add attributes of the request to the tenant. */
  completeTenantsWith(complete: CompleteTenant): void {
    this.completeTenant = complete;
  }

  /** Does not count a request. Looks up no tenant. See `CallerTenants`. */
  identify(req: TenantRequest): CallerTenant | Promise<CallerTenant> {
    const now = this.strategies.readNow(req);
    if (now === undefined) return this.strategies.read(req).then(identifierIn, () => undefined);
    return identifierIn(now) ?? (this.options.onTenantNotFound ? undefined : null);
  }

  /** Does not count a request. Does not call hooks, guards or `verify`. */
  async findAgain(req: TenantRequest): Promise<TenantScope> {
    return this.complete(await this.search(req, this.strategies.read(req)), req);
  }

  private count(identified: Identification): Identification {
    if (identified.kind === 'refused') this.metrics.invalid += 1;
    if (identified.kind === 'absent') this.metrics.notFound += 1;
    return identified;
  }

  /** Returns the scope, unless the fallback or the store is asynchronous. */
  private recall(identified: Identification): Scope | undefined {
    if (identified.kind === 'refused') return refused(identified.error);
    if (identified.kind === 'absent') {
      return this.options.onTenantNotFound ? undefined : absent();
    }
    const tenant = this.directory.recall(identified.identifier, identified.source);
    return tenant && { kind: 'tenant', tenant };
  }

  private async search(
    req: TenantRequest,
    read: Identification | Promise<Identification>,
    trace?: Trace,
  ): Promise<Scope> {
    try {
      const identified = await read;
      if (identified.kind === 'refused') return refused(identified.error);
      const found = identified.kind === 'found' ? identified : await this.fallBack(req, trace);
      if (found.kind !== 'found') return found;
      const { identifier, source } = found;
      const tenant = await attempt('store', trace, () => this.directory.find(identifier, source));
      const text =
        `The identifier "${identifier}" belongs to tenant "${tenant.tenantId}" ` +
        `(status: ${tenant.status ?? 'active'}).`;
      trace?.push({ name: 'store', asked: true, ok: true, value: tenant.tenantId, text });
      return { kind: 'tenant', tenant };
    } catch (error) {
      return refused(error);
    }
  }

  private async fallBack(req: TenantRequest, trace: Trace | undefined): Promise<Found | Scope> {
    const { onTenantNotFound, identifier: rule } = this.options;
    if (onTenantNotFound === undefined) return absent();
    const name = 'onTenantNotFound';
    try {
      const identifier = await attempt(name, trace, async () => {
        // The result can have any type if the application is written in JavaScript.
        const given: unknown = await onTenantNotFound(req);
        if (typeof given !== 'string' || given === '') throw new TenantNotResolvedError();
        const checked = checkIdentifier(given, rule);
        if (checked === undefined) throw new InvalidTenantError('The fallback');
        return checked;
      });
      const text = `onTenantNotFound() returned "${identifier}".`;
      trace?.push({ name, asked: true, ok: true, value: identifier, text });
      return { kind: 'found', identifier, source: 'fallback' };
    } catch (error) {
      return absent(error);
    }
  }

  private finish(found: Scope, req: TenantRequest, span: RunningSpan | undefined): Scope {
    const scope = this.complete(found, req);
    if (scope.kind === 'none') {
      // A rejected tenant becomes an attribute instead of a failed span, because the client caused
      // the rejection.
      if (scope.absent !== true && scope.error instanceof Error) {
        span?.set({ 'tenant.refusal': scope.error.name });
      }
      return scope;
    }
    const { tenant } = scope;
    this.metrics.found(tenant.tenantId);
    callHook(() => this.options.hooks.resolved?.(tenant, req));
    span?.set({
      ...spanAttributesOf(tenant),
      ...(tenant.source !== undefined && { 'tenant.source': tenant.source }),
    });
    return scope;
  }

  private complete(scope: Scope, req: TenantRequest): Scope {
    if (scope.kind === 'none' || this.completeTenant === undefined) return scope;
    try {
      return { kind: 'tenant', tenant: this.completeTenant(scope.tenant, req) };
    } catch (error) {
      return refused(error);
    }
  }
}

type Scope = Exclude<TenantScope, { kind: 'central' }>;
type Found = Extract<Identification, { kind: 'found' }>;
/** Throws if the request must be rejected. */
type CompleteTenant = (tenant: TenantContext, req: TenantRequest) => TenantContext;

const SPAN = { scope: '@fledge/tenant', name: 'resolve tenant' };

const VERIFY: PanelTenantStep = {
  name: 'verify',
  asked: false,
  ok: true,
  text: 'Not tested: `verify` needs the user, and only the guards of the route set the user.',
};

function identifierIn(found: Identification): string | undefined {
  return found.kind === 'found' ? found.identifier : undefined;
}

function absent(error?: unknown): Scope {
  return { kind: 'none', absent: true, error };
}

function refused(error: unknown): Scope {
  return { kind: 'none', error };
}

function describeRefusal(scope: Scope): PanelTenantAnswer['verdict'] {
  const error = findModeRefusal('tenant', scope);
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof HttpException)) return { status: 500, message };
  const { code } = error as { code?: unknown };
  return { status: error.getStatus(), ...(typeof code === 'string' && { code }), message };
}
