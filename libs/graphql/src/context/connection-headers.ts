import type { IncomingHttpHeaders } from 'node:http';
import { ConnectionHeaderError } from '../graphql.errors.js';

/**
 * The headers of a socket's operations: those of its upgrade request, and those that a browser,
 * which cannot set any, sent as `connectionParams`. Their names are taken in any case.
 *
 * @param names lower-cased names that `connectionParams` may supply; the rest is no header
 * @throws ConnectionHeaderError for a value that differs from the upgrade request's own
 */
export function connectionHeaders(
  upgrade: IncomingHttpHeaders,
  connectionParams: unknown,
  names: readonly string[],
): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = { ...upgrade };
  if (typeof connectionParams !== 'object' || connectionParams === null) return headers;
  for (const [key, value] of Object.entries(connectionParams)) {
    const name = key.toLowerCase();
    if (typeof value !== 'string' || !names.includes(name)) continue;
    // As in a header that arrives over HTTP (RFC 9110 §5.5).
    if (/[\0\r\n]/.test(value)) throw new ConnectionHeaderError(name, 'no header may have');
    if (headers[name] !== undefined && headers[name] !== value) {
      throw new ConnectionHeaderError(name, 'the upgrade request, or another key, gives otherwise');
    }
    headers[name] = value;
  }
  return headers;
}
