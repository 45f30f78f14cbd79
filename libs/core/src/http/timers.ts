/**
 * The longest delay of a timer, in milliseconds: 24 days. Node.js fires a timer with a longer delay
 * immediately.
 */
export const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Waits for a promise until a deadline. After the deadline, the work itself continues.
 * @param late creates the timeout error
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
