/**
 * Maximum time that tests wait for an event that must happen. Only failures take this long, so no
 * test fails because a machine is busy.
 */
export const LONGEST_WAIT_MS = 250_000;
