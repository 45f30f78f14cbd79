import { Inject, Injectable } from '@nestjs/common';
import { ClsServiceManager } from 'nestjs-cls';
import { TenantDirectory } from '../directory/tenant-directory.js';
import { checkedIdentifier } from '../identify/identifier.js';
import { type TenantContext, tenantContextOf } from '../tenant-context.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { InvalidTenantError } from '../tenant.errors.js';
import { callHook } from '../call-hook.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { type ForEachOptions, forEachOf, type TenantOutcome } from './for-each.js';
import { scopedResult, type Within } from './scoped-result.js';
import { keyOf, pathOf } from './tenant-names.js';
import { TenantResources } from './tenant-resources.js';
import {
  currentScope,
  currentTenant,
  enterScope,
  missingTenant,
  type TenantScope,
} from './tenant-scope.js';

/** Reads the tenant of what runs now, and runs code for others. Injectable everywhere. */
@Injectable()
export class Tenancy {
  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly directory: TenantDirectory,
    private readonly resources: TenantResources,
  ) {}

  /**
   * The tenant of what runs now, frozen.
   * @throws TenantContextMissingError
   */
  current(): TenantContext {
    const tenant = currentTenant();
    if (tenant === undefined) throw missingTenant('tenancy.current()');
    return tenant;
  }

  /** The tenant of what runs now; null where there is none. */
  currentOrNull(): TenantContext | null {
    return currentTenant() ?? null;
  }

  /**
   * Runs a function for a tenant, in a store of its own: no transaction of the tenant around it
   * comes along. What it returns is awaited inside; iterators and Observables work inside, too.
   *
   * @param tenant what a request would send to name it, or a tenant known already, which is not
   * looked up again
   * @throws InvalidTenantError, UnknownTenantError, SuspendedTenantError, TenantMaintenanceError,
   * TenantStoreUnavailableError: `run` was not called then
   * @example
   * ```ts
   * await tenancy.run('acme', () => this.invoices.send());
   * ```
   */
  async run<R>(tenant: string | TenantContext, run: () => R): Promise<Awaited<R>> {
    const known = await this.tenantFor(tenant, 'run');
    const release = this.resources.any ? await this.resources.hold(known) : nothing;
    return inside({ kind: 'tenant', tenant: known }, run, release);
  }

  /**
   * Runs a function for nobody in particular, such as a report over all tenants. Reading the tenant
   * throws there, and row-level security shows no rows.
   * @param reason told to `hooks.central`, for audit
   */
  async runCentral<R>(reason: string, run: () => R): Promise<Awaited<R>> {
    callHook(() => this.options.hooks.central?.(reason));
    return inside({ kind: 'central', reason }, run, nothing);
  }

  /**
   * Runs a function for one tenant after the other.
   *
   * @param tenants `'all'` asks the store for its active ones
   * @returns an outcome for each, in their order
   * @throws with `onError: 'stop'`, the default, the first error; those under way are awaited
   */
  async forEach<R>(
    tenants: Iterable<string | TenantContext> | 'all',
    run: (tenant: TenantContext) => R,
    options: ForEachOptions = {},
  ): Promise<TenantOutcome<Awaited<R>>[]> {
    const list = tenants === 'all' ? await this.directory.all() : [...tenants];
    return forEachOf(list, (tenant) => this.run(tenant, () => run(this.current())), options);
  }

  /**
   * The function, working for the tenant of now whenever it is called: for listeners, timers and
   * callbacks of pools. Bound where there is no tenant, it never finds one.
   */
  bind<Args extends unknown[], R>(run: (...args: Args) => R): (...args: Args) => R {
    const scope = currentScope() ?? { kind: 'none' };
    return function bound(this: unknown, ...args: Args): R {
      return enterScope(scope, () => scopedResult(run.apply(this, args), withinStore(), nothing));
    };
  }

  /**
   * Names the current tenant to a job, a message or another service, by its identifier and its id.
   * Empty where there is none.
   */
  metadata(): Record<string, string> {
    const tenant = currentTenant();
    if (tenant === undefined) return {};
    const { tenantId, identifier = tenantId } = tenant;
    return { [METADATA_IDENTIFIER]: identifier, [METADATA_ID]: tenantId };
  }

  /**
   * Looks up the tenant that `metadata()` named, and runs a function for it. Without metadata it runs
   * for no tenant, also inside of another tenant's scope.
   * @throws like `run`, and TenantMismatchError where the identifier belongs to another tenant by now
   */
  async runFrom<R>(metadata: unknown, run: () => R): Promise<Awaited<R>> {
    const known = (metadata ?? {}) as Record<string, unknown>;
    const { [METADATA_IDENTIFIER]: named, [METADATA_ID]: tenantId } = known;
    if (named === undefined && tenantId === undefined) {
      return inside({ kind: 'none' }, run, nothing);
    }
    const identifier = this.checked(named, `"${METADATA_IDENTIFIER}" of the metadata`);
    // Written by hand, or by a version that sent the identifier only.
    if (tenantId === undefined) return this.run(identifier, run);
    if (typeof tenantId !== 'string') {
      throw new InvalidTenantError(`"${METADATA_ID}" of the metadata`);
    }
    return this.run(await this.directory.lookUpAgain({ tenantId, identifier }), run);
  }

  /**
   * A key that no other tenant has: `acme:invoice:7`.
   * @throws TenantContextMissingError
   */
  key(...parts: string[]): string {
    return keyOf(this.current().tenantId, parts);
  }

  /**
   * A relative path below the tenant's folder: `acme/invoices/7.pdf`.
   * @throws TenantContextMissingError, UnsafeTenantPathError
   */
  path(...parts: string[]): string {
    return pathOf(this.current().tenantId, parts);
  }

  /** Forgets what the store said of a tenant, and what was made for it. Call it when that changed. */
  invalidate(tenantId: string): void {
    this.directory.invalidate(tenantId);
    this.resources.invalidate(tenantId);
  }

  private tenantFor(
    tenant: string | TenantContext,
    source: string,
  ): TenantContext | Promise<TenantContext> {
    if (isTenant(tenant)) return copyOf(tenant);
    return this.directory.find(this.checked(tenant, 'The tenant to run for'), source);
  }

  /** Applications in JavaScript, and numeric ids typed as any, get here with anything. */
  private checked(named: unknown, place: string): string {
    const identifier =
      typeof named === 'string' ? checkedIdentifier(named, this.options.identifier) : undefined;
    if (identifier === undefined) throw new InvalidTenantError(place);
    return identifier;
  }
}

const METADATA_IDENTIFIER = 'fledge-tenant';
const METADATA_ID = 'fledge-tenant-id';
const cls = ClsServiceManager.getClsService();

async function inside<R>(
  scope: TenantScope,
  run: () => R,
  release: () => void,
): Promise<Awaited<R>> {
  try {
    // Awaited inside, because queries and other thenables begin when they are awaited.
    return await enterScope(scope, async () => {
      const within = withinStore();
      return scopedResult(await run(), within, release);
    });
  } catch (error) {
    release();
    throw error;
  }
}

/** Into the store of now, later. */
function withinStore(): Within {
  const store = cls.get();
  return (run) => cls.runWith(store, run);
}

function isTenant(tenant: unknown): tenant is TenantContext {
  if (typeof tenant !== 'object' || tenant === null) return false;
  const { tenantId } = tenant as Partial<TenantContext>;
  return typeof tenantId === 'string' && tenantId !== '';
}

/** `TENANT_CONTEXT` itself may be given, which would show another tenant inside. */
function copyOf({ tenantId, identifier, source, status, data }: TenantContext): TenantContext {
  return tenantContextOf({
    tenantId,
    ...(identifier !== undefined && { identifier }),
    ...(source !== undefined && { source }),
    ...(status !== undefined && { status }),
    ...(data !== undefined && { data }),
  });
}

function nothing(): void {}
