import { once } from 'node:events';
import type { WebSocket, WebSocketServer } from 'ws';

/** Milliseconds between two signs of life; who gave none in between is taken for gone. */
const HEARTBEAT_MS = 12_000;

/** Pings all sockets for ever, and ends those that do not answer. The result stops it. */
export function watchOver({ clients }: WebSocketServer): () => void {
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
 * Closes all sockets with 1001 (RFC 6455 §7.4.1, going away) and waits for their clients to answer;
 * those that have not by then are cut off.
 */
export async function sayGoodbye(
  { clients }: WebSocketServer,
  gracePeriodMs: number,
): Promise<void> {
  const leaving = [...clients];
  const gone = leaving.map((client) => once(client, 'close'));
  for (const client of leaving) client.close(1001, 'Going away');
  const patience = setTimeout(() => leaving.forEach((it) => it.terminate()), gracePeriodMs);
  await Promise.allSettled(gone);
  clearTimeout(patience);
}
