import { resolvesWithin } from '@fledge/core/packages';

/**
 * Milliseconds between two heartbeats. A process that sent no heartbeat for ten seconds is
 * considered dead. The sessions and tasks of a dead process are released.
 */
const BEAT_MS = 2_000;
const BOOT_WAIT_MS = 1_000;

/** Functions that keep a process registered in Redis. */
export interface Beating {
  /** Connects to Redis. Calls `ready` after each connect and reconnect. */
  readonly connect: (ready: () => void) => void;
  /** Runs after each connect and reconnect. Must not reject. */
  readonly begin: () => Promise<void>;
  readonly beat: () => void;
}

/**
 * Connects and starts the heartbeat. Waits at most one second for Redis: the application must start
 * even if Redis is down.
 * @returns the timer of the heartbeat
 */
export async function startHeartbeat({ connect, begin, beat }: Beating): Promise<NodeJS.Timeout> {
  const begun = new Promise<void>((resolve) => {
    connect(() => void begin().then(() => resolve()));
  });
  await resolvesWithin(begun, BOOT_WAIT_MS);
  return setInterval(beat, BEAT_MS).unref();
}
