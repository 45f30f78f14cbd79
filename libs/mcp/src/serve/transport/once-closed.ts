import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isHttp2 } from './http2.js';

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
