import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers an upgrade with an HTTP status and closes the connection. There is no WebSocket to close yet. */
export function refuseUpgrade(socket: Duplex, status: 403 | 404 | 503): void {
  const text = STATUS_CODES[status] ?? '';
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\n` +
      'Connection: close\r\n' +
      'Content-Type: text/plain; charset=utf-8\r\n' +
      `Content-Length: ${text.length}\r\n\r\n${text}`,
  );
}
