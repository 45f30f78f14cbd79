import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';

/** Where the jobs of one spec stand: a prefix nobody else uses, on a real Redis. */
export class RedisCorner {
  readonly prefix = `fledge-spec-${randomUUID()}`;
  readonly connection: { readonly url: string };
  private readonly redis: Redis;

  constructor(readonly url = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379') {
    this.connection = { url };
    this.redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  }

  /** Fails where there is no Redis, so that no spec passes without one. */
  async reach(): Promise<void> {
    await this.redis.connect().catch((cause: unknown) => {
      throw new Error(`No Redis at ${this.url}. Start one, or set REDIS_URL.`, { cause });
    });
  }

  /** Removes what was left. */
  async clear(): Promise<void> {
    const keys = await this.redis.keys(`${this.prefix}:*`);
    if (keys.length > 0) await this.redis.del(...keys);
    await this.redis.quit();
  }
}
