import type { jest } from '@jest/globals';

type FakeTimers = NonNullable<Parameters<typeof jest.useFakeTimers>[0]>;

const CLOCKS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
] as const;

const TIMERS = {
  setInterval: ['setInterval', 'clearInterval'],
  setTimeout: ['setTimeout', 'clearTimeout'],
} as const;

/**
 * Options of `jest.useFakeTimers` that fake one kind of timer and nothing else: sockets and clients,
 * which run in the same process, need the others.
 */
export function fakeOnly(timer: keyof typeof TIMERS): FakeTimers {
  const real = Object.entries(TIMERS).filter(([name]) => name !== timer);
  return { doNotFake: [...CLOCKS, ...real.flatMap(([, functions]) => functions)] };
}
