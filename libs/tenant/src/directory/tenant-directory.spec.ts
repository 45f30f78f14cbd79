import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import type { TenantCacheOptions, TenantRecord, TenantStore } from '../tenant.options.js';
import {
  SuspendedTenantError,
  TenantMaintenanceError,
  TenantOptionError,
  TenantProvisioningError,
  TenantStoreUnavailableError,
  UnknownTenantError,
} from '../tenant.errors.js';
import { TenantDirectory } from './tenant-directory.js';

const logged = jest.fn();

beforeEach(() => {
  jest.spyOn(Logger.prototype, 'error').mockImplementation(logged);
});
afterEach(() => {
  jest.restoreAllMocks();
  logged.mockClear();
});

/** A store of identifiers, and what it was asked. Answers after a moment. */
function storeOf(records: Record<string, TenantRecord>) {
  const asked: string[] = [];
  const find = async (identifier: string): Promise<TenantRecord | undefined> => {
    asked.push(identifier);
    const record = records[identifier];
    await new Promise((resolve) => setTimeout(resolve, 1));
    return record;
  };
  return { asked, find };
}

const CACHE = { ttlMs: 60_000, negativeTtlMs: 5_000, max: 10_000 };

function directoryOf(store: TenantStore['find'], cache?: TenantCacheOptions) {
  const clock = { now: 0 };
  const directory = new TenantDirectory(store, { ...CACHE, ...cache }, () => clock.now);
  return { clock, directory };
}

/** What find() throws or rejects with. */
async function refusalOf(directory: TenantDirectory, identifier: string): Promise<unknown> {
  try {
    await directory.find(identifier, 'header');
  } catch (error) {
    return error;
  }
  throw new Error('find() was expected to fail');
}

describe('TenantDirectory without a store', () => {
  it('takes an identifier for an id, at once, and answers with the same tenant each time', async () => {
    const directory = new TenantDirectory(undefined, CACHE);
    const tenant = directory.recall('acme', 'header');
    expect(tenant).toEqual({ tenantId: 'acme' });
    expect(tenant).toMatchObject({ source: 'header' });
    expect(tenant).not.toHaveProperty('identifier');
    expect(Object.isFrozen(tenant)).toBe(true);
    expect(directory.recall('acme', 'header')).toBe(tenant);
    expect(directory.recall('acme', 'path')).toMatchObject({ source: 'path' });
    expect(directory.recall('acme', 'header')).toBe(tenant);
    expect(await directory.find('acme', 'header')).toBe(tenant);
    directory.invalidate('acme');
    expect(directory.recall('acme', 'header')).not.toBe(tenant);
  });

  it('cannot list its tenants', async () => {
    await expect(new TenantDirectory(undefined, CACHE).all()).rejects.toThrow(TenantOptionError);
  });

  it('remembers nothing where it may not', () => {
    const directory = new TenantDirectory(undefined, false);
    expect(directory.recall('acme', 'header')).toEqual({ tenantId: 'acme' });
    expect(directory.recall('acme', 'header')).not.toBe(directory.recall('acme', 'header'));
  });
});

describe('TenantDirectory', () => {
  it('asks once for all who ask at the same time, and then remembers', async () => {
    const { asked, find } = storeOf({ acme: { tenantId: 't1', data: { plan: 'pro' } } });
    const { directory } = directoryOf(find);
    const found = await Promise.all(
      Array.from({ length: 100 }, async () => directory.find('acme', 'header')),
    );
    expect(asked).toEqual(['acme']);
    expect(new Set(found).size).toBe(1);
    expect(directory.recall('other', 'header')).toBeUndefined();
    const tenant = directory.recall('acme', 'header');
    expect(tenant).toBe(found[0]);
    expect(tenant).toMatchObject({
      tenantId: 't1',
      identifier: 'acme',
      source: 'header',
      data: { plan: 'pro' },
    });
    expect(directory.metrics).toMatchObject({ cacheHits: 1, cacheMisses: 100 });
  });

  it('asks a store that answers without a promise', async () => {
    const directory = new TenantDirectory(
      (id) => (id === 'acme' ? { tenantId: 't1' } : null),
      false,
    );
    expect(await directory.find('acme', 'header')).toEqual({ tenantId: 't1' });
    expect(await refusalOf(directory, 'nope')).toBeInstanceOf(UnknownTenantError);
    expect(directory.recall('acme', 'header')).toBeUndefined();
  });

  it('calls find() as a method of the store', async () => {
    class Store {
      private readonly known = 't1';
      find() {
        return { tenantId: this.known };
      }
    }
    expect(await new TenantDirectory(new Store(), CACHE).find('acme', 'header')).toEqual({
      tenantId: 't1',
    });
  });

  it('asks again once the time is over', async () => {
    const { asked, find } = storeOf({ acme: { tenantId: 'acme' } });
    const { clock, directory } = directoryOf(find, { ttlMs: 100, negativeTtlMs: 10 });
    await directory.find('acme', 'header');
    await refusalOf(directory, 'nope');
    clock.now = 9;
    expect(await refusalOf(directory, 'nope')).toBeInstanceOf(UnknownTenantError);
    expect(asked).toEqual(['acme', 'nope']);
    clock.now = 10;
    await refusalOf(directory, 'nope');
    clock.now = 99;
    await directory.find('acme', 'header');
    expect(asked).toEqual(['acme', 'nope', 'nope']);
    clock.now = 100;
    await directory.find('acme', 'header');
    expect(asked).toEqual(['acme', 'nope', 'nope', 'acme']);
  });

  it('remembers nothing for 0 ms, and for good for Infinity', async () => {
    const { asked, find } = storeOf({ acme: { tenantId: 'acme' } });
    const { clock, directory } = directoryOf(find, { ttlMs: Infinity, negativeTtlMs: 0 });
    await directory.find('acme', 'header');
    await refusalOf(directory, 'nope');
    await refusalOf(directory, 'nope');
    clock.now = Number.MAX_SAFE_INTEGER;
    await directory.find('acme', 'header');
    expect(asked).toEqual(['acme', 'nope', 'nope']);
  });

  it('asks for each caller where it may remember nothing', async () => {
    const { asked, find } = storeOf({ acme: { tenantId: 'acme' } });
    const directory = new TenantDirectory(find, false);
    await Promise.all([directory.find('acme', 'header'), directory.find('acme', 'header')]);
    await directory.find('acme', 'header');
    expect(asked).toHaveLength(3);
  });

  it('forgets the least recently used, but no tenant for identifiers somebody makes up', async () => {
    const { asked, find } = storeOf({
      a: { tenantId: 'a' },
      b: { tenantId: 'b' },
      c: { tenantId: 'c' },
    });
    const { directory } = directoryOf(find, { max: 2 });
    await directory.find('a', 'header');
    for (let i = 0; i < 20; i += 1) await refusalOf(directory, `made-up-${i}`);
    asked.length = 0;
    await directory.find('a', 'header');
    expect(asked).toEqual([]);
    await directory.find('b', 'header');
    await directory.find('a', 'header');
    await directory.find('c', 'header');
    await directory.find('a', 'header');
    expect(asked).toEqual(['b', 'c']);
    await directory.find('b', 'header');
    expect(asked).toEqual(['b', 'c', 'b']);
  });

  it('refuses tenants that are not served, each time from what it remembers', async () => {
    const { asked, find } = storeOf({
      s: { tenantId: 's', status: 'suspended' },
      m: { tenantId: 'm', status: 'maintenance' },
      n: { tenantId: 'n', status: 'maintenance', retryAfterSeconds: 7 },
    });
    const { directory } = directoryOf(find);
    for (let i = 0; i < 2; i += 1) {
      expect(await refusalOf(directory, 's')).toBeInstanceOf(SuspendedTenantError);
      const error = await refusalOf(directory, 'm');
      expect(error).toBeInstanceOf(TenantMaintenanceError);
      expect(error).toMatchObject({ retryAfterSeconds: 60 });
      expect(await refusalOf(directory, 'n')).toMatchObject({ retryAfterSeconds: 7 });
    }
    expect(asked).toEqual(['s', 'm', 'n']);
    expect(directory.metrics).toMatchObject({ suspended: 2, maintenance: 4, unknown: 0 });
  });

  it('asks again about a tenant in provisioning as soon as about an unknown one', async () => {
    const records: Record<string, TenantRecord> = { p: { tenantId: 'p', status: 'provisioning' } };
    const { asked, find } = storeOf(records);
    const { directory, clock } = directoryOf(find, { ttlMs: 60_000, negativeTtlMs: 5_000 });
    const error = await refusalOf(directory, 'p');
    expect(error).toBeInstanceOf(TenantProvisioningError);
    expect(error).toMatchObject({ retryAfterSeconds: 5 });
    // Another process finishes the creation: nothing is invalidated here.
    records['p'] = { tenantId: 'p' };
    clock.now = 4_999;
    expect(await refusalOf(directory, 'p')).toBeInstanceOf(TenantProvisioningError);
    clock.now = 5_000;
    expect(await directory.find('p', 'header')).toMatchObject({ tenantId: 'p' });
    expect(asked).toEqual(['p', 'p']);
    expect(directory.metrics).toMatchObject({ provisioning: 2 });
  });

  it('sees a new status once the tenant is invalidated, by its id or an identifier', async () => {
    const records: Record<string, TenantRecord> = {
      acme: { tenantId: 't1' },
      other: { tenantId: 't1' },
    };
    const { directory } = directoryOf(storeOf(records).find);
    await directory.find('acme', 'header');
    await directory.find('other', 'header');
    records['acme'] = records['other'] = { tenantId: 't1', status: 'suspended' };
    expect(await directory.find('acme', 'header')).toEqual({ tenantId: 't1' });
    directory.invalidate('acme');
    expect(await refusalOf(directory, 'acme')).toBeInstanceOf(SuspendedTenantError);
    expect(await directory.find('other', 'header')).toEqual({ tenantId: 't1' });
    directory.invalidate('t1');
    expect(await refusalOf(directory, 'other')).toBeInstanceOf(SuspendedTenantError);
  });

  it('finds a tenant that is new once it is invalidated', async () => {
    const records: Record<string, TenantRecord> = {};
    const { directory } = directoryOf(storeOf(records).find);
    await refusalOf(directory, 'acme');
    records['acme'] = { tenantId: 't1' };
    directory.invalidate('t1');
    expect(await directory.find('acme', 'header')).toEqual({ tenantId: 't1' });
  });

  it('does not remember what was asked before the tenant was invalidated', async () => {
    const records: Record<string, TenantRecord> = { acme: { tenantId: 't1' } };
    const { asked, find } = storeOf(records);
    const { directory } = directoryOf(find);
    const early = directory.find('acme', 'header');
    records['acme'] = { tenantId: 't1', status: 'suspended' };
    directory.invalidate('t1');
    const late = refusalOf(directory, 'acme');
    expect(await early).toEqual({ tenantId: 't1' });
    expect(await late).toBeInstanceOf(SuspendedTenantError);
    expect(await refusalOf(directory, 'acme')).toBeInstanceOf(SuspendedTenantError);
    expect(asked).toHaveLength(2);
  });

  it('remembers nothing of it either where nobody asked meanwhile', async () => {
    const records: Record<string, TenantRecord> = { acme: { tenantId: 't1' } };
    const { directory } = directoryOf(storeOf(records).find);
    const early = directory.find('acme', 'header');
    records['acme'] = { tenantId: 't1', status: 'suspended' };
    directory.invalidate('t1');
    await early;
    expect(await refusalOf(directory, 'acme')).toBeInstanceOf(SuspendedTenantError);
  });

  it('is unavailable while the store is, tells the log why and remembers nothing of it', async () => {
    let down = true;
    const outage = new Error('ECONNREFUSED');
    let calls = 0;
    const { directory } = directoryOf(async () => {
      calls += 1;
      await Promise.resolve();
      if (down) throw outage;
      return { tenantId: 'acme' };
    });
    const errors = await Promise.all([refusalOf(directory, 'acme'), refusalOf(directory, 'acme')]);
    expect(calls).toBe(1);
    for (const error of errors) {
      expect(error).toBeInstanceOf(TenantStoreUnavailableError);
      expect(error).toMatchObject({ cause: outage, retryAfterSeconds: 5 });
    }
    expect(logged).toHaveBeenCalledTimes(1);
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('ECONNREFUSED'));
    down = false;
    expect(await directory.find('acme', 'header')).toEqual({ tenantId: 'acme' });
    expect(directory.metrics).toMatchObject({ unavailable: 1, unknown: 0 });
  });

  it('is unavailable when the store throws at once', async () => {
    const { directory } = directoryOf(() => {
      throw new Error('no pool');
    });
    expect(await refusalOf(directory, 'acme')).toBeInstanceOf(TenantStoreUnavailableError);
  });

  it.each([
    ['acme', 'the record is a string'],
    [{}, '`tenantId` is undefined, but must be a string'],
    [{ tenantId: 7 }, '`tenantId` is a number'],
    [{ tenantId: '' }, '`tenantId` is empty'],
    [
      { tenantId: 'a', status: 'Active' },
      '`status` is "Active", but must be one of active, suspended, maintenance',
    ],
    [{ tenantId: 'a', identifier: 7 }, '`identifier` is a number'],
    [{ tenantId: 'a', status: null }, '`status` is null'],
    [{ tenantId: 'a', retryAfterSeconds: 1.5 }, '`retryAfterSeconds` must be a whole number'],
    [{ tenantId: 'a', retryAfterSeconds: -1 }, '`retryAfterSeconds` must be a whole number'],
    [{ tenantId: 'a', data: 'pro' }, '`data` is a string'],
  ])('takes the answer %j for an outage', async (answer, fault) => {
    for (const find of [() => answer as never, () => Promise.resolve(answer as never)]) {
      const error = (await refusalOf(directoryOf(find).directory, 'acme')) as Error;
      expect(error).toBeInstanceOf(TenantStoreUnavailableError);
      expect(String(error.cause)).toContain(`find("acme")`);
      expect(String(error.cause)).toContain(fault);
      expect(error.message).not.toContain(fault);
    }
  });

  it('answers like the store, whatever is asked, invalidated and suspended in whichever order', async () => {
    const step = fc.record({
      act: fc.constantFrom('find', 'suspend', 'remove', 'restore', 'wait'),
      identifier: fc.constantFrom('a', 'b', 'c'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const records = new Map<string, TenantRecord>();
        const { clock, directory } = directoryOf(
          async (identifier) => {
            const record = records.get(identifier);
            await Promise.resolve();
            return record;
          },
          { ttlMs: 10, negativeTtlMs: 5, max: 2 },
        );
        for (const { act, identifier } of steps) {
          if (act === 'suspend')
            records.set(identifier, { tenantId: identifier, status: 'suspended' });
          if (act === 'restore') records.set(identifier, { tenantId: identifier });
          if (act === 'remove') records.delete(identifier);
          if (act === 'wait') clock.now += 3;
          if (act !== 'find' && act !== 'wait') directory.invalidate(identifier);
          const answer = await Promise.resolve()
            .then(() => directory.find(identifier, 'header'))
            .then(
              (tenant) => tenant.tenantId,
              (error: Error) => error.constructor.name,
            );
          const record = records.get(identifier);
          expect(answer).toBe(
            record === undefined
              ? 'UnknownTenantError'
              : record.status === 'suspended'
                ? 'SuspendedTenantError'
                : identifier,
          );
        }
      }),
    );
  });
});

describe('TenantDirectory.all', () => {
  const find = () => null;

  it('lists who is served, each once', async () => {
    const records: TenantRecord[] = [
      { tenantId: 'a' },
      { tenantId: 'b', status: 'suspended' },
      { tenantId: 'c', status: 'maintenance' },
      { tenantId: 'd', status: 'active' },
      { tenantId: 'a' },
    ];
    for (const list of [() => records, () => Promise.resolve(new Set(records))]) {
      const all = await new TenantDirectory({ find, list }, CACHE).all();
      expect(all).toEqual([{ tenantId: 'a' }, { tenantId: 'd' }]);
      expect(all[0]).toMatchObject({ source: 'run' });
    }
  });

  it('are listed with the identifier of one whose record is invalid, which cannot be found', async () => {
    const records = [
      { tenantId: 'a' },
      { tenantId: 'b', status: 'bogus' },
      { tenantId: 'c', identifier: 'shop', data: 7 },
    ] as never as TenantRecord[];
    const store = {
      find: (id: string) => records.find(({ tenantId }) => tenantId === id),
      list: () => records,
    };
    const directory = new TenantDirectory(store, CACHE);
    expect(await directory.all()).toEqual([{ tenantId: 'a' }, 'b', 'shop']);
    await expect(directory.find('b', 'run')).rejects.toThrow(TenantStoreUnavailableError);
    const [, b, c] = await directory.everyone();
    expect(b).toMatchObject({ status: 'suspended', fault: { isStatus: true } });
    expect(c).toMatchObject({
      status: 'suspended',
      fault: { reason: '`data` is a number, but must be an object', isStatus: false },
    });
  });

  it('needs a store that lists', async () => {
    await expect(new TenantDirectory({ find }, CACHE).all()).rejects.toThrow(/has no list\(\)/);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['lists what names no tenant', () => [{ tenantId: 'a' }, { id: 'b' } as never]],
  ])('is unavailable when the store %s', async (_, list) => {
    const directory = new TenantDirectory({ find, list }, CACHE);
    await expect(directory.all()).rejects.toThrow(TenantStoreUnavailableError);
  });

  it.each<[returned: string, list: () => unknown]>([
    ['an object with `rows`', async () => ({ rows: [{ tenantId: 'a' }] })],
    ['an object', () => ({ a: { tenantId: 'a' } })],
    [
      'an async iterable',
      async function* () {
        yield { tenantId: 'a' };
      },
    ],
    ['a string', () => ''],
    ['undefined', () => undefined],
  ])('is unavailable when list() returns %s', async (returned, list) => {
    const directory = new TenantDirectory({ find, list: list as never }, CACHE);
    await expect(directory.all()).rejects.toThrow(TenantStoreUnavailableError);
    const message = `list() of the tenant store returned ${returned}, but must return a list of records.`;
    expect(logged).toHaveBeenCalledWith(expect.stringContaining(message));
  });
});
