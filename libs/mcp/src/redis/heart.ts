/**
 * Milliseconds between two heartbeats. A process without a heartbeat for ten seconds is considered
 * dead, and its sessions and tasks are released.
 */
const BEAT_MS = 2_000;
const BOOT_WAIT_MS = 1_000;

/** The functions that keep a process registered in Redis. */
export interface Beating {
  /** Connects to Redis. Calls `ready` after each connect and reconnect. */
  readonly connect: (ready: () => void) => void;
  /** Runs after each connect and reconnect. Must not reject. */
  readonly begin: () => Promise<void>;
  readonly beat: () => void;
}

/**
 * Connects and starts the heartbeat. Waits at most one second for Redis, because the application
 * must also start without it.
 * @returns the timer of the heartbeat
 */
export async function startHeart({ connect, begin, beat }: Beating): Promise<NodeJS.Timeout> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, BOOT_WAIT_MS);
    connect(() => void begin().then(() => resolve()));
  });
  clearTimeout(timer);
  return setInterval(beat, BEAT_MS).unref();
}
