import type { TenantRequest } from '../tenant.options.js';

/**
 * The request that opened a socket: the second argument of ws' `connection`, or what the client of
 * socket.io keeps. One that tells nothing where the adapter gives none.
 */
export function handshakeOf(client: object, given: unknown): TenantRequest {
  const { request } = client as { readonly request?: unknown };
  return [given, request].find(isRequest) ?? SILENT;
}

const SILENT: TenantRequest = Object.freeze({ headers: {}, method: 'GET', url: '/' });

function isRequest(value: unknown): value is TenantRequest {
  const { headers, url } = (value ?? {}) as Partial<TenantRequest>;
  return typeof headers === 'object' && headers !== null && typeof url === 'string';
}
