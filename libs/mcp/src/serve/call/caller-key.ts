import crypto from 'node:crypto';
import type { Caller } from './caller.js';
import { headerPairs } from './forwarded-headers.js';

/**
 * Headers that are not part of a sender's key. Some may change between two requests of the same
 * sender. Others are added to the key separately.
 */
const NOT_COMPARED = new Set([
  'authorization',
  'mcp-session-id',
  'accept-language',
  'traceparent',
  'tracestate',
  'baggage',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  // Ids that clients and proxies create for each request.
  'b3',
  'cf-ray',
  'correlation-id',
  'request-id',
  'sentry-trace',
  'uber-trace-id',
  'x-amzn-trace-id',
  'x-b3-flags',
  'x-b3-parentspanid',
  'x-b3-sampled',
  'x-b3-spanid',
  'x-b3-traceid',
  'x-cloud-trace-context',
  'x-correlation-id',
  'x-request-id',
  'x-trace-id',
]);

/**
 * Returns a key that identifies the sender. Stored results are returned only to senders with the
 * same key. The key contains the host, every header that may identify a user or a tenant, the
 * tenant, and the principal's id. If there is no principal, or if the tenant is unknown, the key
 * contains the `Authorization` header and the session instead of the id. The key is a digest, so no
 * credential is stored.
 */
export function callerKey({ origin, principal, tenant, forwarded }: Caller): string {
  const { authorization = null, 'mcp-session-id': session = null } = origin.headers;
  // Without the tenant, two people may have the same id.
  const hasId = principal !== undefined && tenant !== undefined;
  const sender = hasId ? { id: principal.id, tenant } : { authorization, session, tenant };
  return crypto.hash('sha256', JSON.stringify([sender, comparedHeaders(forwarded)]), 'base64');
}

/**
 * Returns the owner of a session: the tenant with the principal, or with a digest of the headers
 * that may identify the caller. The headers themselves must not be stored. The digest is like
 * `callerKey()`, but without the session id, which the first request does not have, and without the
 * host, which a proxy may replace.
 */
export function sessionOwner({ origin, principal, tenant = null, forwarded }: Caller): string {
  if (principal !== undefined) return `${USER}${JSON.stringify([principal.id, tenant])}`;
  const { authorization = null } = origin.headers;
  const others = comparedHeaders(forwarded).filter(([name]) => !HOSTS.has(name));
  if (authorization === null && tenant === null && others.length === 0) return 'anonymous';
  return crypto.hash('sha256', JSON.stringify([authorization, tenant, others]), 'base64');
}

/** The owner of a session starts with this prefix if the session has a principal. */
const USER = 'principal ';

/** Returns the id of the principal in the owner of a session. */
export function principalIn(owner: string): string | undefined {
  if (!owner.startsWith(USER)) return undefined;
  return (JSON.parse(owner.slice(USER.length)) as [id: string])[0];
}

const HOSTS = new Set(['host', 'x-forwarded-host']);

function comparedHeaders(forwarded: readonly string[]): [name: string, value: string][] {
  const compared: [name: string, value: string][] = [];
  for (const [given, value] of headerPairs(forwarded)) {
    const name = given.toLowerCase();
    if (NOT_COMPARED.has(name)) continue;
    // Processes of one application may have different ports.
    compared.push([name, HOSTS.has(name) ? value.replace(/:\d+$/, '') : value]);
  }
  // Two requests of one client may have the same headers in another order.
  return compared.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
}
