import type { TenantRequest } from '../tenant.options.js';

/** Where requests carry the session. */
export interface SessionPlaces {
  readonly cookie: string;
  /** Lower-cased. */
  readonly header: string;
}

/** The sessions that a request carries, each once. Undefined, without parsing, if it carries none. */
export function sessionsOf(
  { headers }: TenantRequest,
  { cookie, header }: SessionPlaces,
): readonly string[] | undefined {
  const sent = headers[header];
  const cookies = headers['cookie'];
  const mayHaveCookie = typeof cookies === 'string' && cookies.includes(cookie);
  if (sent === undefined && !mayHaveCookie) return undefined;
  const found = new Set([sent ?? []].flat());
  for (const pair of mayHaveCookie ? cookies.split(';') : []) {
    const [name, ...value] = pair.trim().split('=');
    if (name === cookie) found.add(value.join('='));
  }
  return found.size === 0 ? undefined : [...found];
}
