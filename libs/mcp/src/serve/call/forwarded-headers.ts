import crypto from 'node:crypto';
import type { Caller } from './caller.js';

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
  const others: string[] = [];
  for (let i = 0; i + 1 < forwarded.length; i += 2) {
    const name = (forwarded[i] as string).toLowerCase();
    if (!NOT_COMPARED.has(name)) others.push(name, forwarded[i + 1] as string);
  }
  return crypto.hash('sha256', JSON.stringify([sender, others]), 'base64');
}
