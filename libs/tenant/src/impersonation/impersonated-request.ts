import { type TenantContext, withAttributes } from '../tenant-context.js';
import type { TenantRequest } from '../tenant.options.js';
import type {
  ImpersonationRefusal,
  ResolvedImpersonationOptions,
} from './impersonation.options.js';
import { type Claims, openClaims } from './signed-claims.js';

/**
 * Returns the tenant unchanged if the request has no impersonation session.
 * @throws the error of `refuse` if the session is not accepted. Otherwise, the support person would
 * be hidden
 */
export function impersonateRequest(
  tenant: TenantContext,
  req: TenantRequest,
  options: ResolvedImpersonationOptions,
  refuse: (why?: ImpersonationRefusal, claims?: Claims) => Error,
): TenantContext {
  const [session, ...others] = listSessions(req, options);
  if (session === undefined) return tenant;
  if (others.length > 0) throw refuse('ambiguous');
  const { claims, why } = openClaims('session', session, options.secrets, Date.now());
  if (claims === undefined || why !== undefined) throw refuse(why, claims);
  if (claims.tenantId !== tenant.tenantId) throw refuse('other tenant', claims);
  return withAttributes(tenant, { impersonatedBy: claims.by });
}

/** Without duplicates. */
function listSessions(
  { headers }: TenantRequest,
  { cookie, header }: ResolvedImpersonationOptions,
): readonly string[] {
  const found = new Set([headers[header] ?? []].flat());
  for (const pair of [headers['cookie'] ?? []].flat().join(';').split(';')) {
    const [name, ...value] = pair.trim().split('=');
    if (name === cookie) found.add(value.join('='));
  }
  return [...found];
}
