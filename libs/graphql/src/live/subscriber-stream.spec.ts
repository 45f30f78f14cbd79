import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ExecutionResult } from 'graphql';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { SubscriberStream, type Within } from './subscriber-stream.js';

afterEach(() => void jest.restoreAllMocks());

const store = new AsyncLocalStorage<string>();
const mine: Within = (run) => store.run('mine', run);
const event = (n: number): ExecutionResult => ({ data: { n } });

function streamOf(source: AsyncIterable<ExecutionResult>) {
  const endings: unknown[] = [];
  const stream = new SubscriberStream(source, mine, (failure) => endings.push(failure));
  return { stream, endings };
}

describe('SubscriberStream', () => {
  it('runs each step of its source in the context of the operation', async () => {
    const seen: unknown[] = [];
    const see = () => seen.push(store.getStore());
    const source = {
      [Symbol.asyncIterator]: () => (see(), source),
      next: () => (see(), Promise.resolve({ done: false, value: event(1) })),
      return: () => (see(), Promise.resolve({ done: true as const, value: undefined })),
    };
    await store.run('other', async () => {
      const { stream } = streamOf(source);
      expect(await stream.next()).toEqual({ done: false, value: event(1) });
      await stream.return();
      expect(store.getStore()).toBe('other');
    });
    expect(seen).toEqual(['mine', 'mine', 'mine']);
  });

  it('ends once with its source', async () => {
    const { stream, endings } = streamOf(
      (async function* () {
        yield await Promise.resolve(event(1));
      })(),
    );
    const read = [];
    for await (const each of stream) read.push(each);
    expect(read).toEqual([event(1)]);
    await stream.return();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(endings).toEqual([undefined]);
  });

  it('ends when its reader leaves, also while the source waits', async () => {
    let cleaned = false;
    let wake!: () => void;
    const { stream, endings } = streamOf(
      (async function* () {
        try {
          await new Promise<void>((resolve) => (wake = resolve));
          yield event(1);
        } finally {
          cleaned = true;
        }
      })(),
    );
    const reading = stream.next();
    await turn();
    expect(await stream.return()).toEqual({ done: true, value: undefined });
    expect(await reading).toEqual({ done: true, value: undefined });
    expect([endings, cleaned]).toEqual([[undefined], false]);
    wake();
    await turn();
    expect(cleaned).toBe(true);
  });

  it('passes on an error of the source, and ends', async () => {
    const failure = new Error('broken');
    const { stream, endings } = streamOf({
      [Symbol.asyncIterator]: () => ({
        next: () => {
          throw failure;
        },
      }),
    });
    await expect(stream.next()).rejects.toBe(failure);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(endings).toEqual([failure]);
  });

  it('logs an error of the source after the reader has left', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const { stream } = streamOf({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: () => Promise.reject(new Error('clean-up failed')),
      }),
    });
    await stream.return();
    await turn();
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('clean-up failed'));
  });
});
