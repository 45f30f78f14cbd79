/** The longest delay of a timer, in milliseconds: 24 days. Node.js runs a timer with a longer delay at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Waits for a promise, at most for a time. The work itself is not stopped.
 * @param late makes the error of a time-out
 */
export async function withDeadline<T>(
  work: Promise<T>,
  milliseconds: number,
  late: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
