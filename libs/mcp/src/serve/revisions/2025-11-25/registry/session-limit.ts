/** The property of a session that these functions use. */
export interface Occupant {
  /**
   * Time when the session became idle, in milliseconds of one clock. Undefined while it is in use.
   */
  readonly idleSince: number | undefined;
}

/** Returns the session that has been idle longest, if that is at least `afterMs`. */
export function reclaimable<Session extends Occupant>(
  sessions: Iterable<Session>,
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

/**
 * Returns the seconds until the first session can be reclaimed, at least 1. A session in use is
 * treated as idle from now on.
 */
export function secondsToReclaim(
  sessions: Iterable<Occupant>,
  afterMs: number,
  now: number,
): number {
  let soonest = afterMs;
  for (const { idleSince = now } of sessions) {
    soonest = Math.min(soonest, idleSince + afterMs - now);
  }
  return Math.max(1, Math.ceil(soonest / 1_000));
}
