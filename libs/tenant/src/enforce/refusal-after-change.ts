import type { RequestContext } from '@fledge/core';
import type { TenantDirectory } from '../directory/tenant-directory.js';
import { scopeOfRequest } from '../scope/tenant-scope.js';
import { UnknownTenantError } from '../tenant.errors.js';

/**
 * Asks the store again for the tenant of a request that is still being served, after that tenant was
 * invalidated. Returns why it must not go on; undefined if it may, or has another tenant. Never rejects.
 *
 * @param changed the id or an identifier of the tenant
 */
export async function refusalAfterChange(
  ctx: RequestContext,
  changed: string,
  directory: TenantDirectory,
): Promise<unknown> {
  const scope = scopeOfRequest(ctx);
  if (scope?.kind !== 'tenant') return undefined;
  const { tenantId, identifier = tenantId, source = 'run' } = scope.tenant;
  if (changed !== tenantId && changed !== identifier) return undefined;
  try {
    const now = await directory.find(identifier, source);
    // An identifier that changed hands: the request belongs to the tenant that had it.
    return now.tenantId === tenantId ? undefined : new UnknownTenantError();
  } catch (error) {
    return error;
  }
}
