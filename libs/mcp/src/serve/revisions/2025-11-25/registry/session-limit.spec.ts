import { describe, expect, it } from '@jest/globals';
import { findRoom } from './session-limit.js';

const session = (name: string, idleSince?: number) => ({ name, idleSince });
type Sessions = readonly ReturnType<typeof session>[];

/** Asks for room where the limit is reached. */
const roomAmong = (sessions: Sessions, reclaimAfterMs: number, now: number) =>
  findRoom(sessions, sessions.length, { max: sessions.length, reclaimAfterMs }, now);
const evict = (sessions: Sessions, reclaimAfterMs: number, now: number) => {
  const room = roomAmong(sessions, reclaimAfterMs, now);
  return room.isFree ? room.evicted?.name : undefined;
};

describe('findRoom', () => {
  it('ends no session below the limit', () => {
    const limits = { max: 2, reclaimAfterMs: 1 };
    expect(findRoom([], 0, limits, 1e9)).toEqual({ isFree: true, evicted: undefined });
    expect(findRoom([session('a', 0)], 1, limits, 1e9)).toEqual({
      isFree: true,
      evicted: undefined,
    });
  });

  it('ends the session that has been idle the longest, wherever it stands', () => {
    const sessions = [session('b', 2_000), session('a', 1_000), session('c', 3_000)];
    expect(evict(sessions, 5_000, 10_000)).toBe('a');
    expect(evict(sessions.toReversed(), 5_000, 10_000)).toBe('a');
  });

  it('ends none before the time is up, and one at that very moment', () => {
    const sessions = [session('a', 1_000)];
    expect(roomAmong(sessions, 60_000, 60_999)).toEqual({ isFree: false, retryAfter: 1 });
    expect(evict(sessions, 60_000, 61_000)).toBe('a');
  });

  it('ends none in use', () => {
    expect(roomAmong([session('a')], 1, 1e9).isFree).toBe(false);
    expect(evict([session('a'), session('b', 0)], 1, 1e9)).toBe('b');
  });

  it('tells when the first place may come free, in whole seconds', () => {
    const wait = (sessions: Sessions, now: number) => roomAmong(sessions, 60_000, now);
    expect(wait([session('a', 1_000), session('b', 2_000)], 11_500)).toMatchObject({
      retryAfter: 50,
    });
    expect(wait([session('a', 0)], 59_999)).toMatchObject({ retryAfter: 1 });
  });

  it('takes a session in use as one that falls idle now', () => {
    const wait = (sessions: Sessions) => roomAmong(sessions, 60_000, 5_000);
    expect(wait([session('a')])).toMatchObject({ retryAfter: 60 });
    expect(wait([session('a'), session('b', 4_000)])).toMatchObject({ retryAfter: 59 });
  });
});
