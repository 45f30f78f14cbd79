// Needs Redis.
import { afterAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { MemoryBridgeStore } from '../../src/oauth-bridge/bridge-store.js';
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
