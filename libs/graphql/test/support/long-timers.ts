import { jest } from '@jest/globals';

const HOUR = 3_600_000;

/**
 * Runs work during which timers of 10 seconds or more do not fire, such as those with which ws and Apollo end what they
 * wait for. Work that needs one of them hangs until the test fails.
 */
export async function withoutLongTimers(work: () => Promise<unknown>): Promise<void> {
  const { setTimeout: real } = globalThis;
  const timers = jest.spyOn(globalThis, 'setTimeout');
  timers.mockImplementation((run: () => void, ms = 0, ...args: []) =>
    ms < 10_000 ? real(run, ms, ...args) : real(run, HOUR, ...args).unref(),
  );
  try {
    await work();
  } finally {
    timers.mockRestore();
  }
}
