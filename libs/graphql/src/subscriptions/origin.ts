import type { IncomingMessage } from 'node:http';
import { GraphqlOptionError } from '../graphql.errors.js';

/**
 * Whether an upgrade may come from where it says. Browsers always say it, and send cookies along to
 * whatever server a page names (RFC 6455 §10.2); without `Origin` it is no page's request.
 *
 * @param origins besides the request's own host
 */
export function originAllowed(
  { headers: { origin, host } }: Pick<IncomingMessage, 'headers'>,
  origins: ReadonlySet<string>,
): boolean {
  if (origin === undefined || origins.has('*') || origins.has(origin)) return true;
  if (!/^https?:\/\//.test(origin) || host === undefined) return false;
  // Read as a URL, so that a default port is none.
  const own = `${origin.slice(0, origin.indexOf(':'))}://${host}`;
  return URL.canParse(origin) && URL.canParse(own) && new URL(origin).host === new URL(own).host;
}

/** @throws GraphqlOptionError for what no browser sends */
export function originSetOf(origins: readonly string[]): ReadonlySet<string> {
  return new Set(origins.map((origin) => (isSpecial(origin) ? origin : originOf(origin))));
}

function isSpecial(origin: string): boolean {
  return origin === '*' || origin === 'null';
}

function originOf(text: string): string {
  const url = URL.canParse(text) && !text.includes('*') ? new URL(text) : undefined;
  // One slash at the end is how URL writes it.
  if (url && url.href === `${url.origin}/`) return url.origin;
  throw new GraphqlOptionError(
    `subscriptions.origins has ${JSON.stringify(text)}, which is no origin. ` +
      `Write scheme, host and port: 'https://app.example.com'.`,
  );
}
