import { once } from 'node:events';
import type { WebSocket, WebSocketServer } from 'ws';

/** Milliseconds between two pings. A socket that does not answer one is closed at the next. */
const HEARTBEAT_MS = 12_000;

/** Pings sockets regularly and terminates those that do not answer. Returns a function that stops it. */
export function closeSilentSockets({ clients }: WebSocketServer): () => void {
  const silent = new WeakSet<WebSocket>();
  const beat = setInterval(() => {
    for (const client of clients) {
      if (silent.has(client)) client.terminate();
      else if (client.readyState === client.OPEN) {
        silent.add(client);
        client.once('pong', () => silent.delete(client));
        client.ping();
      }
    }
  }, HEARTBEAT_MS);
  return () => clearInterval(beat);
}

/**
 * Closes all sockets with 1001 (RFC 6455 §7.4.1, going away) and waits for their clients to answer.
 * Terminates those that do not answer within the grace period.
 */
export async function closeSockets(
  { clients }: WebSocketServer,
  gracePeriodMs: number,
): Promise<void> {
  const closing = [...clients];
  const closed = closing.map((client) => once(client, 'close'));
  for (const client of closing) client.close(1001, 'Going away');
  const timer = setTimeout(() => closing.forEach((it) => it.terminate()), gracePeriodMs);
  await Promise.allSettled(closed);
  clearTimeout(timer);
}
