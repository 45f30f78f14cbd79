import type { KnownTenant, RecordFault } from '../directory/known-tenant.js';
import type { TenantDirectory } from '../directory/tenant-directory.js';
import { TenantOptionError, UnknownTenantError } from '../tenant.errors.js';
import { TenantNotListedError } from './lifecycle.errors.js';
import type { ReadRun } from './lifecycle-option-tables.js';

type Selection = Pick<ReadRun, 'tenants' | 'skip' | 'canary'>;

/** @throws TenantNotListedError if the options contain an unknown tenant */
export function requireListed(
  all: readonly KnownTenant[],
  { tenants = [], skip, canary }: Selection,
): void {
  const canaries = typeof canary === 'number' ? [] : canary;
  const unknown = [...tenants, ...skip, ...canaries].filter(
    (name) => !all.some((tenant) => namedBy(tenant, [name])),
  );
  if (unknown.length > 0) throw new TenantNotListedError(unknown);
}

export function selectedTenants(
  all: readonly KnownTenant[],
  { tenants, skip }: Selection,
): KnownTenant[] {
  return all.filter(
    (tenant) => (tenants === undefined || namedBy(tenant, tenants)) && !namedBy(tenant, skip),
  );
}

/** Returns true if one of the names is the tenant's id or identifier. */
export function namedBy({ tenantId, identifier }: KnownTenant, names: readonly string[]): boolean {
  return names.includes(tenantId) || (identifier !== undefined && names.includes(identifier));
}

/**
 * @throws TenantOptionError if the tenant's record is invalid. Saving the record would lose data.
 * An invalid status is accepted
 */
export function requireRecord({ tenantId, fault }: KnownTenant): void {
  if (fault === undefined || fault.isStatus) return;
  throw invalidRecordError(tenantId, fault);
}

export function invalidRecordError(tenantId: string, { reason }: RecordFault): TenantOptionError {
  return new TenantOptionError(
    `The record of the tenant "${tenantId}" in the store is invalid: ${reason}. ` +
      'Correct the record in the store.',
  );
}

/** @throws UnknownTenantError */
export function findListedTenant(all: readonly KnownTenant[], name: string): KnownTenant {
  // Ids have precedence over identifiers. Another tenant may use the id as its identifier.
  const found =
    all.find(({ tenantId }) => tenantId === name) ?? all.find((it) => namedBy(it, [name]));
  if (found === undefined) throw new UnknownTenantError();
  return found;
}

/** Returns undefined if the tenant is no longer in the store. */
export async function readAgain(
  directory: TenantDirectory,
  { tenantId, identifier = tenantId }: KnownTenant,
): Promise<KnownTenant | undefined> {
  const found = await directory.read(identifier);
  if (found?.tenantId === tenantId) return found;
  // The tenant may have another identifier now.
  return (await directory.everyone()).find((it) => it.tenantId === tenantId);
}

/** Returns the reason why a run skips a tenant in `provisioning`. */
export function reasonToSkip({ tenantId }: KnownTenant): string {
  return (
    'The tenant is being created, or its creation did not finish. To continue a failed creation: ' +
    `fledge tenant create ${tenantId} --resume`
  );
}
