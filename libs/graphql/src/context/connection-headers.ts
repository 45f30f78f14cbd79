import type { IncomingHttpHeaders } from 'node:http';
import { ConnectionHeaderError } from '../graphql.errors.js';

/**
 * Returns the headers of a socket's operations: those of its upgrade request plus those in
 * `connectionParams`, because browsers cannot set headers on a WebSocket. Names match in any case.
 *
 * @param names lower-case names that `connectionParams` may supply; other entries are ignored
 * @throws ConnectionHeaderError for a value that contradicts the upgrade request
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
    // HTTP headers cannot contain these either (RFC 9110 §5.5).
    if (/[\0\r\n]/.test(value))
      throw new ConnectionHeaderError(name, 'contains a line break or NUL. Remove it');
    if (headers[name] !== undefined && headers[name] !== value) {
      throw new ConnectionHeaderError(
        name,
        'differs from the upgrade request or from another key. Send the value once',
      );
    }
    headers[name] = value;
  }
  return headers;
}
