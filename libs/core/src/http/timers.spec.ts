import { describe, expect, it } from '@jest/globals';
import { LONGEST_TIMER_MS } from './timers.js';

const firesSoon = (delay: number) =>
  new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(true), delay);
    setTimeout(() => {
      clearTimeout(timer);
      resolve(false);
    }, 50);
  });

describe('LONGEST_TIMER_MS', () => {
  it('is the longest delay that Node.js waits for', async () => {
    await expect(firesSoon(LONGEST_TIMER_MS)).resolves.toBe(false);
    await expect(firesSoon(LONGEST_TIMER_MS + 1)).resolves.toBe(true);
  });
});
