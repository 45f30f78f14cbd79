import { Inject, Injectable } from '@nestjs/common';
import { TenantDirectory } from '../directory/tenant-directory.js';
import { pickAttributes } from '../tenant-attributes.js';
import { createTenantContext, type TenantContext } from '../tenant-context.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { callHook } from '../call-hook.js';
import { TenantOptionError } from '../tenant.errors.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { isIterable, kindOf } from '../value-kind.js';
import { type ForEachCall, type ForEachOptions, readTenants, runForEach } from './for-each.js';
import { bindToScope, runInScope, runOrRefuse } from './run-in-scope.js';
import { ScopeRunner } from './scope-runner.js';
import { writeMetadata } from './tenant-metadata.js';
import { buildKey, buildPath } from './tenant-keys.js';
import { Invalidation } from './invalidation.js';
import type { TenantOutcome } from './tenant-outcome.js';
import {
  currentAttributes,
  currentScope,
  currentTenant,
  isRefusalSecret,
  missingContext,
  NO_TENANT,
  requiredTenant,
} from './tenant-scope.js';

/** Reads the current tenant, and runs code for other tenants. You can inject it everywhere. */
@Injectable()
export class Tenancy {
  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly directory: TenantDirectory,
    private readonly runner: ScopeRunner,
    private readonly invalidation: Invalidation,
  ) {}

  /**
   * Returns the current tenant. The object is frozen.
   * @throws TenantContextMissingError. If the tenant of the request is rejected, middleware and
   * request-scoped providers get the rejection instead
   */
  current(): TenantContext {
    return requiredTenant('tenancy.current()');
  }

  /** Returns the current tenant, or null. */
  currentOrNull(): TenantContext | null {
    return currentTenant() ?? null;
  }

  /**
   * Runs a function for a tenant. The function does not use open transactions. The result of the
   * function is awaited in the tenant's scope. Returned iterators and Observables also run in that
   * scope, and keep the tenant's connections until they end. Cursors without a method `return()` and
   * Node.js streams do not keep the connections: read them inside the function.
   *
   * @param tenant an identifier as in a request, or a TenantContext. A TenantContext is not looked
   * up again
   * @throws InvalidTenantError, UnknownTenantError, SuspendedTenantError, TenantMaintenanceError,
   * TenantStoreUnavailableError before `run` is called. With `errors.opaque`, an
   * UnauthorizedException is thrown instead in guards of a request with a rejected tenant
   * @throws TenantOptionError if `tenant` has another type
   * @example
   * ```ts
   * await tenancy.run('acme', () => this.invoices.send());
   * ```
   */
  async run<R>(tenant: string | TenantContext, run: () => R): Promise<Awaited<R>> {
    const enter = async (work: () => R): Promise<Awaited<R>> =>
      this.runner.run(await this.tenantFor(tenant), work);
    if (!isRefusalSecret()) return enter(run);
    // In a guard of a request with a rejected tenant, this error would reveal the reason of the
    // rejection.
    return runOrRefuse(enter, run, () => {
      throw missingContext('tenancy.run()');
    });
  }

  /**
   * Runs a function without a tenant, for example for a report over all tenants. If the function
   * reads the tenant, an error is thrown. Row-level security shows no rows.
   * @param reason the reason for the audit. `hooks.central` receives it
   */
  async runCentral<R>(reason: string, run: () => R): Promise<Awaited<R>> {
    callHook(() => this.options.hooks.central?.(reason));
    return runInScope({ kind: 'central', reason }, run);
  }

  /**
   * Runs a function for each tenant, one after the other.
   *
   * @param tenants `'all'` means the active tenants of the store's `list()`
   * @returns one outcome per tenant, in the order of the tenants
   * @throws TenantForEachError if a call failed or `signal` aborted. It is thrown after all running
   * calls have ended, and only with the default `onError: 'stop'`
   * @throws TenantOptionError if `tenants` is another string or no list, if `concurrency` is
   * invalid, or if the store has no `list()`
   */
  async forEach<R>(
    tenants: Iterable<string | TenantContext> | 'all',
    run: (tenant: TenantContext, call: ForEachCall) => R,
    options: ForEachOptions = {},
  ): Promise<TenantOutcome<Awaited<R>>[]> {
    const list = tenants === 'all' ? await this.directory.all() : readTenants(tenants);
    return runForEach(
      list,
      (tenant, call) => this.run(tenant, () => run(this.current(), call)),
      options,
    );
  }

  /**
   * Binds a function to the current tenant. Use the bound function for listeners, for timers, and
   * for callbacks of pools. If there is no tenant, the function runs without a tenant.
   */
  bind<Args extends unknown[], R>(run: (...args: Args) => R): (...args: Args) => R {
    return bindToScope(currentScope() ?? NO_TENANT, run);
  }

  /**
   * Returns the current tenant's identifier and id as metadata for a job, a message or another
   * service. Returns an empty object if there is no tenant.
   */
  metadata(): Record<string, string> {
    const tenant = currentTenant();
    return tenant === undefined ? {} : writeMetadata(tenant, currentAttributes());
  }

  /**
   * Runs a function for the tenant in the metadata of `metadata()`. Looks up the tenant again. If
   * there is no metadata, the function runs without a tenant, even inside another tenant's scope.
   * @param metadata an object, or undefined
   * @throws TenantOptionError if `metadata` has another type, such as JSON text or a Map
   * @throws TenantMismatchError if the identifier now belongs to another tenant
   * @throws the errors of `run`
   */
  async runFrom<R>(metadata: unknown, run: () => R): Promise<Awaited<R>> {
    requireCarrier(metadata);
    const tenant = await this.runner.tenantFrom(metadata);
    return tenant === undefined ? runInScope(NO_TENANT, run) : this.runner.run(tenant, run);
  }

  /**
   * Returns a key that is unique for the tenant: `acme:invoice:7`.
   * @throws TenantContextMissingError
   */
  key(...parts: string[]): string {
    return buildKey(this.current().tenantId, parts);
  }

  /**
   * Returns a relative path in the tenant's folder: `acme/invoices/7.pdf`.
   * @throws TenantContextMissingError, UnsafeTenantPathError
   */
  path(...parts: string[]): string {
    return buildPath(this.current().tenantId, parts);
  }

  /**
   * Removes a tenant's cached record and instances. With the option `invalidations`, all other
   * processes do the same. Call this function after you have changed the tenant in the store.
   */
  invalidate(tenantId: string): void {
    this.invalidation.invalidate(tenantId);
  }

  private async tenantFor(tenant: string | TenantContext): Promise<TenantContext> {
    if (isTenant(tenant)) return copyOf(tenant);
    if (typeof tenant !== 'string') {
      throw new TenantOptionError(
        `tenancy.run() received ${kindOf(tenant)}. Pass the identifier of a tenant, or a TenantContext.`,
      );
    }
    return this.runner.tenantOf(tenant, 'The input', 'run');
  }
}

/** In these values, the metadata would not be found, and the function would run without a tenant. */
function requireCarrier(metadata: unknown): void {
  const isObject = typeof metadata === 'object' || metadata === undefined;
  if (isObject && !isIterable(metadata)) return;
  throw new TenantOptionError(
    `runFrom() received ${isIterable(metadata) ? 'an iterable' : kindOf(metadata)}. Pass an object with the ` +
      'fields of tenancy.metadata(). Parse JSON text first, and use Object.fromEntries() for a Map or Headers.',
  );
}

function isTenant(tenant: unknown): tenant is TenantContext {
  if (typeof tenant !== 'object' || tenant === null) return false;
  const { tenantId } = tenant as Partial<TenantContext>;
  return typeof tenantId === 'string' && tenantId !== '';
}

/** Copied, because `tenant` may be the `TENANT_CONTEXT` proxy. The proxy changes with the scope. */
function copyOf(tenant: TenantContext): TenantContext {
  const { tenantId, identifier, source, status, data } = tenant;
  const attributes = pickAttributes(tenant);
  return createTenantContext({ tenantId, identifier, source, status, data, ...attributes });
}
