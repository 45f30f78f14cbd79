import type { TenantRequest } from '../../tenant.options.js';

/**
 * With ws, the request is the second argument of the `connection` event. With socket.io, it is the
 * `request` of the socket. Returns an empty request for other adapters.
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
