import { Redis } from 'ioredis';

/** Start of the names of keys and channels. */
export const PREFIX = 'fledge:bench';

/** A connection to the Redis of `REDIS_URL`. */
export function redisClient(): Redis {
  const url = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
  return new Redis(url, { lazyConnect: true });
}

/** Removes what servers that were stopped left in Redis. */
export async function removeKeys(): Promise<void> {
  const redis = redisClient();
  for await (const keys of redis.scanStream({ match: `{${PREFIX}:*` })) {
    if ((keys as string[]).length > 0) await redis.del(keys as string[]);
  }
  redis.disconnect();
}
