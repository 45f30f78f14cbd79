import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { callHook } from './call-hook.js';

describe('callHook', () => {
  it('executes a returned query builder, which starts when `then` is called', async () => {
    const run = jest.fn((done: (value: unknown) => void) => done(undefined));
    callHook(() => ({ then: run }));
    await new Promise(setImmediate);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it.each<[string, () => unknown]>([
    [
      'an error',
      () => {
        throw new Error('of the hook');
      },
    ],
    ['a rejection', () => Promise.reject(new Error('of the hook'))],
    [
      'the rejection of a query builder',
      () => ({
        then: (_: unknown, fail: (error: Error) => void) => fail(new Error('of the hook')),
      }),
    ],
  ])('logs %s', async (_, call) => {
    const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    callHook(call);
    await new Promise(setImmediate);
    expect(log.mock.calls).toEqual([[new Error('of the hook')]]);
    log.mockRestore();
  });

  it.each([undefined, null, 1, {}])('accepts the result %p', (result) => {
    expect(() => callHook(() => result)).not.toThrow();
  });
});
