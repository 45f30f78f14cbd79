import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_WAIT_MS } from './longest-wait.js';

/**
 * Waits for a condition. Fails after LONGEST_WAIT_MS.
 * @param what the expected event, for the message of the failure
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string) = () => condition.toString(),
): Promise<void> {
  const end = performance.now() + LONGEST_WAIT_MS;
  while (!(await condition())) {
    if (performance.now() > end) {
      const missing = typeof what === 'string' ? what : what();
      throw new Error(`Still not true after ${LONGEST_WAIT_MS} ms: ${missing}`);
    }
    await sleep(5);
  }
}
