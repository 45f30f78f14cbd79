import type { TenantRequest, TenantVerifyOptions } from '../tenant.options.js';

/** Whether who is authenticated belongs to a tenant, as far as the options ask. */
export function principalBelongsTo(
  tenantId: string,
  req: TenantRequest,
  verify: TenantVerifyOptions | undefined,
): boolean {
  const own = verify?.principal(req) ?? [];
  if (own.length === 0) return verify?.required !== true;
  return typeof own === 'string' ? own === tenantId : own.includes(tenantId);
}
