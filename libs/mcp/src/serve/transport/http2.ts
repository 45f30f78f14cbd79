import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Returns true if a request came over HTTP/2. Node then provides the request through its
 * compatibility API for HTTP/1.1.
 */
export function isHttp2({ httpVersionMajor }: IncomingMessage): boolean {
  return httpVersionMajor >= 2;
}

/**
 * Converts a request to HTTP/1.1 form: without pseudo-headers (RFC 9113 §8.3), with `:authority` as
 * `host`, and with a socket that can be read after its session has ended. HTTP/1.1 requests are
 * returned unchanged, except that missing raw headers are added, because serverless adapters omit
 * them.
 */
export function likeHttp1(request: IncomingMessage): IncomingMessage {
  if (!isHttp2(request)) return request.rawHeaders.length === 0 ? withRawHeaders(request) : request;
  const rawHeaders = withHost(request);
  const headers: IncomingHttpHeaders = { ...request.headers, host: rawHeaders[1] };
  for (const name of Object.keys(headers)) if (name.startsWith(':')) delete headers[name];
  // Other properties are inherited from the request.
  return Object.create(request, {
    headers: { value: headers },
    rawHeaders: { value: rawHeaders },
    socket: { value: socketOf(request) },
  }) as IncomingMessage;
}

function withRawHeaders(request: IncomingMessage): IncomingMessage {
  const rawHeaders = Object.entries(request.headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((each) => [name, String(each)]),
  );
  return Object.create(request, { rawHeaders: { value: rawHeaders } }) as IncomingMessage;
}

/** Returns alternating names and values, starting with the host. */
function withHost({ headers, rawHeaders }: IncomingMessage): string[] {
  const own = ['host', String(headers.host ?? headers[':authority'] ?? '')];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (!name.startsWith(':') && name !== 'host') own.push(name, rawHeaders[i + 1] as string);
  }
  return own;
}

/** Returns true if the client can no longer receive a response. */
export function isGone(response: ServerResponse): boolean {
  return response.destroyed || (response as Http2Response).stream?.destroyed === true;
}

/** Returns true if the client reads more slowly than data is written. */
export function isBehind(response: ServerResponse): boolean {
  return isHttp2(response.req)
    ? response.writableLength >= response.writableHighWaterMark
    : response.writableNeedDrain;
}

/** In the compatibility API, `stream` replaces some of the properties of HTTP/1.1. */
type Http2Response = ServerResponse & { readonly stream?: { readonly destroyed: boolean } };

/**
 * Returns the real socket of an HTTP/2 request. Node exposes a proxy of the socket, which throws
 * once the session has ended. Methods of the proxy run on the real socket, so `off()` returns the
 * real socket.
 */
function socketOf({ socket }: IncomingMessage): Socket {
  return socket.off('close', ignore);
}

function ignore(): void {}
