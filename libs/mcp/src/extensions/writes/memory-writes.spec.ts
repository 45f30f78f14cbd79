import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { callerOf, localOrigin } from '../../serve/call/caller.js';
import type { Peer } from '../../serve/call/peer.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import { MemoryWrites } from './memory-writes.js';
import { type KeyedCall, Repeats } from './repeats.js';

afterEach(() => {
  jest.restoreAllMocks();
});

function passTime(ms: number): void {
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now + ms);
}

describe('MemoryWrites', () => {
  it('knows a call until its time is over', async () => {
    const writes = new MemoryWrites(() => undefined);
    const write = { args: { a: '1' } };
    expect(await writes.begin('k', write, 1_000)).toBeUndefined();
    expect(await writes.begin('k', write, 1_000)).toEqual({ write, isRunning: true });
    await writes.end('k', { ...write, answer: {} }, 1_000);
    expect(await writes.find('k')).toEqual({ write: { ...write, answer: {} }, isRunning: false });
    passTime(1_001);
    expect(await writes.find('k')).toBeUndefined();
    expect(await writes.begin('k', write, 1_000)).toBeUndefined();
    await writes.free('k');
    expect(await writes.find('k')).toBeUndefined();
  });

  it('knows a running call after its time', async () => {
    const writes = new MemoryWrites(() => undefined);
    const write = { args: {} };
    await writes.begin('k', write, 1_000);
    passTime(1_001);
    expect(await writes.begin('k', write, 1_000)).toEqual({ write, isRunning: true });
    for (let i = 0; i < 10_000; i++) await writes.end(`${i}`, write, 1_000);
    expect(await writes.find('k')).toEqual({ write, isRunning: true });
    await writes.end('k', write, 1_000);
    passTime(1_001);
    expect(await writes.find('k')).toBeUndefined();
  });

  it('forgets the oldest responses if all of them exceed 64 MiB', async () => {
    const forgotten = jest.fn();
    const writes = new MemoryWrites(forgotten);
    const answer = { text: 'x'.repeat(10_000_000) };
    await writes.begin('running', { args: {} }, 1_000);
    for (const key of 'abcdefgh') {
      await writes.begin(key, { args: {} }, 1_000);
      await writes.end(key, { args: {}, answer }, 1_000);
    }
    const known = await Promise.all(['running', ...'abcdefgh'].map((key) => writes.find(key)));
    expect(known.map((each) => each !== undefined)).toEqual([
      ...[true, false, false],
      ...[true, true, true, true, true, true],
    ]);
    expect(forgotten).toHaveBeenCalledTimes(2);
    await writes.free('h');
    await writes.end('i', { args: {}, answer }, 1_000);
    expect(forgotten).toHaveBeenCalledTimes(2);
  });

  it('uses a name up once, until its time is over', async () => {
    const writes = new MemoryWrites(() => undefined);
    const uses = await Promise.all([1, 2, 3].map(() => writes.useUp('token', 1_000)));
    expect(uses).toEqual([true, false, false]);
    passTime(1_001);
    expect([await writes.useUp('other', 1_000), await writes.useUp('token', 1_000)]).toEqual([
      true,
      true,
    ]);
  });

  it('drops the oldest call that is over for a new one, and says so', async () => {
    const forget = jest.fn();
    const writes = new MemoryWrites(forget);
    await writes.begin('running', { args: {} }, 60_000);
    for (let i = 0; i < 9_999; i++) await writes.end(`${i}`, { args: {} }, 60_000);
    expect(forget).not.toHaveBeenCalled();
    await writes.begin('new', { args: {} }, 60_000);
    expect(forget).toHaveBeenCalledTimes(1);
    expect(await writes.find('0')).toBeUndefined();
    expect(await writes.find('1')).toBeDefined();
    expect(await writes.find('running')).toMatchObject({ isRunning: true });
  });
});

describe('a call that fails in the server', () => {
  it('has an unknown outcome when it is sent again, and does not run again', async () => {
    const repeats = new Repeats(new MemoryWrites(() => undefined), '/');
    const call: KeyedCall = {
      tool: { name: 'pay' } as Tool,
      compared: {},
      peer: { caller: callerOf(localOrigin([]), (all) => all, '/') } as Peer,
      key: 'k',
      ttlMs: 60_000,
    };
    const run = jest.fn(() => Promise.reject(new Error('broken')));
    const confirm = () => Promise.resolve(undefined);
    await expect(repeats.run(call, confirm, run)).rejects.toThrow('broken');
    await expect(repeats.run(call, confirm, run)).rejects.toThrow('is unknown');
    expect(run).toHaveBeenCalledTimes(1);
  });
});
