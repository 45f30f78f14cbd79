// Needs Redis.
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import type { ResolvedBridge } from '../../src/oauth-bridge/bridge-checks.js';
import { MemoryBridgeStore, type OauthBridgeStore } from '../../src/oauth-bridge/bridge-store.js';
import { ProviderAdapter } from '../../src/oauth-bridge/provider-adapter.js';
import { redisBridgeStore } from '../../src/oauth-bridge/redis-bridge-store.js';
import { until } from '../../../../test/support/until.js';

const client = new Redis(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379');
afterAll(() => client.quit());

describe.each([
  ['in memory', () => new MemoryBridgeStore()],
  ['in Redis', () => redisBridgeStore({ client, prefix: `spec:${Math.random()}:` })],
])('a store %s', (_name, make) => {
  it('keeps values for their time', async () => {
    const store = make();
    expect(await store.get('a')).toBeUndefined();
    await store.set('a', '1', 60_000);
    expect(await store.get('a')).toBe('1');
    await store.set('a', '2', 20);
    await until(async () => (await store.get('a')) === undefined);
    await store.set('b', '1', 30_000);
    await store.extend('b', 1);
    await until(async () => (await store.get('b')) === undefined);
    await store.extend('b', 60_000);
    expect(await store.get('b')).toBeUndefined();
  });

  it('adds a value once', async () => {
    const store = make();
    const said = await Promise.all([1, 2, 3].map((each) => store.add('a', String(each), 60_000)));
    expect(said).toEqual([true, false, false]);
    expect(await store.get('a')).toBe('1');
    await store.delete('a', 'b');
    expect(await store.add('a', '4', 60_000)).toBe(true);
    await store.delete();
  });

  it('keeps sets as long as their last member', async () => {
    const store = make();
    expect(await store.membersOf('s')).toEqual([]);
    await store.addToSet('s', 'a', 60_000);
    await store.addToSet('s', 'b', 1);
    expect([...(await store.membersOf('s'))].toSorted()).toEqual(['a', 'b']);
    await store.addToSet('t', 'a', 10);
    await until(async () => (await store.membersOf('t')).length === 0);
  });
});

it('fails in seconds while Redis is down', async () => {
  const down = new Redis({ port: 1, lazyConnect: true, retryStrategy: () => 100 });
  down.on('error', () => undefined);
  await expect(redisBridgeStore({ client: down }).get('a')).rejects.toThrow(
    'Redis did not respond within 2000 ms',
  );
  down.disconnect();
});

it('drops the oldest of too many records in memory', async () => {
  const store = new MemoryBridgeStore();
  for (let i = 0; i < 10_001; i++) await store.set(`k${i}`, 'v', 60_000);
  expect([await store.get('k0'), await store.get('k1')]).toEqual([undefined, 'v']);
});

describe('an adapter', () => {
  const DAY_MS = 86_400_000;

  function adapterOf(kind: string, store: OauthBridgeStore): ProviderAdapter {
    const options = {
      store,
      refreshTokenReuseMs: 60_000,
      refreshTokenTtlMs: 180 * DAY_MS,
      accessTokenTtlMs: 60_000,
    };
    return new ProviderAdapter(kind, options as ResolvedBridge, Error as never);
  }

  it('knows a replaced refresh token, and its client, as long as the token lasts', async () => {
    const store = new MemoryBridgeStore();
    const [tokens, clients] = [adapterOf('RefreshToken', store), adapterOf('Client', store)];
    await clients.upsert('c', {});
    await tokens.upsert('t', { grantId: 'g' }, 180 * 86_400);
    await tokens.consume('t');
    const now = Date.now;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 179 * DAY_MS);
    try {
      expect(await clients.find('c')).toEqual({});
      expect(await tokens.find('t')).toMatchObject({ consumed: expect.any(Number) });
      await expect(tokens.consume('t')).rejects.toThrow();
    } finally {
      clock.mockRestore();
    }
  });

  it('starts a new set of tokens after the lifetime of a token, and revokes both', async () => {
    const prefix = `spec:${Math.random()}:`;
    const tokens = adapterOf('RefreshToken', redisBridgeStore({ client, prefix }));
    await tokens.upsert('a', { grantId: 'g' }, 60);
    const now = Date.now;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 180 * DAY_MS);
    try {
      await tokens.upsert('b', { grantId: 'g' }, 60);
      const sets = await client.keys(`${prefix}grant-members:g:*`);
      expect(await Promise.all(sets.map((set) => client.scard(set)))).toEqual([1, 1]);
      await tokens.revokeByGrantId('g');
    } finally {
      clock.mockRestore();
    }
    expect(await client.keys(`${prefix}*`)).toEqual([]);
  });

  it('revokes a grant with 200,000 tokens', async () => {
    const prefix = `spec:${Math.random()}:`;
    const store = redisBridgeStore({ client, prefix });
    const tokens = adapterOf('RefreshToken', store);
    await tokens.upsert('19.9999', { grantId: 'g' }, 60);
    const [members] = await client.keys(`${prefix}grant-members:g:*`);
    for (let i = 0; i < 20; i++) {
      await client.sadd(
        members!,
        Array.from({ length: 10_000 }, (_, j) => `RefreshToken:${i}.${j}`),
      );
    }
    await tokens.revokeByGrantId('g');
    expect(await client.keys(`${prefix}*`)).toEqual([]);
  });
});
