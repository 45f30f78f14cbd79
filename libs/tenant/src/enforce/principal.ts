import { TenantOptionError } from '../tenant.errors.js';
import type { TenantRequest, TenantVerifyOptions } from '../tenant.options.js';
import { isThenable } from '../thenable.js';

/**
 * Returns true if the authenticated user may use a tenant, according to `verify`; a promise if `principal` returns one.
 * Only null and undefined mean that there is no user: an empty list or string is a user without tenants.
 * @throws TenantOptionError if `principal` returns an invalid value; the request is refused then
 */
export function principalBelongsTo(
  tenantId: string,
  req: TenantRequest,
  verify: TenantVerifyOptions | undefined,
): boolean | Promise<boolean> {
  if (verify === undefined) return true;
  const own = verify.principal(req);
  return isThenable(own)
    ? Promise.resolve(own).then((found) => belongsTo(tenantId, found, verify))
    : belongsTo(tenantId, own, verify);
}

/** @param own what `principal` returned: JavaScript callers may return anything */
function belongsTo(tenantId: string, own: unknown, verify: TenantVerifyOptions): boolean {
  if (own === null || own === undefined) return verify.required !== true;
  if (typeof own === 'string') return own === tenantId;
  if (Array.isArray(own)) return own.includes(tenantId);
  throw new TenantOptionError(
    'verify.principal must return a tenant id or a list of ids. Read them from what a guard has put ' +
      'on the request: principal: (req) => req.user?.tenantId.',
  );
}
