import type { ContextResponse } from '@fledge/core';

/**
 * Adds the tenant headers to `Vary`, so that shared caches keep the answers of tenants apart (RFC 9110
 * §12.5.5). Keeps the names that are there, such as those of CORS. Does nothing for responses without
 * headers, such as that of an operation over a socket.
 */
export function varyBy(response: ContextResponse, names: readonly string[]): void {
  const res = response as HeadedResponse;
  if (names.length === 0 || res.getHeader === undefined) return;
  const value = withNames(res.getHeader('vary'), names);
  if (value === undefined) return;
  if (res.setHeader === undefined) res.header?.('Vary', value);
  else res.setHeader('Vary', value);
}

/** The value of `Vary` with the names. Undefined if they are there. */
function withNames(
  present: number | string | string[] | undefined,
  names: readonly string[],
): string | undefined {
  const all = names.join(', ');
  if (present === undefined) return all;
  // What an earlier call has set.
  if (present === all) return undefined;
  const sent = [present].flat().join(', ');
  const known = sent.toLowerCase().split(/\s*,\s*/);
  const missing = names.filter((name) => !known.includes(name));
  if (missing.length === 0 || known.includes('*')) return undefined;
  return sent === '' ? all : `${sent}, ${missing.join(', ')}`;
}

/** Node's or Express's response, or Fastify's reply, which has `header` instead of `setHeader`. */
interface HeadedResponse {
  getHeader?(name: string): string | number | string[] | undefined;
  setHeader?(name: string, value: string): unknown;
  header?(name: string, value: string): unknown;
}
