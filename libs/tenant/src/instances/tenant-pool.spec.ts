import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { ClsServiceManager } from 'nestjs-cls';
import type { Hold } from '../scope/tenant-resources.js';
import { currentTenant } from '../scope/tenant-scope.js';
import { createTenantContext, type TenantContext } from '../tenant-context.js';
import {
  TenantInstanceNotReadyError,
  TenantOptionError,
  TenantPoolClosedError,
} from '../tenant.errors.js';
import { TenantPool } from './tenant-pool.js';
import type { TenantPoolOptions } from './tenant-provider.js';
import { until } from '../../../../test/support/until.js';

const logged = jest.fn();

beforeEach(() => {
  jest.spyOn(Logger.prototype, 'error').mockImplementation(logged);
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(logged);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  logged.mockClear();
});

interface Client {
  readonly of: string;
  readonly serial: number;
  ended: boolean;
}

const later = (ms = 1) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** Lets time pass, with fake timers. */
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const tenant = (tenantId: string) => createTenantContext({ tenantId });

/** A pool of clients that know whose they are, and all clients it ever made. */
function poolOf(
  options: Partial<TenantPoolOptions<Client>> = {},
  async = true,
  keepUsed?: () => () => unknown,
) {
  const made: Client[] = [];
  const clientOf = (of: string): Client => {
    const client = { of, serial: made.length, ended: false };
    made.push(client);
    return client;
  };
  const pool = new TenantPool<Client>(
    {
      name: 'CLIENT',
      type: 'object',
      max: 100,
      idleMs: 300_000,
      create: ({ tenantId }) =>
        async ? later().then(() => clientOf(tenantId)) : clientOf(tenantId),
      dispose: (client) => {
        client.ended = true;
      },
      ...options,
    },
    undefined,
    keepUsed,
  );
  return { pool, made, alive: () => made.filter(({ ended }) => !ended).map(({ of }) => of) };
}

async function use(pool: TenantPool<Client>, tenantId: string): Promise<void> {
  (await pool.hold(tenant(tenantId)))();
}

describe('TenantPool', () => {
  it('makes one instance for all who come at once', async () => {
    const { pool, made } = poolOf();
    const acme = tenant('acme');
    const holds = await Promise.all(Array.from({ length: 20 }, async () => pool.hold(acme)));
    expect(made).toHaveLength(1);
    expect(pool.get(acme)).toBe(made[0]);
    expect(pool.get(tenant('acme'))).toBe(made[0]);
    holds.forEach((release) => release());
  });

  it('waits for any thenable, and takes other objects with `then` for instances', async () => {
    const client = { of: 'acme', serial: 0, ended: false };
    const acme = tenant('acme');
    const promised = poolOf({ create: () => Promise.resolve(client) }).pool;
    const lazy = { then: (resolve: (made: Client) => void) => resolve(client) } as Promise<Client>;
    const thenable = poolOf({ create: () => lazy }).pool;
    for (const pool of [promised, thenable]) {
      (await pool.hold(acme))();
      expect(pool.get(acme)).toBe(client);
    }
    const plain = { ...client, then: 'later' };
    const { pool } = poolOf({ create: () => plain });
    expect(pool.get(acme)).toBe(plain);
  });

  it('makes the instance at once if the factory returns no promise', async () => {
    const { pool } = poolOf({}, false);
    const acme = tenant('acme');
    const hold = pool.hold(acme);
    expect(pool.get(acme)).toMatchObject({ of: 'acme' });
    (await hold)();
  });

  it.each([
    [
      'throws',
      (error: Error) => {
        throw error;
      },
    ],
    ['rejects', (error: Error) => later().then(() => Promise.reject(error))],
  ])('tries again after a factory that %s', async (_, fail) => {
    let calls = 0;
    const down = new Error('down');
    const { pool } = poolOf({
      create: ({ tenantId }) => {
        calls += 1;
        return calls === 1 ? fail(down) : { of: tenantId, serial: calls, ended: false };
      },
    });
    const acme = tenant('acme');
    await expect(Promise.resolve().then(() => pool.hold(acme))).rejects.toBe(down);
    await pool.hold(acme);
    expect(pool.get(acme)).toMatchObject({ serial: 2 });
    expect(calls).toBe(2);
  });

  it('tells all who waited that the factory failed', async () => {
    const { pool } = poolOf({
      create: () => later().then(() => Promise.reject(new Error('down'))),
    });
    const outcomes = await Promise.allSettled(
      ['a', 'a', 'a'].map(async (id) => pool.hold(tenant(id))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await pool.close();
  });

  it('lets the least recently used one go, but none that is held', async () => {
    const { pool, alive } = poolOf({ max: 2 });
    const release = await pool.hold(tenant('a'));
    await use(pool, 'b');
    await use(pool, 'c');
    expect(alive()).toEqual(['a', 'c']);
    const releaseC = await pool.hold(tenant('c'));
    const releaseD = await pool.hold(tenant('d'));
    expect(alive()).toEqual(['a', 'c', 'd']);
    releaseC();
    expect(alive()).toEqual(['a', 'd']);
    release();
    release();
    await use(pool, 'e');
    expect(alive()).toEqual(['d', 'e']);
    releaseD();
    expect(alive()).toEqual(['d', 'e']);
  });

  it('does not take one for unused that is in use again', async () => {
    const { pool, made } = poolOf({ max: 1 });
    await use(pool, 'a');
    const release = await pool.hold(tenant('a'));
    await use(pool, 'b');
    await use(pool, 'a');
    expect(made.map(({ of }) => of)).toEqual(['a', 'b']);
    release();
  });

  it('ends what was idle for long', async () => {
    jest.useFakeTimers();
    const { pool, alive } = poolOf({ idleMs: 40 }, false);
    const release = await pool.hold(tenant('held'));
    await use(pool, 'a');
    await pass(25);
    await use(pool, 'b');
    await pass(25);
    expect(alive()).toEqual(['held', 'b']);
    await pass(30);
    expect(alive()).toEqual(['held']);
    release();
    await pass(60);
    expect(alive()).toEqual([]);
  });

  it('keeps a timer from overflowing', async () => {
    const { pool } = poolOf({ idleMs: 2 ** 40 });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    await use(pool, 'a');
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(2 ** 31 - 1);
  });

  it('makes an instance anew once its tenant is invalidated; holders go on with theirs', async () => {
    const { pool, made } = poolOf();
    const before = tenant('acme');
    const after = tenant('acme');
    const release = await pool.hold(before);
    pool.invalidate('acme');
    pool.invalidate('other');
    expect(pool.get(before)).toBe(made[0]);
    const releaseAfter = await pool.hold(after);
    expect(made).toHaveLength(2);
    expect(pool.get(after)).toBe(made[1]);
    expect(pool.get(before)).toBe(made[0]);
    expect(made[0]).toMatchObject({ ended: false });
    release();
    expect(made.map(({ ended }) => ended)).toEqual([true, false]);
    expect(pool.get(before)).toBe(made[1]);
    releaseAfter();
    pool.invalidate('acme');
    expect(made.map(({ ended }) => ended)).toEqual([true, true]);
  });

  it('ends what was invalidated while it was made', async () => {
    const { pool, made } = poolOf();
    const hold = pool.hold(tenant('acme'));
    pool.invalidate('acme');
    const release = await hold;
    expect(made).toMatchObject([{ ended: false }]);
    release();
    expect(made).toMatchObject([{ ended: true }]);
  });

  it('makes and ends instances for their tenant, apart from the request it happens in', async () => {
    const cls = ClsServiceManager.getClsService();
    const seen: unknown[] = [];
    const look = () => seen.push([currentTenant()?.tenantId, cls.get<unknown>('transaction')]);
    const { pool } = poolOf({
      create: async ({ tenantId }) => {
        look();
        await later();
        look();
        return { of: tenantId, serial: 0, ended: false };
      },
      dispose: look,
    });
    await cls.run(async () => {
      cls.set('transaction', 'of another');
      await use(pool, 'acme');
      pool.invalidate('acme');
    });
    expect(seen).toEqual([
      ['acme', undefined],
      ['acme', undefined],
      ['acme', undefined],
    ]);
  });

  it('logs what goes wrong while one is ended, and goes on', async () => {
    const { pool } = poolOf({ dispose: () => Promise.reject(new Error('already ended')) });
    await use(pool, 'acme');
    await pool.close();
    expect(logged).toHaveBeenCalledWith('The instance CLIENT of tenant "acme" was not disposed:');
    expect(logged).toHaveBeenCalledWith(new Error('already ended'));
  });

  it.each<[unknown, 'object' | 'function', RegExp]>([
    [() => 1, 'object', /CLIENT returned function, but the option `type` is 'object'. Set type: '/],
    [{}, 'function', /returned object, but the option `type` is 'function'/],
    [undefined, 'object', /returned nothing/],
    [null, 'object', /returned null/],
    ['text', 'object', /returned string/],
  ])('refuses an instance no object could stand for: %p', async (made, type, message) => {
    for (const create of [() => made as Client, () => Promise.resolve(made as Client)]) {
      const { pool } = poolOf({ create, type });
      const hold = Promise.resolve().then(() => pool.hold(tenant('a')));
      await expect(hold).rejects.toThrow(TenantOptionError);
      await expect(hold).rejects.toThrow(message);
    }
  });
});

describe('TenantPool for a scope that holds nothing', () => {
  it('makes an instance at once and keeps it like any other', async () => {
    jest.useFakeTimers();
    const { pool, made, alive } = poolOf({ max: 1, idleMs: 40 }, false);
    expect(pool.peek(tenant('a'))).toBeUndefined();
    const client = pool.get(tenant('a'));
    expect(client.of).toBe('a');
    expect(pool.get(tenant('a'))).toBe(client);
    await pass(25);
    pool.get(tenant('a'));
    await pass(25);
    expect(alive()).toEqual(['a']);
    pool.get(tenant('b'));
    expect(alive()).toEqual(['b']);
    await pass(60);
    expect(alive()).toEqual([]);
    expect(made).toHaveLength(2);
  });

  it('says what to do while an instance takes time, which is ready the next time', async () => {
    jest.useFakeTimers();
    const { pool, made } = poolOf({ idleMs: 40 });
    const read = () => pool.get(tenant('a'));
    expect(read).toThrow(TenantInstanceNotReadyError);
    expect(read).toThrow(/CLIENT of tenant "a" .*tenancy\.run/);
    await pass(10);
    expect(read()).toBe(made[0]);
    await pass(60);
    expect(made).toMatchObject([{ ended: true }]);
  });

  it('keeps to its maximum once instances are ready that nobody holds', async () => {
    const { pool, made, alive } = poolOf({ max: 2 });
    const tenants = ['a', 'b', 'c', 'd', 'e'].map(tenant);
    for (const each of tenants) {
      expect(() => pool.get(each)).toThrow(TenantInstanceNotReadyError);
    }
    await until(() => made.length === 5, 'all made');
    await until(() => alive().length === 2, 'the maximum');
    expect(alive()).toEqual(['d', 'e']);
  });

  it('ends what nobody came back for, or what was invalidated while it was made', async () => {
    jest.useFakeTimers();
    const { pool, made } = poolOf({ idleMs: 20 });
    expect(() => pool.get(tenant('a'))).toThrow(TenantInstanceNotReadyError);
    await pass(60);
    expect(made).toMatchObject([{ ended: true }]);
    expect(() => pool.get(tenant('a'))).toThrow(TenantInstanceNotReadyError);
    pool.invalidate('a');
    await pass(10);
    expect(made).toMatchObject([{ ended: true }, { ended: true }]);
  });

  it('lets the one go that was not read for longest', () => {
    const { pool, alive } = poolOf({ max: 2 }, false);
    for (const id of ['a', 'b', 'a', 'c']) pool.get(tenant(id));
    expect(alive()).toEqual(['a', 'c']);
  });

  it('logs that it could not be made, once', async () => {
    const down = new Error('down');
    const { pool } = poolOf({ create: () => later().then(() => Promise.reject(down)) });
    expect(() => pool.get(tenant('a'))).toThrow(TenantInstanceNotReadyError);
    expect(() => pool.get(tenant('a'))).toThrow(TenantInstanceNotReadyError);
    await later(10);
    expect(logged.mock.calls).toEqual([[down]]);
  });
});

describe('TenantPool while an instance is disposed', () => {
  it.each([
    [5, 5],
    [60_000, 10_000],
  ])('keeps other instances, at most 10 seconds: %i ms', async (takes, kept) => {
    jest.useFakeTimers();
    const events: string[] = [];
    const keepUsed = () => {
      events.push('keep');
      return () => events.push('release');
    };
    const dispose = () => {
      events.push('dispose');
      return later(takes);
    };
    const { pool } = poolOf({ dispose }, false, keepUsed);
    pool.get(tenant('a'));
    expect(events).toEqual([]);
    pool.invalidate('a');
    await pass(kept - 1);
    expect(events).toEqual(['keep', 'dispose']);
    await pass(1);
    expect(events[2]).toBe('release');
  });
});

describe('TenantPool.close', () => {
  it('ends all, waits for it, and makes no more', async () => {
    const { pool, made } = poolOf({
      dispose: async (client) => {
        await later(5);
        client.ended = true;
      },
    });
    await use(pool, 'a');
    const waiting = pool.hold(tenant('b'));
    const release = await pool.hold(tenant('c'));
    let closed = false;
    const close = pool.close().then(() => (closed = true));
    await expect(pool.hold(tenant('a'))).rejects.toThrow(TenantPoolClosedError);
    expect(() => pool.get(tenant('z'))).toThrow(/CLIENT of tenant "z"/);
    (await waiting)();
    await later(20);
    expect(closed).toBe(false);
    expect(Object.fromEntries(made.map(({ of, ended }) => [of, ended]))).toEqual({
      a: true,
      b: true,
      c: false,
    });
    release();
    await close;
    expect(made.every(({ ended }) => ended)).toBe(true);
    await pool.close();
  });

  it('waits at most 5 seconds for held instances', async () => {
    jest.useFakeTimers();
    const { pool, made } = poolOf({}, false);
    const release = await pool.hold(tenant('a'));
    const close = pool.close();
    await jest.advanceTimersByTimeAsync(4_999);
    expect(made).toMatchObject([{ ended: false }]);
    await jest.advanceTimersByTimeAsync(1);
    await close;
    expect(made).toMatchObject([{ ended: true }]);
    expect(logged).toHaveBeenCalledWith(
      'The instance CLIENT of tenant "a" is still in use 5 s after the shutdown began. ' +
        'The instance is disposed now.',
    );
    release();
  });

  it('waits at most 5 seconds for factories, and disposes what they make later', async () => {
    jest.useFakeTimers();
    const finish: (() => void)[] = [];
    const create = ({ tenantId }: TenantContext) =>
      new Promise<Client>((resolve) =>
        finish.push(() => resolve({ of: tenantId, serial: 0, ended: false })),
      );
    const disposed: string[] = [];
    const dispose = ({ of }: Client) => {
      disposed.push(of);
      return later(1_000);
    };
    const { pool } = poolOf({ create, dispose });
    const holds = ['ready', 'a'].map((id) => pool.hold(tenant(id)));
    expect(() => pool.get(tenant('b'))).toThrow(TenantInstanceNotReadyError);
    finish[0]?.();
    await holds[0];
    let closed = false;
    void pool.close().then(() => (closed = true));
    await pass(5_000);
    expect(logged).toHaveBeenCalledWith(
      'The factory of CLIENT has not returned the instance of tenant "a" 5 s after the shutdown ' +
        'began. The shutdown does not wait for the factory. Set a timeout in the factory.',
    );
    await pass(900);
    expect(closed).toBe(false); // the instance in use is being disposed
    await pass(100);
    expect(closed).toBe(true);
    finish.forEach((end) => end());
    await pass(1);
    expect(disposed).toEqual(['ready', 'a', 'b']);
  });

  it('is quick where there is nothing', async () => {
    await poolOf().pool.close();
  });
});

describe('whatever is done to a TenantPool', () => {
  const step = fc.record({
    act: fc.constantFrom('hold', 'hold', 'release', 'release', 'invalidate', 'wait', 'get'),
    tenantId: fc.constantFrom('a', 'b', 'c', 'd'),
    again: fc.boolean(),
  });

  it.each([true, false])(
    'no one holds an instance of another, or an ended one (async: %s)',
    async (async) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          const { pool, made } = poolOf({ max: 2 }, async);
          const contexts = new Map<string, ReturnType<typeof tenant>>();
          const held: { context: ReturnType<typeof tenant>; client: Client; release: Hold }[] = [];
          for (const { act, tenantId, again } of steps) {
            const context = (again && contexts.get(tenantId)) || tenant(tenantId);
            contexts.set(tenantId, context);
            if (act === 'hold') {
              const release = await pool.hold(context);
              held.push({ context, client: pool.get(context), release });
            }
            if (act === 'release') held.shift()?.release();
            if (act === 'invalidate') pool.invalidate(tenantId);
            if (act === 'wait') await later(0);
            if (act === 'get' && !async)
              expect(pool.get(context)).toMatchObject({ of: tenantId, ended: false });
            for (const { context, client } of held) {
              expect(client).toMatchObject({ of: context.tenantId, ended: false });
              expect(pool.get(context)).toBe(client);
            }
          }
          held.forEach(({ release }) => release());
          expect(made.filter(({ ended }) => !ended).length).toBeLessThanOrEqual(2);
          await pool.close();
          expect(made.every(({ ended }) => ended)).toBe(true);
        }),
        { numRuns: 60 },
      );
    },
  );
});
