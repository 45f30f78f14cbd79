/** Time between two heartbeats. What belongs to a process without any for ten seconds counts as left behind. */
const BEAT_MS = 2_000;
const BOOT_WAIT_MS = 1_000;

/** What a process does to stay known to the others. */
export interface Beating {
  /** Connects to Redis. Calls `ready` each time that it is connected. */
  readonly connect: (ready: () => void) => void;
  /** Runs when it is connected, now or again. Does not reject. */
  readonly begin: () => Promise<void>;
  readonly beat: () => void;
}

/**
 * Connects, and beats from then on. Waits for Redis for a second at most: the application also starts without it.
 * @returns the timer that beats
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
