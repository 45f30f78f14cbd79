import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition. Fails after a minute, so that only failures wait that long. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what = condition.toString(),
): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Still not true after a minute: ${what}`);
    await sleep(5);
  }
}
