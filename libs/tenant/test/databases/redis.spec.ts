// Needs Redis.
// Tenants share one connection to a real Redis. Its own COMMAND GETKEYS says which arguments are keys.
import { Tenancy, TenantModule } from '@fledge/tenant';
import { tenantRedis, type TenantRedis } from '@fledge/tenant/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command, Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { currentTenantId } from '../../../../test/support/served-tenants.js';
import { until } from '../../../../test/support/until.js';

const url = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const REDIS = Symbol('redis');
const base = `spec-${randomUUID()}:`;
const shared = new Redis(url, { keyPrefix: base, connectionName: base.slice(0, -1) });
const direct = new Redis(url);

let app: INestApplicationContext;
let redis: TenantRedis;
let tenancy: Tenancy;

@Module({
  imports: [
    TenantModule.forRoot({ strategy: 'header' }),
    TenantModule.forFeature([
      { provide: REDIS, useFactory: ({ tenantId }) => tenantRedis(shared, tenantId), max: 1_000 },
    ]),
  ],
})
class AppModule {}

beforeAll(async () => {
  app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  redis = app.get<TenantRedis>(REDIS);
  tenancy = app.get(Tenancy);
});

afterAll(async () => {
  const keys = await direct.keys(`${base}*`);
  if (keys.length > 0) await direct.del(...keys);
  await app.close();
  shared.disconnect();
  direct.disconnect();
});

const as = <R>(tenantId: string, run: () => R) => tenancy.run({ tenantId }, run);

/** Arguments by the places of keys, in words: `k1` and `k2` are keys. */
const SAMPLES: Record<string, string> = {
  k1: `decr get getdel getex incr strlen persist pttl ttl type hgetall hkeys hlen hvals llen lpop rpop
    scard smembers spop srandmember zcard zpopmax zpopmin zrandmember bitcount xlen pfadd geopos geohash`,
  'k1 v': `append decrby getset incrby incrbyfloat setnx expire expireat pexpire pexpireat set hexists hget
    hstrlen hdel hmget hscan lindex lpos lpush lpushx rpush rpushx sadd sismember smismember srem sscan
    zrank zrem zrevrank zscan zscore zmscore bitpos getbit xdel`,
  'k1 v v': `psetex setex setrange getrange hincrby hincrbyfloat hset hmset hsetnx lrange lrem lset ltrim
    zadd zcount zincrby zlexcount zrange zrangebylex zrangebyscore zremrangebylex zremrangebyrank
    zremrangebyscore zrevrange zrevrangebylex zrevrangebyscore setbit geodist xrange xrevrange`,
  'k1 v v v': 'linsert geoadd',
  'k1 k2': `mget del exists touch unlink rename renamenx rpoplpush sdiff sdiffstore sinter sinterstore sunion
    sunionstore pfcount pfmerge`,
  'k1 v k2 v': 'mset msetnx',
  'k1 k2 LEFT RIGHT': 'lmove',
  'k1 k2 v': 'smove',
  'k1 1 k2': 'zinterstore zunionstore',
  'k1 k2 0 -1': 'zrangestore',
  'AND k1 k2': 'bitop',
  'k1 FROMMEMBER v BYRADIUS 1 m': 'geosearch',
  'k1 k2 FROMMEMBER v BYRADIUS 1 m': 'geosearchstore',
  'k1 * f v': 'xadd',
  'k1 MAXLEN 1': 'xtrim',
  'return 2 k1 k2 v': 'eval evalsha',
};

describe('tenantRedis', () => {
  it('prefixes each key of each command, by what Redis itself says is a key', async () => {
    const samples = Object.entries(SAMPLES).flatMap(([args, names]) =>
      names.split(/\s+/).map((name) => [name, args.split(' ')] as const),
    );
    const commands = Object.keys(tenantRedis(shared, 'a'));
    expect(commands.filter((name) => !['pipeline', 'multi'].includes(name)).toSorted()).toEqual(
      samples.map(([name]) => name).toSorted(),
    );
    for (const [name, args] of samples) {
      const { args: sent } = new Command(name, args, { keyPrefix: 'p:' });
      const keys = await direct.call('COMMAND', 'GETKEYS', name, ...(sent as string[]));
      const expected = args.filter((arg) => /^k\d$/.test(arg)).map((key) => `p:${key}`);
      expect([name, keys]).toEqual([name, expected]);
    }
  });

  it('separates tenants whose ids look alike, at once, on one connection', async () => {
    const ids = [
      'a',
      'A',
      'a:b',
      'a%3Ab',
      '*',
      'ä',
      '@tenant',
      'bull',
      '__proto__',
      'x'.repeat(3_000),
    ];
    ids.push(...Array.from({ length: 500 }, (_, i) => `t${i}`));
    const seen = await Promise.all(
      ids.map((id) =>
        as(id, async () => {
          await redis.set('k', id);
          await redis.mset({ 'b:k': id, m: id });
          await redis.hset('h', 'f', id);
          const batch = await redis.pipeline().get('k').lpush('l', id).hgetall('h').exec();
          const transaction = await redis.multi().incr('n').get('m').incr('n').exec();
          const [key] = [Buffer.from('k')];
          return [
            currentTenantId(),
            await redis.get(key),
            await redis.mget('b:k', 'm', 'none'),
            batch?.map(([, value]) => value),
            transaction?.map(([, value]) => value),
            await redis.eval("return redis.call('get', KEYS[1])", 1, 'k'),
          ];
        }),
      ),
    );
    expect(seen).toEqual(
      ids.map((id) => [id, id, [id, id, null], [id, 1, { f: id }], [1, id, 2], id]),
    );
    const clients = (await direct.client('LIST')) as string;
    expect(clients.split(`name=${base.slice(0, -1)} `)).toHaveLength(2);
    const keys = await direct.keys(`${base}*`);
    expect(keys.filter((key) => !key.startsWith(`${base}@tenant:`))).toEqual([]);
    expect(keys).toContain(`${base}@tenant:a%3Ab:k`);
  });

  it('refuses other commands, and leaves the connection in order for the other tenants', async () => {
    await as('other', () => redis.set('k', 'theirs'));
    const theirs = `${base}@tenant:other:k`;
    shared.defineCommand('readAny', { numberOfKeys: 1, lua: "return redis.call('get', KEYS[1])" });
    type Batch = ReturnType<TenantRedis['pipeline']>;
    const attempts: ((batch: Batch) => unknown)[] = [
      (batch) => batch.flushall(),
      (batch) => batch.call('FlushDB'),
      (batch) => batch.keys('*'),
      (batch) => batch.scan(0),
      (batch) => batch.publish('news', '1'),
      (batch) => batch.subscribe('news'),
      (batch) => batch.select(1),
      (batch) => batch.watch('k'),
      (batch) => batch.call('multi'),
      (batch) => batch.call('discard'),
      (batch) => batch.zdiffstore('k', 1, 'k'),
      (batch) => batch.blpop('k', 0),
      (batch) => batch.sort('k', 'BY', 'other:*'),
      (batch) => batch.xread('BLOCK', 0, 'STREAMS', 'k', '$'),
      (batch) => batch.client('KILL', 'ID', 1),
      (batch) => batch.eval(`return redis.call('get', '${theirs}')`, 0),
      (batch) => batch.eval(`return redis.call('get', KEYS[1])`, 'x', theirs),
      (batch) => (batch as unknown as { readAny(key: string): unknown }).readAny('@tenant:other:k'),
      (batch) =>
        (batch as unknown as { addBatch(c: unknown[]): unknown }).addBatch([['keys', '*']]),
    ];
    const refused = expect.objectContaining({ code: 'TENANT_INVALID_OPTION' });
    await as('evil', async () => {
      for (const attempt of attempts) {
        for (const batch of [redis.pipeline(), redis.multi()]) {
          batch.set('k', 'mine');
          expect(() => attempt(batch)).toThrow(refused);
        }
      }
      for (const name of [
        'keys',
        'publish',
        'flushall',
        'call',
        'duplicate',
        'sendCommand',
        'quit',
      ]) {
        expect(Reflect.get(redis, name)).toBeUndefined();
      }
      expect(() => redis.eval('return 1', 0)).toThrow(refused);
      expect(await redis.get('other:k')).toBeNull();
      expect(await redis.get('../other:k')).toBeNull();
    });
    const values = await Promise.all(
      ['other', 'evil', 'third'].map((id) => as(id, () => redis.get('k'))),
    );
    expect(values).toEqual(['theirs', null, null]);
    expect(await shared.ping()).toBe('PONG');
  });

  it('keeps transactions that fail in the middle to themselves', async () => {
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        as(`f${i}`, async () => {
          if (i % 2 === 1) return redis.multi().set('k', i).get('k').exec();
          return redis
            .multi()
            .set('k', 'text')
            .incr('k')
            .exec()
            .then((done) => done?.map(([error]) => error?.message.slice(0, 13) ?? null));
        }),
      ),
    );
    expect(results).toEqual(
      results.map((_, i) =>
        i % 2 === 1
          ? [
              [null, 'OK'],
              [null, String(i)],
            ]
          : [null, 'ERR value is '],
      ),
    );
  });

  it('calls back in the scope of the caller', async () => {
    const ids = Array.from({ length: 50 }, (_, i) => `c${i}`);
    const seen = await Promise.all(
      ids.map((id) =>
        as(
          id,
          () => new Promise((resolve) => void redis.get('k', () => resolve(currentTenantId()))),
        ),
      ),
    );
    expect(seen).toEqual(ids);
  });

  it('works with a connection whose commands are pipelined automatically', async () => {
    const automatic = new Redis(url, { enableAutoPipelining: true, keyPrefix: base });
    const ids = ['a1', 'a2', 'a3'];
    const clients = ids.map((id) => tenantRedis(automatic, id));
    await Promise.all(clients.map((client, i) => client.set('k', ids[i]!)));
    expect(await Promise.all(clients.map((client) => client.get('k')))).toEqual(ids);
    automatic.disconnect();
  });

  it('goes on after the connection was lost', async () => {
    const lost = new Redis(url, { keyPrefix: base, retryStrategy: () => 5 });
    const [a, b] = [tenantRedis(lost, 'l1'), tenantRedis(lost, 'l2')];
    await Promise.all([a.set('k', 1), b.set('k', 2)]);
    const id = await lost.client('ID');
    await direct.client('KILL', 'ID', id);
    expect(await Promise.all([a.get('k'), b.multi().get('k').exec()])).toEqual([
      '1',
      [[null, '2']],
    ]);
    lost.disconnect();
  });

  it.each([
    [undefined, 'a'],
    [{}, 'a'],
    [shared, ''],
    [shared, undefined],
  ])('refuses arguments that are no connection and tenant', (connection, tenantId) => {
    expect(() => tenantRedis(connection as Redis, tenantId as string)).toThrow(
      /tenantRedis\(\) needs/,
    );
  });

  it('refuses to work without a tenant', () => {
    expect(() => redis.get('k')).toThrow(
      expect.objectContaining({ code: 'TENANT_CONTEXT_MISSING' }),
    );
  });
});

describe('messages', () => {
  it('reach a listener in the scope of the subscriber, and that of their tenant by runFrom', async () => {
    const channel = `${base}news`;
    const subscriber = new Redis(url);
    const heard: [string, unknown, unknown][] = [];
    await tenancy.run('opener', () => subscriber.subscribe(channel));
    subscriber.on('message', (_, message) => {
      const { metadata, of } = JSON.parse(message) as { metadata: unknown; of: string };
      const unbound = currentTenantId();
      void tenancy.runFrom(metadata, () => heard.push([of, currentTenantId(), unbound]));
    });
    const ids = ['a', 'b', 'c', 'a'];
    const publish = (of: string) =>
      direct.publish(channel, JSON.stringify({ metadata: tenancy.metadata(), of }));
    await Promise.all(ids.map((of) => tenancy.run(of, () => publish(of))));
    await until(() => heard.length === 4);
    expect(heard.map(([of, bound]) => [of, bound])).toEqual(heard.map(([of]) => [of, of]));
    expect(heard.every(([of, , unbound]) => of === unbound)).toBe(false);
    subscriber.disconnect();
  });
});
