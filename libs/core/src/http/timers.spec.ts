import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LONGEST_TIMER_MS, resolvesWithin, withDeadline } from './timers.js';

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

const late = () => new Error('late');

describe('resolvesWithin', () => {
  it('waits for the longest time of a timer if the time is longer', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    await expect(resolvesWithin(Promise.resolve(), Infinity)).resolves.toBe(true);
    expect(timers.mock.calls.at(-1)?.[1]).toBe(LONGEST_TIMER_MS);
    timers.mockRestore();
  });

  it('returns false after the deadline, and then ignores a rejection', async () => {
    let fail = (_error: Error): void => undefined;
    const work = new Promise((_resolve, reject) => (fail = reject));
    await expect(resolvesWithin(work, 5)).resolves.toBe(false);
    fail(new Error('too late to be unhandled'));
    await new Promise(setImmediate);
  });
});

describe('withDeadline', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('passes on what the work gives or throws', async () => {
    await expect(withDeadline(Promise.resolve(1), 50, late)).resolves.toBe(1);
    await expect(withDeadline(Promise.reject(new Error('own')), 50, late)).rejects.toThrow('own');
  });

  it('gives up after the time allowed, and not before', async () => {
    const failed = jest.fn();
    const waiting = withDeadline(new Promise(() => undefined), 30, late).catch(failed);
    await jest.advanceTimersByTimeAsync(29);
    expect(failed).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    await waiting;
    expect(failed).toHaveBeenCalledWith(new Error('late'));
  });

  it('leaves no timer behind', async () => {
    await withDeadline(Promise.resolve(), 10_000, late);
    expect(jest.getTimerCount()).toBe(0);
  });
});
