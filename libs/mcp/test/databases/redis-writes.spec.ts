// Needs Redis.
import { afterAll, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { redisWrites } from '../../src/redis/redis-writes.js';

const redis = new Redis(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379');
const prefix = `spec:writes:${process.pid}`;

afterAll(async () => {
  const keys = await redis.keys(`*${prefix}*`);
  if (keys.length > 0) await redis.del(keys);
  await redis.quit();
});

it('keeps the key of a running call as long as its lease, and of an ended call for its time', async () => {
  const writes = await redisWrites({ client: redis, prefix }).connect({ path: '/' });
  try {
    const write = { args: {} };
    const key = `{${prefix}:writes:/}:write:k`;
    expect(await writes.begin('k', write, 1_000)).toBeUndefined();
    expect(await redis.pttl(key)).toBeGreaterThan(1_000);
    await redis.pexpire(key, 1_000);
    await writes.renew('k');
    expect(await redis.pttl(key)).toBeGreaterThan(1_000);
    expect(await writes.find('k')).toEqual({ write, isRunning: true });
    await writes.begin('long', write, 86_400_000);
    await writes.renew('long');
    expect(await redis.pttl(`{${prefix}:writes:/}:write:long`)).toBeGreaterThan(86_000_000);
    await writes.end('k', write, 1_000);
    expect(await redis.pttl(key)).toBeLessThanOrEqual(1_000);
  } finally {
    await writes.close();
  }
});
