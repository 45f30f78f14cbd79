import type { RequestContext } from '@fledge/core';
import type { TenantDirectory } from '../directory/tenant-directory.js';
import { scopeOfRequest } from '../scope/tenant-scope.js';
import { UnknownTenantError } from '../tenant.errors.js';

/**
 * Looks the tenant of a running request up again after `invalidate()`. Returns the error that ends the
 * request, or undefined if it may continue or has another tenant. Never rejects.
 *
 * @param changed the id or an identifier of the invalidated tenant. Undefined for all tenants
 */
export async function refusalAfterChange(
  ctx: RequestContext,
  changed: string | undefined,
  directory: TenantDirectory,
): Promise<unknown> {
  const scope = scopeOfRequest(ctx);
  if (scope?.kind !== 'tenant') return undefined;
  const { tenantId, identifier = tenantId, source = 'run' } = scope.tenant;
  const isMeant = changed === undefined || changed === tenantId || changed === identifier;
  if (!isMeant) return undefined;
  try {
    const now = await directory.find(identifier, source);
    // The identifier was given to another tenant. The request belongs to the previous one.
    return now.tenantId === tenantId ? undefined : new UnknownTenantError();
  } catch (error) {
    return error;
  }
}
