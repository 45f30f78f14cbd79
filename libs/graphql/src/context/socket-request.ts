import type { ContextRequest, ContextResponse } from '@fledge/core';
import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ConnectionHeaderError } from '../graphql.errors.js';
import { splitUrl } from '../split-url.js';
import type { ClientAddress } from './client-address.js';

/**
 * Creates the request of one operation from the upgrade request. Properties that are set on the new
 * request do not change the upgrade request.
 */
export function socketRequest(
  upgrade: IncomingMessage,
  headers: IncomingHttpHeaders,
  { ip, ips }: ClientAddress,
): ContextRequest {
  const [, search] = splitUrl(upgrade.url ?? '');
  const query: Record<string, string | string[]> = Object.create(null) as typeof query;
  for (const [key, value] of new URLSearchParams(search)) {
    query[key] = key in query ? [query[key]!, value].flat() : value;
  }
  return Object.create(upgrade, {
    headers: { value: headers, enumerable: true },
    query: { value: query, enumerable: true },
    ip: { value: ip, enumerable: true, writable: true },
    ips: { value: ips, enumerable: true, writable: true },
  }) as ContextRequest;
}

/**
 * Returns the headers of a socket's operations: the headers of the upgrade request, and the headers
 * in `connectionParams`. Browsers cannot set headers on a WebSocket, so they use
 * `connectionParams`. Header names are case-insensitive.
 * @param names lower-case names of headers that `connectionParams` may contain. Other entries are
 * ignored
 * @throws ConnectionHeaderError if a value contradicts the upgrade request
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
    // HTTP headers cannot contain these characters (RFC 9110 §5.5).
    if (/[\0\r\n]/.test(value)) {
      throw new ConnectionHeaderError(name, 'contains a line break or NUL. Remove this character');
    }
    if (headers[name] !== undefined && headers[name] !== value) {
      const fact =
        'has another value in the upgrade request, or is in connectionParams twice, such as "Authorization" and ' +
        '"authorization". Send only one value';
      throw new ConnectionHeaderError(name, fact);
    }
    headers[name] = value;
  }
  return headers;
}

/**
 * The response of a socket's operation. Guards may set headers on it, such as the headers of a
 * throttler. These headers are not sent. Like Node's response, it emits 'close' at its end, so that
 * other modules release what the operation used, such as connections of a tenant.
 */
export class SocketResponse extends EventEmitter implements ContextResponse {
  statusCode = 200;
  destroyed = false;
  readonly [property: string]: unknown;

  /** Call this when the operation has ended. Later calls do nothing. */
  destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.emit('close');
    return this;
  }

  /** The method of Express and Fastify. */
  header(): this {
    return this;
  }

  /** The method of Node. */
  setHeader(): this {
    return this;
  }
}
