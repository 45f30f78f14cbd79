import { currentTenant } from '../scope/tenant-scope.js';

/**
 * The tenant of what runs now as a field of a log line; empty without one. Never throws, so that
 * any logger may ask: `pino({ mixin: tenantLogFields })`.
 */
export function tenantLogFields(): { tenantId?: string } {
  const tenant = currentTenant();
  return tenant ? { tenantId: tenant.tenantId } : {};
}
