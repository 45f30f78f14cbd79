import type { ServerResponse } from 'node:http';
import { isHttp2 } from './http2.js';

/**
 * Calls back once, when a response is done with or its caller is gone. A response that waits behind
 * another on its connection (pipelining) has no `close` of its own when the connection ends, so the
 * socket is asked as well. HTTP/2 has no such waiting, and a response of it always closes.
 */
export function onceClosed(response: ServerResponse, callback: () => void): void {
  if (isHttp2(response.req)) {
    response.once('close', callback);
    return;
  }
  const { socket } = response.req;
  const closed = () => {
    socket.off('close', closed);
    response.off('close', closed);
    callback();
  };
  socket.on('close', closed);
  response.on('close', closed);
}
