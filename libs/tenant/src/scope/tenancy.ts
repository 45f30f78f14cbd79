import { Inject, Injectable, UnauthorizedException } from '@nestjs/common';
import { TenantDirectory } from '../directory/tenant-directory.js';
import { pickAttributes } from '../tenant-attributes.js';
import { createTenantContext, type TenantContext } from '../tenant-context.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { callHook } from '../call-hook.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { type ForEachCall, type ForEachOptions, runForEach } from './for-each.js';
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
  NO_TENANT,
  requiredTenant,
} from './tenant-scope.js';

/** Reads the current tenant, and runs code for other tenants. Injectable everywhere. */
@Injectable()
export class Tenancy {
  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly directory: TenantDirectory,
    private readonly runner: ScopeRunner,
    private readonly invalidation: Invalidation,
  ) {}

  /**
   * Returns the current tenant, frozen.
   * @throws TenantContextMissingError
   */
  current(): TenantContext {
    return requiredTenant('tenancy.current()');
  }

  /** Returns the current tenant, or null. */
  currentOrNull(): TenantContext | null {
    return currentTenant() ?? null;
  }

  /**
   * Runs a function for a tenant. The function starts outside open transactions. Its result is
   * awaited in the tenant's scope; returned iterators and Observables also run in that scope.
   *
   * @param tenant an identifier as in a request, or a TenantContext, which is not looked up again
   * @throws InvalidTenantError, UnknownTenantError, SuspendedTenantError, TenantMaintenanceError,
   * TenantStoreUnavailableError before `run` is called. With `errors.opaque`, a guard of a request
   * whose tenant is rejected gets an UnauthorizedException instead
   * @example
   * ```ts
   * await tenancy.run('acme', () => this.invoices.send());
   * ```
   */
  async run<R>(tenant: string | TenantContext, run: () => R): Promise<Awaited<R>> {
    const enter = async (work: () => R): Promise<Awaited<R>> =>
      this.runner.run(await this.tenantFor(tenant), work);
    if (!isRefusalSecret()) return enter(run);
    // Inside a guard of a request with a rejected tenant, the real error would reveal why it was
    // rejected.
    return runOrRefuse(enter, run, () => {
      throw new UnauthorizedException();
    });
  }

  /**
   * Runs a function without a tenant, for example a report over all tenants. Inside the function,
   * reading the tenant throws, and row-level security shows no rows.
   * @param reason passed to `hooks.central`, for audit
   */
  async runCentral<R>(reason: string, run: () => R): Promise<Awaited<R>> {
    callHook(() => this.options.hooks.central?.(reason));
    return runInScope({ kind: 'central', reason }, run);
  }

  /**
   * Runs a function for each tenant, one after the other.
   *
   * @param tenants `'all'` means the active tenants of the store's `list()`
   * @returns one outcome per tenant, in order
   * @throws TenantForEachError with the default `onError: 'stop'`, if the call for a tenant failed
   * or `signal` aborted. It is thrown after all running calls have ended
   * @throws TenantOptionError if `concurrency` is invalid, or the store has no `list()`
   */
  async forEach<R>(
    tenants: Iterable<string | TenantContext> | 'all',
    run: (tenant: TenantContext, call: ForEachCall) => R,
    options: ForEachOptions = {},
  ): Promise<TenantOutcome<Awaited<R>>[]> {
    const list = tenants === 'all' ? await this.directory.all() : [...tenants];
    return runForEach(
      list,
      (tenant, call) => this.run(tenant, () => run(this.current(), call)),
      options,
    );
  }

  /**
   * Binds a function to the current tenant, for listeners, timers and callbacks of pools. Without a
   * current tenant, the function runs without one.
   */
  bind<Args extends unknown[], R>(run: (...args: Args) => R): (...args: Args) => R {
    return bindToScope(currentScope() ?? NO_TENANT, run);
  }

  /**
   * Returns the current tenant's identifier and id as metadata for a job, a message or another service.
   * Empty without a tenant.
   */
  metadata(): Record<string, string> {
    const tenant = currentTenant();
    return tenant === undefined ? {} : writeMetadata(tenant, currentAttributes());
  }

  /**
   * Runs a function for the tenant in metadata created by `metadata()`, after looking it up again.
   * Without metadata, it runs without a tenant, even inside another tenant's scope.
   * @throws like `run`, and TenantMismatchError if the identifier now belongs to another tenant
   */
  async runFrom<R>(metadata: unknown, run: () => R): Promise<Awaited<R>> {
    const tenant = await this.runner.tenantFrom(metadata);
    return tenant === undefined ? runInScope(NO_TENANT, run) : this.runner.run(tenant, run);
  }

  /**
   * Builds a key that is unique to the tenant: `acme:invoice:7`.
   * @throws TenantContextMissingError
   */
  key(...parts: string[]): string {
    return buildKey(this.current().tenantId, parts);
  }

  /**
   * Builds a relative path below the tenant's folder: `acme/invoices/7.pdf`.
   * @throws TenantContextMissingError, UnsafeTenantPathError
   */
  path(...parts: string[]): string {
    return buildPath(this.current().tenantId, parts);
  }

  /**
   * Removes the cached record and the instances of a tenant. With `invalidations`, the other
   * processes do the same. Call it after the tenant changed in the store.
   */
  invalidate(tenantId: string): void {
    this.invalidation.invalidate(tenantId);
  }

  private async tenantFor(tenant: string | TenantContext): Promise<TenantContext> {
    if (isTenant(tenant)) return copyOf(tenant);
    return this.runner.tenantOf(tenant, 'The tenant to run for', 'run');
  }
}

function isTenant(tenant: unknown): tenant is TenantContext {
  if (typeof tenant !== 'object' || tenant === null) return false;
  const { tenantId } = tenant as Partial<TenantContext>;
  return typeof tenantId === 'string' && tenantId !== '';
}

/** Copied, because `tenant` may be the `TENANT_CONTEXT` proxy, which changes with the scope. */
function copyOf(tenant: TenantContext): TenantContext {
  const { tenantId, identifier, source, status, data } = tenant;
  const attributes = pickAttributes(tenant);
  return createTenantContext({ tenantId, identifier, source, status, data, ...attributes });
}
