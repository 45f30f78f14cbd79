import { describe, expect, it } from '@jest/globals';
import { reclaimable, secondsToReclaim } from './session-limit.js';

const session = (name: string, idleSince?: number) => ({ name, idleSince });

describe('reclaimable', () => {
  it('is the session that has been idle the longest, wherever it stands', () => {
    const sessions = [session('b', 2_000), session('a', 1_000), session('c', 3_000)];
    expect(reclaimable(sessions, 5_000, 10_000)?.name).toBe('a');
    expect(reclaimable(sessions.toReversed(), 5_000, 10_000)?.name).toBe('a');
  });

  it('is none before the time is up, and one at that very moment', () => {
    const sessions = [session('a', 1_000)];
    expect(reclaimable(sessions, 60_000, 60_999)).toBeUndefined();
    expect(reclaimable(sessions, 60_000, 61_000)?.name).toBe('a');
  });

  it('is never one in use', () => {
    expect(reclaimable([session('a')], 1, 1e9)).toBeUndefined();
    expect(reclaimable([session('a'), session('b', 0)], 1, 1e9)?.name).toBe('b');
    expect(reclaimable([], 1, 1e9)).toBeUndefined();
  });
});

describe('secondsToReclaim', () => {
  it('tells when the first place may come free, in whole seconds', () => {
    expect(secondsToReclaim([session('a', 1_000), session('b', 2_000)], 60_000, 11_500)).toBe(50);
    expect(secondsToReclaim([session('a', 0)], 60_000, 59_999)).toBe(1);
    expect(secondsToReclaim([session('a', 0)], 60_000, 99_999)).toBe(1);
  });

  it('takes a session in use as one that falls idle now', () => {
    expect(secondsToReclaim([session('a')], 60_000, 5_000)).toBe(60);
    expect(secondsToReclaim([session('a'), session('b', 4_000)], 60_000, 5_000)).toBe(59);
  });
});
