import { isOwnOrigin, pageOrigin } from '@fledge/core/packages';
import type { IncomingMessage } from 'node:http';
import { GraphqlOptionError } from '../graphql.errors.js';

/**
 * Returns true if the `Origin` of an upgrade is allowed. Browsers send this header with every
 * upgrade. This check is needed, because browsers send cookies to any server that a page connects
 * to (RFC 6455 §10.2). Requests without `Origin` do not come from a page.
 *
 * @param origins allowed origins in addition to the request's own host
 */
export function originAllowed(
  { headers: { origin, host } }: Pick<IncomingMessage, 'headers'>,
  origins: ReadonlySet<string>,
): boolean {
  if (origin === undefined || origins.has('*') || origins.has(origin)) return true;
  return isOwnOrigin(origin, host);
}

/** @throws GraphqlOptionError if a string is not an origin */
export function originSetOf(origins: readonly string[]): ReadonlySet<string> {
  return new Set(origins.map(normalizedOrigin));
}

function normalizedOrigin(text: string): string {
  const origin = text === '*' || text === 'null' ? text : pageOrigin(text);
  if (origin !== undefined) return origin;
  throw new GraphqlOptionError(
    `subscriptions.origins has ${JSON.stringify(text)}, which is not an origin. ` +
      `Write scheme, host and port: 'https://app.example.com'.`,
  );
}
