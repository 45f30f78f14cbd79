/** The longest delay of a timer, in milliseconds: 24 days. Node.js runs a timer with a longer delay at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;
