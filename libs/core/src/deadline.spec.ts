import { describe, expect, it } from '@jest/globals';
import { withDeadline } from './deadline.js';

const late = () => new Error('late');

describe('withDeadline', () => {
  it('passes on what the work gives or throws', async () => {
    await expect(withDeadline(Promise.resolve(1), 50, late)).resolves.toBe(1);
    await expect(withDeadline(Promise.reject(new Error('own')), 50, late)).rejects.toThrow('own');
  });

  it('gives up after the time allowed, and not before', async () => {
    const start = performance.now();
    await expect(withDeadline(new Promise(() => undefined), 30, late)).rejects.toThrow('late');
    expect(performance.now() - start).toBeGreaterThan(28);
  });

  it('leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((it) => it === 'Timeout').length;
    const before = timers();
    await withDeadline(Promise.resolve(), 10_000, late);
    expect(timers()).toBe(before);
  });
});
