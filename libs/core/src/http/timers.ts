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
  if (await resolvesWithin(work, milliseconds)) return work;
  throw late();
}

/**
 * Waits for a promise until a deadline. After the deadline, the work itself continues.
 * @returns false after the deadline
 * @throws the error of the work, if it rejects before the deadline
 */
export async function resolvesWithin(
  work: Promise<unknown>,
  milliseconds: number,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(milliseconds, LONGEST_TIMER_MS));
  });
  try {
    return await Promise.race([work.then(() => true), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
