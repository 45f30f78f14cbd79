import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { headerPairs } from '../call/forwarded-headers.js';

// The differences between requests and responses of HTTP/1.1 and HTTP/2.

/**
 * Returns a request in HTTP/1.1 form. Changes to an HTTP/2 request: pseudo-headers are removed (RFC
 * 9113 §8.3), `:authority` becomes `host`, and the socket stays readable after its HTTP/2 session
 * has ended. An HTTP/1.1 request changes only if raw headers are missing, for example with a
 * serverless adapter.
 */
export function likeHttp1(request: IncomingMessage): IncomingMessage {
  if (!isHttp2(request)) return request.rawHeaders.length === 0 ? withRawHeaders(request) : request;
  const rawHeaders = withHost(request);
  const headers: IncomingHttpHeaders = { ...request.headers, host: rawHeaders[1] };
  for (const name of Object.keys(headers)) if (name.startsWith(':')) delete headers[name];
  // The new object inherits all other properties from the request.
  return Object.create(request, {
    headers: { value: headers },
    rawHeaders: { value: rawHeaders },
    socket: { value: socketOf(request) },
  }) as IncomingMessage;
}

/** Such a request has the HTTP/1.1 compatibility API of Node.js. */
export function isHttp2({ httpVersionMajor }: IncomingMessage): boolean {
  return httpVersionMajor >= 2;
}

function withRawHeaders(request: IncomingMessage): IncomingMessage {
  const rawHeaders = Object.entries(request.headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((each) => [name, String(each)]),
  );
  return Object.create(request, { rawHeaders: { value: rawHeaders } }) as IncomingMessage;
}

/** The first header is `host`. */
function withHost({ headers, rawHeaders }: IncomingMessage): string[] {
  const host = String(headers.host ?? headers[':authority'] ?? '');
  const others = headerPairs(rawHeaders).filter(
    ([name]) => !name.startsWith(':') && name !== 'host',
  );
  return ['host', host, ...others.flat()];
}

/** Returns true if the client cannot receive a response anymore. */
export function isGone(response: ServerResponse): boolean {
  return response.destroyed || (response as Http2Response).stream?.destroyed === true;
}

export function isBehind(response: ServerResponse): boolean {
  return isHttp2(response.req)
    ? response.writableLength >= response.writableHighWaterMark
    : response.writableNeedDrain;
}

/** `stream` replaces some properties of an HTTP/1.1 response. */
type Http2Response = ServerResponse & { readonly stream?: { readonly destroyed: boolean } };

/**
 * `request.socket` is a proxy that throws an error after the HTTP/2 session has ended. The proxy
 * runs methods on the real socket, so `off()` returns the real socket.
 */
function socketOf({ socket }: IncomingMessage): Socket {
  return socket.off('close', ignore);
}

function ignore(): void {}

/**
 * Calls `callback` once: when the response is complete, or when the client has disconnected. With
 * pipelining, a response may wait behind another response. If the connection then ends, the waiting
 * response emits no `close`, so the `close` of the socket is also used. HTTP/2 has no pipelining,
 * and its responses always emit `close`. Serverless adapters have no socket with events, and some
 * of their responses emit only `finish`.
 */
export function onceClosed(response: ServerResponse, callback: () => void): void {
  if (isHttp2(response.req)) {
    response.once('close', callback);
    return;
  }
  const socket = response.req.socket as Socket | Partial<Socket> | undefined;
  if (typeof socket?.once !== 'function') {
    const over = () => {
      response.off('close', over);
      response.off('finish', over);
      callback();
    };
    response.on('close', over);
    response.on('finish', over);
    return;
  }
  const waiting = waitingOn(socket as Socket);
  const closed = () => {
    waiting.delete(closed);
    response.off('close', closed);
    callback();
  };
  waiting.add(closed);
  response.on('close', closed);
}

const WAITING = Symbol('fledge:waiting');

type WatchedSocket = Socket & { [WAITING]?: Set<() => void> };

/** All callbacks share one listener, because Node.js warns about more than ten listeners. */
function waitingOn(socket: WatchedSocket): Set<() => void> {
  return (socket[WAITING] ??= watched(socket));
}

function watched(socket: Socket): Set<() => void> {
  const waiting = new Set<() => void>();
  socket.once('close', () => {
    for (const closed of waiting) closed();
  });
  return waiting;
}
