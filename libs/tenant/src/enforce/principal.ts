import { TenantOptionError } from '../tenant.errors.js';
import type { TenantRequest, TenantVerifyOptions } from '../tenant.options.js';

/**
 * Whether who is authenticated belongs to a tenant, as far as the options ask.
 * @throws TenantOptionError for an answer that is none; the request is refused then
 */
export function principalBelongsTo(
  tenantId: string,
  req: TenantRequest,
  verify: TenantVerifyOptions | undefined,
): boolean {
  // Applications in JavaScript may return anything.
  const own: unknown = verify?.principal(req) ?? [];
  if (own === '' || (Array.isArray(own) && own.length === 0)) return verify?.required !== true;
  if (typeof own === 'string') return own === tenantId;
  if (Array.isArray(own)) return own.includes(tenantId);
  throw new TenantOptionError(
    'verify.principal returned neither text nor a list of it. Return the ids of tenants that a ' +
      'guard has put on the request: principal: (req) => req.user?.tenantId. It cannot be async.',
  );
}
