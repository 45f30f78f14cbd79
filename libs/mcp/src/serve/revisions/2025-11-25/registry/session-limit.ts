export interface Occupant {
  /**
   * Time at which the session became idle, in milliseconds on the same clock as `now`. Undefined
   * while the session is in use.
   */
  readonly idleSince: number | undefined;
}

interface SessionLimits {
  readonly max: number;
  /** Idle time in milliseconds after which a session may be ended to make room for a new one. */
  readonly reclaimAfterMs: number;
}

/** The result of the search for room. `evicted` is the session to end first. */
export type Room<Session> =
  | { readonly isFree: true; readonly evicted: Session | undefined }
  | { readonly isFree: false; readonly retryAfter: number };

/**
 * If the limit is reached, the session that has been idle longest must end first. If none has been
 * idle long enough, `retryAfter` is the number of seconds until one may be, at least 1. A session
 * in use is treated as idle from now on.
 */
export function findRoom<Session extends Occupant>(
  sessions: Iterable<Session>,
  size: number,
  { max, reclaimAfterMs }: SessionLimits,
  now: number,
): Room<Session> {
  if (size < max) return { isFree: true, evicted: undefined };
  const longest = findLongestIdle(sessions);
  const idleMs = now - (longest?.idleSince ?? now);
  if (longest && idleMs >= reclaimAfterMs) return { isFree: true, evicted: longest };
  return {
    isFree: false,
    retryAfter: Math.max(1, Math.ceil((reclaimAfterMs - idleMs) / 1_000)),
  };
}

function findLongestIdle<Session extends Occupant>(
  sessions: Iterable<Session>,
): Session | undefined {
  let longest: Session | undefined;
  let since = Infinity;
  for (const session of sessions) {
    if (session.idleSince === undefined || session.idleSince >= since) continue;
    longest = session;
    since = session.idleSince;
  }
  return longest;
}
