// Needs Redis.
import { Tenancy, TenantModule } from '@fledge/tenant';
import { TenantCache } from '@fledge/tenant/cache';
import { createKeyv } from '@keyv/redis';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Cache, CacheModule } from '@nestjs/cache-manager';
import {
  Controller,
  Delete,
  Get,
  type INestApplicationContext,
  Module,
  Query,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import fc from 'fast-check';
import { Keyv } from 'keyv';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeAll, platforms, serve } from '../../../../test/support/platforms.js';
import { currentTenantId } from '../../../../test/support/served-tenants.js';
import { until } from '../../../../test/support/until.js';

const REDIS = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';

/** Unlike the store that CacheModule makes, one with the namespace "keyv". */
const inMemory = () => new Keyv();
const onRedis = (namespace: string) => createKeyv(REDIS, { namespace });

/** A way to store, by the namespace that one test has to itself. */
const stores: {
  readonly name: string;
  readonly make: (namespace: string) => Keyv[] | undefined;
}[] = [
  { name: 'the store of CacheModule', make: () => undefined },
  { name: 'a Map', make: () => [inMemory()] },
  { name: 'Redis', make: (namespace) => [onRedis(namespace)] },
  { name: 'a Map before Redis', make: (namespace) => [inMemory(), onRedis(namespace)] },
];

const contexts: INestApplicationContext[] = [];

afterEach(async () => {
  for (const app of contexts.splice(0)) {
    await app.get(Cache).clear();
    await app.close();
  }
});

async function start(kept: Keyv[] | undefined, options: { refreshThreshold?: number } = {}) {
  @Module({
    imports: [
      TenantModule.forRoot({ strategy: 'header' }),
      CacheModule.register({ ttl: 60_000, ...options, ...(kept && { stores: kept }) }),
    ],
    providers: [TenantCache],
  })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  contexts.push(app);
  const tenancy = app.get(Tenancy);
  return {
    shared: app.get(Cache),
    cache: app.get(TenantCache),
    tenancy,
    /** Accepts ids that no request could send. */
    as: <R>(tenantId: string, run: (cache: TenantCache) => R) =>
      tenancy.run({ tenantId }, () => run(app.get(TenantCache))),
  };
}

const namespaceOf = () => `spec-${randomUUID()}`;

describe.each(stores)('TenantCache on $name', ({ make }) => {
  it('has the methods of the cache', async () => {
    const { as } = await start(make(namespaceOf()));
    await as('a', async (cache) => {
      expect(await cache.get('k')).toBeUndefined();
      expect(await cache.mget(['k', 'l'])).toEqual([undefined, undefined]);
      const began = Date.now();
      expect(await cache.set('k', { n: 1 })).toEqual({ n: 1 });
      await cache.mset([
        { key: 'l', value: 2 },
        { key: 'short', value: 3, ttl: 40 },
      ]);
      expect(await cache.mget(['l', 'none', 'k'])).toEqual([2, undefined, { n: 1 }]);
      expect(await cache.mget([])).toEqual([]);
      expect(await cache.ttl('k')).toBeGreaterThan(began + 50_000);
      expect(await cache.ttl('none')).toBeUndefined();
      await cache.del('k');
      expect(await cache.get('k')).toBeUndefined();
      await cache.mdel(['l', 'none']);
      expect(await cache.get('l')).toBeUndefined();
      await sleep(60);
      expect(await cache.get('short')).toBeUndefined();
      expect(await cache.wrap('w', () => 'loaded', 5_000)).toBe('loaded');
      expect(await cache.wrap('w', () => 'again')).toBe('loaded');
      expect(await cache.ttl('w')).toBeLessThan(Date.now() + 5_001);
    });
  });

  it('separates tenants whose ids or keys look alike, and clears one of them', async () => {
    const namespace = namespaceOf();
    const { as } = await start(make(namespace));
    const ids = ['a', 'A', 'a:b', 'a%3Ab', 'a*', '*', '[a]', 'ä', 'a\u0308', '@tenant', 'keyv'];
    ids.push('__proto__', 'a\u0000', ' a', 'x'.repeat(5_000), namespace, `${namespace}:a`, '{a}');
    const keys = ['k', 'b:k', ':k', '', '*', '__proto__', 'ключ', 'k'.repeat(5_000), 'keyv:k'];
    const all = (id: string) => as(id, (cache) => cache.mget(keys));
    const valuesOf = (id: string) => keys.map((key) => `${id} ${key}`);
    for (const id of ids) {
      await as(id, (cache) => Promise.all(keys.map((key) => cache.set(key, `${id} ${key}`))));
    }
    for (const id of ids) {
      expect(await all(id)).toEqual(valuesOf(id));
      expect(await as(id, (cache) => cache.get('b:k'))).toBe(`${id} b:k`);
    }
    for (const [i, id] of ids.entries()) {
      await as(id, (cache) => cache.clear());
      expect(await all(id)).toEqual(keys.map(() => undefined));
      for (const other of ids.slice(i + 1)) expect(await all(other)).toEqual(valuesOf(other));
    }
  });

  it('leaves what others keep in the store', async () => {
    const { as, shared, tenancy } = await start(make(namespaceOf()));
    const own = await tenancy.run('a', () => tenancy.key('http', '/notes'));
    await shared.set('plan', 1);
    await shared.set(own, 2);
    await as('a', (cache) => cache.set('plan', 3));
    await as('a', (cache) => cache.clear());
    expect([await shared.get('plan'), await shared.get(own)]).toEqual([1, 2]);
  });

  it('clears while other tenants write', async () => {
    const { as } = await start(make(namespaceOf()));
    const keys = Array.from({ length: 30 }, (_, i) => `k${i}`);
    const write = (id: string) =>
      as(id, (cache) => Promise.all(keys.map((key) => cache.set(key, id))));
    const clear = (id: string) => as(id, (cache) => cache.clear());
    await write('a');
    await Promise.all([write('b'), clear('a'), write('c'), clear('a'), write('d'), clear('e')]);
    for (const id of ['b', 'c', 'd']) {
      expect(await as(id, (cache) => cache.mget(keys))).toEqual(keys.map(() => id));
    }
    expect(await as('a', (cache) => cache.mget(keys))).toEqual(keys.map(() => undefined));
  });

  it('does not serve what was loaded before the cache was cleared', async () => {
    const { as } = await start(make(namespaceOf()));
    let finish: (value: string) => void = () => undefined;
    let began = 0;
    const slow = () => {
      began += 1;
      return new Promise<string>((resolve) => (finish = resolve));
    };
    const loading = as('a', (cache) => cache.wrap('k', slow));
    await until(() => began === 1);
    await as('a', (cache) => cache.clear());
    const after = as('a', (cache) => cache.wrap('k', () => 'new'));
    expect(await after).toBe('new');
    finish('old');
    expect(await loading).toBe('old');
    expect(await as('a', (cache) => cache.get('k'))).toBe('new');
  });

  it('loads once for parallel calls of a tenant, in the scope of that tenant', async () => {
    const { as } = await start(make(namespaceOf()));
    const loads: unknown[] = [];
    let release!: () => void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const load = async () => {
      await gate;
      loads.push(currentTenantId());
      return currentTenantId();
    };
    const ids = Array.from({ length: 40 }, (_, i) => 'abcd'[i % 4]!);
    const got = Promise.all(ids.map((id) => as(id, (cache) => cache.wrap('k', load))));
    // The store answers in order, so that all calls wait for a load by now.
    await Promise.all(ids.map((id) => as(id, (cache) => cache.get('k'))));
    release();
    expect(await got).toEqual(ids);
    expect(loads.toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('loads again in the background for the tenant of the call', async () => {
    const { as } = await start(make(namespaceOf()));
    const loads: unknown[] = [];
    const load = () => loads.push(currentTenantId());
    const options = { ttl: 10_000, refreshThreshold: 60_000 };
    const wrap = (id: string) => as(id, (cache) => cache.wrap('k', load, options));
    for (const id of ['a', 'b', 'a', 'b']) await wrap(id);
    await until(() => loads.length === 4);
    expect(loads.toSorted()).toEqual(['a', 'a', 'b', 'b']);
  });

  it('calls listeners of the shared cache in the scope of the call', async () => {
    const { as, shared } = await start(make(namespaceOf()));
    const seen: unknown[] = [];
    shared.on('set', ({ value }) => seen.push([value, currentTenantId()]));
    const ids = ['a', 'b', 'c', 'd'];
    await Promise.all(ids.map((id) => as(id, (cache) => cache.set('k', id))));
    expect(seen.length).toBeGreaterThanOrEqual(4);
    expect(seen.filter((pair) => (pair as unknown[])[0] !== (pair as unknown[])[1])).toEqual([]);
  });

  it('refuses to work without a tenant', async () => {
    const { cache, tenancy } = await start(make(namespaceOf()));
    const calls: (() => Promise<unknown>)[] = [
      () => cache.get('k'),
      () => cache.mget(['k']),
      () => cache.ttl('k'),
      () => cache.set('k', 1),
      () => cache.mset([]),
      () => cache.del('k'),
      () => cache.mdel(['k']),
      () => cache.wrap('k', () => 1),
      () => cache.clear(),
    ];
    const missing = expect.objectContaining({ code: 'TENANT_CONTEXT_MISSING' });
    for (const call of calls) {
      await expect(call()).rejects.toEqual(missing);
      await expect(tenancy.runCentral('spec', call)).rejects.toEqual(missing);
    }
  });
});

describe('TenantCache', () => {
  it('gives each tenant a cache of its own, whatever tenants do', async () => {
    const { as } = await start(undefined);
    const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 });
    const key = fc.string({ unit: 'grapheme', maxLength: 2 });
    const step = fc.oneof(
      fc.record({ id, key, does: fc.constantFrom('set', 'wrap', 'del', 'get') }),
      fc.record({ id, key, does: fc.constant('clear') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const expected = new Map<string, Map<string, number>>();
        for (const [n, { id: tenantId, key, does }] of steps.entries()) {
          const own = expected.get(tenantId) ?? new Map<string, number>();
          expected.set(tenantId, own);
          const got = await as(tenantId, async (cache) => {
            if (does === 'set') await cache.set(key, n);
            else if (does === 'wrap') await cache.wrap(key, () => n);
            else if (does === 'del') await cache.del(key);
            else if (does === 'clear') await cache.clear();
            return cache.get(key);
          });
          if (does === 'set' || (does === 'wrap' && !own.has(key))) own.set(key, n);
          else if (does === 'del') own.delete(key);
          else if (does === 'clear') own.clear();
          expect(got).toBe(own.get(key));
        }
        for (const tenantId of expected.keys()) await as(tenantId, (cache) => cache.clear());
      }),
      { numRuns: 200 },
    );
  });

  it('clears in the processes that share a Redis, also behind a Map of each', async () => {
    const namespace = namespaceOf();
    const here = await start([inMemory(), onRedis(namespace)]);
    const there = await start([inMemory(), onRedis(namespace)]);
    for (const id of ['a', 'b']) await here.as(id, (cache) => cache.set('k', id));
    for (const id of ['a', 'b']) {
      expect(await there.as(id, (cache) => cache.wrap('k', () => 'loaded'))).toBe(id);
    }
    await here.as('a', (cache) => cache.clear());
    expect(await there.as('a', (cache) => cache.get('k'))).toBeUndefined();
    expect(await there.as('b', (cache) => cache.get('k'))).toBe('b');
  });

  it('frees the memory of a cleared tenant in a Map', async () => {
    const store = inMemory();
    const map = store.store as Map<string, unknown>;
    const { as } = await start([store]);
    const fill = (id: string) =>
      as(id, (cache) =>
        cache.mset(Array.from({ length: 100 }, (_, i) => ({ key: `${i}`, value: i }))),
      );
    for (const id of ['a', 'a:b', 'b']) await fill(id);
    expect(map.size).toBe(303);
    await as('a', (cache) => cache.clear());
    expect(map.size).toBe(203);
    for (let i = 0; i < 20; i += 1) {
      await fill('a');
      await as('a', (cache) => cache.clear());
    }
    expect(map.size).toBe(203);
  });

  it('keeps generations longer than the ttl of the cache', async () => {
    const store = new Keyv({ ttl: 20 });
    const { as } = await start([store]);
    await as('a', (cache) => cache.set('k', 1, 60_000));
    await sleep(40);
    expect(await as('a', (cache) => cache.get('k'))).toBe(1);
  });

  it('starts over when the store loses everything, without finding old entries', async () => {
    const store = inMemory();
    const map = store.store as Map<string, unknown>;
    const { as } = await start([store]);
    await as('a', (cache) => cache.set('k', 1));
    const lost = [...map].filter(([key]) => key.split(':').length > 3);
    for (const key of [...map.keys()]) map.delete(key);
    for (const [key, value] of lost) map.set(key, value);
    expect(await as('a', (cache) => cache.get('k'))).toBeUndefined();
    await as('a', (cache) => cache.set('l', 2));
    expect(await as('a', (cache) => cache.mget(['k', 'l']))).toEqual([undefined, 2]);
  });

  it('rejects if the store did not clear, and reads nothing from a store that fails', async () => {
    class Failing extends Map<string, unknown> {
      down = false;
      override get(key: string): unknown {
        if (this.down) throw new Error('down');
        return super.get(key);
      }
      override set(key: string, value: unknown): this {
        if (this.down || this.readOnly) throw new Error('down');
        return super.set(key, value);
      }
      readOnly = false;
    }
    const map = new Failing();
    const store = new Keyv({ store: map });
    store.on('error', () => undefined);
    const { as } = await start([store]);
    await as('a', (cache) => cache.set('k', 1));
    const clear = () => as('a', (cache) => cache.clear());
    const notCleared = expect.objectContaining({ code: 'TENANT_CACHE_NOT_CLEARED' });
    map.readOnly = true;
    await expect(clear()).rejects.toEqual(notCleared);
    map.down = true;
    await expect(clear()).rejects.toEqual(notCleared);
    for (const throwOnErrors of [false, true]) {
      store.throwOnErrors = throwOnErrors;
      expect(await as('a', (cache) => cache.get('k'))).toBeUndefined();
    }
    map.down = map.readOnly = store.throwOnErrors = false;
    expect(await as('a', (cache) => cache.get('k'))).toBe(1);
    await clear();
    expect(await as('a', (cache) => cache.get('k'))).toBeUndefined();
  });
});

describe('what TenantCache replaces', () => {
  it('clears all tenants: clear() of the cache on a Map', async () => {
    const { shared, tenancy } = await start(undefined);
    const key = (id: string) => tenancy.run(id, () => tenancy.key('plan'));
    for (const id of ['a', 'b']) await shared.set(await key(id), id);
    await tenancy.run('a', () => shared.clear());
    expect(await shared.get(await key('b'))).toBeUndefined();
  });

  it('shows entries of a tenant to one with the name of the namespace: Keyv', async () => {
    const { as, shared, tenancy } = await start([inMemory()]);
    await shared.set(await tenancy.run('a', () => tenancy.key('x')), 'of a');
    expect(await shared.get(await tenancy.run('keyv', () => tenancy.key('a', 'x')))).toBe('of a');
    await as('a', (cache) => cache.set('x', 'of a'));
    expect(await as('keyv', (cache) => cache.get('a:x'))).toBeUndefined();
  });
});

@Controller('plans')
class PlansController {
  constructor(private readonly cache: TenantCache) {}

  @Get()
  list(@Query('key') key: string) {
    return this.cache.wrap(key, async () => {
      await sleep(Math.random() * 5);
      return { of: currentTenantId() };
    });
  }

  @Delete()
  clear() {
    return this.cache.clear();
  }
}

describe.each(platforms)('TenantCache on $name', (platform) => {
  afterEach(closeAll);

  it('serves tenants at once, while some of them clear', async () => {
    const namespace = namespaceOf();
    @Module({
      imports: [
        TenantModule.forRoot({ strategy: 'header' }),
        CacheModule.register({ ttl: 1_000, stores: [onRedis(namespace)] }),
      ],
      controllers: [PlansController],
      providers: [TenantCache],
    })
    class AppModule {}
    const { url, app } = await serve(AppModule, platform);
    const ask = (tenant: string, method: string, key: string) =>
      fetch(`${url}/plans?key=${key}`, { method, headers: { 'x-tenant-id': tenant } });
    const tenants = Array.from({ length: 120 }, (_, i) => ['a', 'b', 'a.b', 'A'][i % 4]!);
    const answers = await Promise.all(
      tenants.map(async (tenant, i) => {
        const clears = i % 10 === 0;
        const response = await ask(tenant, clears ? 'DELETE' : 'GET', `${i % 3}`);
        return clears ? { of: tenant } : ((await response.json()) as unknown);
      }),
    );
    expect(answers).toEqual(tenants.map((of) => ({ of })));
    await app.get(Cache).clear();
  });
});
