import type { ContextResponse } from '@fledge/core';

/**
 * Tells shared caches by which headers answers differ (RFC 9110 §12.5.5), beside those that CORS and
 * others named already. Of a response without headers, such as that of a socket's operation, nothing.
 */
export function varyBy(response: ContextResponse, names: readonly string[]): void {
  const res = response as HeadedResponse;
  if (names.length === 0 || res.getHeader === undefined) return;
  const told = [res.getHeader('vary') ?? []].flat().join(', ');
  const known = told.toLowerCase().split(/\s*,\s*/);
  const missing = names.filter((name) => !known.includes(name));
  if (missing.length === 0 || known.includes('*')) return;
  const value = told === '' ? missing.join(', ') : `${told}, ${missing.join(', ')}`;
  if (res.setHeader === undefined) res.header?.('Vary', value);
  else res.setHeader('Vary', value);
}

/** Node's own response, Express', and Fastify's reply, which has no `setHeader`. */
interface HeadedResponse {
  getHeader?(name: string): string | number | string[] | undefined;
  setHeader?(name: string, value: string): unknown;
  header?(name: string, value: string): unknown;
}
