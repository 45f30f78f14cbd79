import { type EventEmitter, once } from 'node:events';

/** Waits until connections have closed. Cuts those that are still open after the grace period. */
export async function untilClosed<Connection extends EventEmitter>(
  open: readonly Connection[],
  gracePeriodMs: number,
  cut: (connection: Connection) => void,
): Promise<void> {
  const timer = setTimeout(() => open.forEach(cut), gracePeriodMs);
  await Promise.allSettled(open.map((connection) => once(connection, 'close')));
  clearTimeout(timer);
}
