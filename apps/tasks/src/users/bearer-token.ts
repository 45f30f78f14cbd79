import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns the token of `Authorization: Bearer <token>` (RFC 6750, section 2.1). Returns undefined
 * if there is none.
 */
export function bearerTokenOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}
