import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isHttp2 } from './http2.js';

/**
 * Calls `callback` once, when a response is complete or its client has disconnected. A response
 * that waits behind another response on its connection (pipelining) emits no `close` when the
 * connection ends, so the socket's `close` is also used. HTTP/2 has no pipelining, and its
 * responses always emit `close`. Serverless adapters have no socket with events, and some emit no
 * `close`.
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

/**
 * Callbacks waiting for a socket to close. The callbacks share one listener, because Node logs a
 * warning about more than ten listeners.
 */
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
