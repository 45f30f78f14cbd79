import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Whether a request came by HTTP/2: Node then gives its compatibility API for that of HTTP/1.1. */
export function isHttp2({ httpVersionMajor }: IncomingMessage): boolean {
  return httpVersionMajor >= 2;
}

/**
 * A request as HTTP/1.1 has it: pseudo-headers (RFC 9113 §8.3) left out, `:authority` as `host`, and a
 * socket that can be read after its session has ended. Requests of HTTP/1.1 are returned as they are.
 */
export function likeHttp1(request: IncomingMessage): IncomingMessage {
  if (!isHttp2(request)) return request;
  const rawHeaders = withHost(request);
  const headers: IncomingHttpHeaders = { ...request.headers, host: rawHeaders[1] };
  for (const name of Object.keys(headers)) if (name.startsWith(':')) delete headers[name];
  // What else is asked of it, the request itself answers.
  return Object.create(request, {
    headers: { value: headers },
    rawHeaders: { value: rawHeaders },
    socket: { value: socketOf(request) },
  }) as IncomingMessage;
}

/** Names and values in turn, first the host. */
function withHost({ headers, rawHeaders }: IncomingMessage): string[] {
  const own = ['host', String(headers.host ?? headers[':authority'] ?? '')];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (!name.startsWith(':') && name !== 'host') own.push(name, rawHeaders[i + 1] as string);
  }
  return own;
}

/** Whether the client can no longer be answered. */
export function isGone(response: ServerResponse): boolean {
  return response.destroyed || (response as Http2Response).stream?.destroyed === true;
}

/** Whether the client reads slower than it is written to. */
export function isBehind(response: ServerResponse): boolean {
  return isHttp2(response.req)
    ? response.writableLength >= response.writableHighWaterMark
    : response.writableNeedDrain;
}

/** The compatibility API has a stream instead of some of the properties of HTTP/1.1. */
type Http2Response = ServerResponse & { readonly stream?: { readonly destroyed: boolean } };

/**
 * The socket behind the one that Node shows of an HTTP/2 session, which throws once the session has
 * ended. Its methods run on the socket itself, and `off` returns what it runs on.
 */
function socketOf({ socket }: IncomingMessage): Socket {
  return socket.off('close', ignore);
}

function ignore(): void {}
