import { currentImpersonator, currentTenant } from '../scope/tenant-scope.js';

/**
 * Returns the current tenant, and the support person who acts in it, as log fields, or `{}`. Never throws,
 * so any logger can call it: `pino({ mixin: tenantLogFields })`.
 */
export function tenantLogFields(): { tenantId?: string; impersonatedBy?: string } {
  const tenant = currentTenant();
  const impersonatedBy = currentImpersonator();
  return {
    ...(tenant !== undefined && { tenantId: tenant.tenantId }),
    ...(impersonatedBy !== undefined && { impersonatedBy }),
  };
}
