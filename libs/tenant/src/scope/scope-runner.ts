import { Inject, Injectable } from '@nestjs/common';
import { TenantDirectory } from '../directory/tenant-directory.js';
import { checkIdentifier } from '../identify/identifier.js';
import { pickAttributes } from '../tenant-attributes.js';
import { type TenantContext, withAttributes } from '../tenant-context.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { InvalidTenantError, TenantMismatchError } from '../tenant.errors.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { runInScope } from './run-in-scope.js';
import {
  readAttributes,
  checkTenantId,
  METADATA_IDENTIFIER_PLACE,
  readNamedTenant,
} from './tenant-metadata.js';
import { TenantResources } from './tenant-resources.js';
import { currentTenant } from './tenant-scope.js';

/** Finds tenants and enters their scopes. */
@Injectable()
export class ScopeRunner {
  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly directory: TenantDirectory,
    private readonly resources: TenantResources,
  ) {}

  /**
   * Checks an identifier, and returns its tenant.
   * @param place a description of the identifier for error messages
   * @param source the value of `TenantContext.source`
   * @throws InvalidTenantError, and the errors of `TenantDirectory.find`
   */
  async tenantOf(identifier: unknown, place: string, source: string): Promise<TenantContext> {
    return this.directory.find(this.checked(identifier, place), source);
  }

  /**
   * Looks up the tenant in metadata. Returns undefined if there is none.
   * @throws InvalidTenantError, and the errors of `lookUpAgain`
   */
  async tenantFrom(metadata: unknown): Promise<TenantContext | undefined> {
    const named = readNamedTenant(metadata);
    if (named === undefined) return undefined;
    const identifier = this.checked(named.identifier, METADATA_IDENTIFIER_PLACE);
    const tenantId = checkTenantId(named);
    const attributes = readAttributes(metadata);
    const found = await this.directory.find(identifier, 'run');
    return withAttributes(requireSame(found, tenantId), attributes);
  }

  /**
   * Looks up the tenant of a job, message or socket again.
   * @throws TenantMismatchError if the identifier now belongs to another tenant
   * @throws the errors of `TenantDirectory.find`
   */
  async lookUpAgain(known: TenantContext): Promise<TenantContext> {
    const { tenantId, identifier = tenantId, source = 'run' } = known;
    const found = await this.directory.find(identifier, source);
    return withAttributes(requireSame(found, tenantId), pickAttributes(known));
  }

  /** Runs a function for a tenant. Holds the tenant's resources until the function has ended. */
  run<R>(tenant: TenantContext, run: () => R): Promise<Awaited<R>> {
    const scope = { kind: 'tenant', tenant } as const;
    if (!this.resources.any) return runInScope(scope, run);
    const isNested = currentTenant()?.tenantId === tenant.tenantId;
    return this.resources
      .hold(tenant, { isNested })
      .then((release) => runInScope(scope, run, release));
  }

  /** The identifier can have any type if the application is written in JavaScript or uses `any`. */
  private checked(named: unknown, place: string): string {
    const identifier =
      typeof named === 'string' ? checkIdentifier(named, this.options.identifier) : undefined;
    if (identifier === undefined) throw new InvalidTenantError(place);
    return identifier;
  }
}

/**
 * @param tenantId the expected tenant. If undefined, any tenant is accepted
 * @throws TenantMismatchError
 */
function requireSame(found: TenantContext, tenantId: string | undefined): TenantContext {
  if (tenantId === undefined || found.tenantId === tenantId) return found;
  throw new TenantMismatchError('The identifier now belongs to another tenant');
}
