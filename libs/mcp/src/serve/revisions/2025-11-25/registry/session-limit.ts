/** The property of a session that these functions use. */
export interface Occupant {
  /**
   * Time when the session became idle, in milliseconds of one clock. Undefined while it is in use.
   */
  readonly idleSince: number | undefined;
}

interface SessionLimits {
  readonly max: number;
  /** A session that has been idle this many milliseconds may be ended for a new one. */
  readonly reclaimAfterMs: number;
}

/** Whether one more session may open. */
export type Room<Session> =
  | { readonly isFree: true; readonly evicted: Session | undefined }
  | { readonly isFree: false; readonly retryAfter: number };

/**
 * Finds room for one more session. If the limit is reached, the session that has been idle longest
 * must end first. If no session has been idle long enough, `retryAfter` is the number of seconds
 * until one may have been, at least 1.
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

/** Returns the session that has been idle longest, if that is at least `afterMs`. */
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

/** A session in use is treated as idle from now on. */
function secondsToReclaim(sessions: readonly Occupant[], afterMs: number, now: number): number {
  const soonest = Math.min(...sessions.map(({ idleSince = now }) => idleSince + afterMs - now));
  return Math.max(1, Math.ceil(soonest / 1_000));
}
