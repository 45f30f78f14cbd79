/** The property of a session that this file needs. */
export interface Occupant {
  /**
   * Time at which the session became idle, in milliseconds on the same clock as `now`. Undefined
   * while the session is in use.
   */
  readonly idleSince: number | undefined;
}

interface SessionLimits {
  readonly max: number;
  /**
   * Idle time in milliseconds after which a session may be ended to make room for a new session.
   */
  readonly reclaimAfterMs: number;
}

/** The result of the search for room. `evicted` is the session to end first. */
export type Room<Session> =
  | { readonly isFree: true; readonly evicted: Session | undefined }
  | { readonly isFree: false; readonly retryAfter: number };

/**
 * Checks if a new session may open. If the limit is reached, the session with the longest idle time
 * must end first. If no session has been idle long enough, `retryAfter` is the number of seconds to
 * wait for such a session. It is at least 1.
 */
export function findRoom<Session extends Occupant>(
  sessions: readonly Session[],
  { max, reclaimAfterMs }: SessionLimits,
  now: number,
): Room<Session> {
  if (sessions.length < max) return { isFree: true, evicted: undefined };
  const evicted = findReclaimable(sessions, reclaimAfterMs, now);
  if (evicted) return { isFree: true, evicted };
  return { isFree: false, retryAfter: secondsToReclaim(sessions, reclaimAfterMs, now) };
}

/**
 * Returns the session with the longest idle time. Returns undefined if that time is less than
 * `afterMs`.
 */
function findReclaimable<Session extends Occupant>(
  sessions: readonly Session[],
  afterMs: number,
  now: number,
): Session | undefined {
  let longest: Session | undefined;
  let since = Infinity;
  for (const session of sessions) {
    if (session.idleSince === undefined || session.idleSince >= since) continue;
    longest = session;
    since = session.idleSince;
  }
  return now - since >= afterMs ? longest : undefined;
}

/** Returns the seconds until a session may end. A session in use counts as idle from now on. */
function secondsToReclaim(sessions: readonly Occupant[], afterMs: number, now: number): number {
  const soonest = Math.min(...sessions.map(({ idleSince = now }) => idleSince + afterMs - now));
  return Math.max(1, Math.ceil(soonest / 1_000));
}
