import { currentTenant } from '../scope/tenant-scope.js';

/**
 * Returns the current tenant as a log field, or `{}`. Never throws, so any logger can call it:
 * `pino({ mixin: tenantLogFields })`.
 */
export function tenantLogFields(): { tenantId?: string } {
  const tenant = currentTenant();
  return tenant ? { tenantId: tenant.tenantId } : {};
}
