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
  const sessions = listSessions(req, options);
  if (sessions === undefined) return tenant;
  const [session, ...others] = sessions;
  if (others.length > 0) throw refuse('ambiguous');
  const { claims, why } = openClaims('session', session, options.secrets, Date.now());
  if (claims === undefined || why !== undefined) throw refuse(why, claims);
  if (claims.tenantId !== tenant.tenantId) throw refuse('other tenant', claims);
  return withAttributes(tenant, { impersonatedBy: claims.by });
}

/** Without duplicates. Returns undefined if there are none. */
function listSessions(
  { headers }: TenantRequest,
  { cookie, header }: ResolvedImpersonationOptions,
): readonly string[] | undefined {
  const sent = headers[header];
  const cookies = headers['cookie'];
  const mayHaveCookie = typeof cookies === 'string' && cookies.includes(cookie);
  if (sent === undefined && !mayHaveCookie) return undefined;
  const found = new Set([sent ?? []].flat());
  for (const pair of mayHaveCookie ? cookies.split(';') : []) {
    const [name, ...value] = pair.trim().split('=');
    if (name === cookie) found.add(value.join('='));
  }
  return found.size === 0 ? undefined : [...found];
}
