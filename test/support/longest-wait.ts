/** How long tests wait for what must happen. Only failures take this long, so no test fails because a machine is busy. */
export const LONGEST_WAIT_MS = 250_000;
