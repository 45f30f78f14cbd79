import type { IncomingHttpHeaders } from 'node:http';

/** The token of `Authorization: Bearer <token>` (RFC 6750, section 2.1). Undefined without one. */
export function bearerTokenOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}
