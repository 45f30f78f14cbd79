import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for a condition. Fails after a minute, so that only failures wait that long.
 * @param what is missing, for the failure
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string) = () => condition.toString(),
): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await condition())) {
    if (performance.now() > end) {
      const missing = typeof what === 'string' ? what : what();
      throw new Error(`Still not true after a minute: ${missing}`);
    }
    await sleep(5);
  }
}
