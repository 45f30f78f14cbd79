import { currentAttributes, currentTenant } from '../scope/tenant-scope.js';
import type { TenantAttributes } from '../tenant-attributes.js';

/**
 * Returns the current tenant, and its attributes, such as the support person who acts in it, as log fields, or `{}`.
 * Never throws, so any logger can call it: `pino({ mixin: tenantLogFields })`.
 */
export function tenantLogFields(): { tenantId?: string } & TenantAttributes {
  const tenant = currentTenant();
  return { ...(tenant !== undefined && { tenantId: tenant.tenantId }), ...currentAttributes() };
}
