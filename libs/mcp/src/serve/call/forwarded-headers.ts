import crypto from 'node:crypto';
import { type Caller, callerOf, type CallOrigin } from './caller.js';

/** Always forwarded: throttlers and subdomain tenants need the address and the requested host. */
const ORIGIN_HEADERS = [
  'host',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
];

/**
 * Selects the headers to forward to the route. Keeps their order and repeated headers.
 * @param allowed header names in lower case
 */
export function headerFilter(
  allowed: readonly string[],
): (rawHeaders: readonly string[]) => string[] {
  const passing = new Set([...ORIGIN_HEADERS, ...allowed]);
  return (rawHeaders) => {
    const kept: string[] = [];
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      const name = rawHeaders[i] as string;
      if (passing.has(name) || passing.has(name.toLowerCase())) {
        kept.push(name, rawHeaders[i + 1] as string);
      }
    }
    return kept;
  };
}

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
 * same key. The key contains the host, every header that may identify a user or a tenant, and the
 * principal's id. If there is no principal, the key contains the `Authorization` header and the
 * session instead. The key is a digest, so no credential is stored.
 * @param forwarded headers forwarded to the route, as alternating names and values
 */
export function callerKey({ origin, principal }: Caller, forwarded: readonly string[]): string {
  const { authorization = null, 'mcp-session-id': session = null } = origin.headers;
  const sender = principal ? { id: principal.id } : { authorization, session };
  return crypto.hash('sha256', JSON.stringify([sender, comparedHeaders(forwarded)]), 'base64');
}

/**
 * Returns the owner of a session that has no principal. Like `callerKey()`, but without the session
 * id, which the first request does not have, and without the host, which a proxy may replace.
 */
export function sessionOwner({ origin }: Caller, forwarded: readonly string[]): string {
  const { authorization = null } = origin.headers;
  const others = comparedHeaders(forwarded).filter(([name]) => !HOSTS.has(name));
  if (authorization === null && others.length === 0) return 'anonymous';
  return crypto.hash('sha256', JSON.stringify([authorization, others]), 'base64');
}

const HOSTS = new Set(['host', 'x-forwarded-host']);

function comparedHeaders(forwarded: readonly string[]): [name: string, value: string][] {
  const compared: [name: string, value: string][] = [];
  for (let i = 0; i + 1 < forwarded.length; i += 2) {
    const name = (forwarded[i] as string).toLowerCase();
    if (NOT_COMPARED.has(name)) continue;
    const value = forwarded[i + 1] as string;
    // Processes of one application may have different ports.
    compared.push([name, HOSTS.has(name) ? value.replace(/:\d+$/, '') : value]);
  }
  // Two requests of one client may have the same headers in another order.
  return compared.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
}

/**
 * Returns the caller without some headers of its request. The returned caller has no watch.
 * @param names header names in lower case
 */
export function withoutHeaders(caller: Caller, ...names: readonly string[]): Caller {
  const { origin, principal, endpoint, via } = caller;
  if (names.every((name) => origin.headers[name] === undefined)) return caller;
  const kept = Object.entries(origin.headers).filter(([name]) => !names.includes(name));
  const rawHeaders = origin.rawHeaders.filter(
    (_, i, all) => !names.includes((all[i - (i % 2)] as string).toLowerCase()),
  );
  const changed = Object.create(origin, {
    headers: { value: Object.fromEntries(kept) },
    rawHeaders: { value: rawHeaders },
  }) as CallOrigin;
  return callerOf(changed, principal, endpoint, via);
}
