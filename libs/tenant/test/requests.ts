import type { TenantRequest } from '../src/tenant.options.js';

/** What a request sends, as far as it can tell a tenant. */
export interface Sent {
  readonly url?: string;
  readonly originalUrl?: string;
  /** Names and values as sent, in their order; a repeated name is a header sent twice. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly from?: string | undefined;
}

/** The request Node makes of it: repeated headers joined, of `Host` only the first. */
export function requestOf({ url = '/', originalUrl, headers = [], from = '127.0.0.1' }: Sent = {}) {
  const joined: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const before = joined[key];
    if (before === undefined) joined[key] = value;
    else if (key !== 'host') joined[key] = `${before}, ${value}`;
  }
  const request: TenantRequest = {
    method: 'GET',
    url,
    headers: joined,
    rawHeaders: headers.flat(),
    socket: { remoteAddress: from },
    ...(originalUrl !== undefined && { originalUrl }),
  };
  return request;
}

/** What Fastify's own request looks like, around Node's. */
export function wrapped(raw: TenantRequest): TenantRequest {
  const { method, url, headers } = raw;
  return { method, url, headers, raw };
}
