import type { TenantRequest } from '../../tenant.options.js';

/**
 * Finds the request that opened a socket: the second argument of ws's `connection` event, or the
 * `request` of a socket.io client. Returns an empty request for adapters that provide none.
 */
export function findHandshake(client: object, given: unknown): TenantRequest {
  const { request } = client as { readonly request?: unknown };
  return [given, request].find(isRequest) ?? EMPTY;
}

const EMPTY: TenantRequest = Object.freeze({ headers: {}, method: 'GET', url: '/' });

function isRequest(value: unknown): value is TenantRequest {
  const { headers, url } = (value ?? {}) as Partial<TenantRequest>;
  return typeof headers === 'object' && headers !== null && typeof url === 'string';
}
