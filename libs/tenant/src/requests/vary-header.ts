import type { ContextResponse } from '@fledge/core';
import { type HeadedResponse, setHeader } from './response-headers.js';

/**
 * Adds the tenant headers to `Vary`. Shared caches then store a separate response for each tenant
 * (RFC 9110 §12.5.5). Keeps names that are already in `Vary`, for example for CORS. Does nothing if
 * the response has no headers, for example for an operation over a socket.
 */
export function varyBy(response: ContextResponse, names: readonly string[]): void {
  const res = response as HeadedResponse;
  if (names.length === 0 || res.getHeader === undefined) return;
  const value = withNames(res.getHeader('vary'), names);
  if (value === undefined) return;
  setHeader(res, 'Vary', value);
}

/** Returns undefined if the value already contains all names. */
function withNames(
  present: number | string | string[] | undefined,
  names: readonly string[],
): string | undefined {
  const all = names.join(', ');
  // Almost all requests end here. The code below takes longer than the rest of the lookup.
  if (present === undefined) return all;
  if (present === all) return undefined;
  const sent = [present].flat().join(', ');
  const known = sent.toLowerCase().split(/\s*,\s*/);
  const missing = names.filter((name) => !known.includes(name));
  if (missing.length === 0 || known.includes('*')) return undefined;
  return [sent, ...missing].filter(Boolean).join(', ');
}
