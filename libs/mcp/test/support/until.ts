import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition; fails after a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('The condition did not come true.');
    await sleep(10);
  }
}
