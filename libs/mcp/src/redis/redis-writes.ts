import { randomBytes } from 'node:crypto';
import { RareWarnings } from '@fledge/core/packages';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type {
  McpKnownWrite,
  McpWrite,
  McpWrites,
  McpWriteStore,
} from '../extensions/writes/write-store.js';
import { CONNECTION_OPTIONS } from './connection.js';
import { readRedisOptions, type RedisWriteOptions } from './redis-options.js';

/**
 * Milliseconds until the process of a call is considered dead, unless the process renews the lease.
 */
const LEASE_MS = 30_000;

/**
 * Adds a call, unless the call already exists. `KEYS` are the key of the call and the key of the
 * lease. If the call exists, returns the call, and 1 if the call is still running.
 */
const BEGIN = `
local write = redis.call('GET', KEYS[1])
if write then return { write, redis.call('EXISTS', KEYS[2]) } end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('SET', KEYS[2], '1', 'PX', ARGV[3])
return {}
`;

/** Returns the same as `BEGIN`, but does not add a call. */
const FIND = `
local write = redis.call('GET', KEYS[1])
if not write then return {} end
return { write, redis.call('EXISTS', KEYS[2]) }
`;

type Reply = readonly [] | readonly [write: string, isRunning: number];

interface Commands {
  fledgeMcp_findWrite(...keys: string[]): Promise<Reply>;
  fledgeMcp_beginWrite(...args: (string | number)[]): Promise<Reply>;
}

/**
 * Stores the idempotency keys of an endpoint in Redis. Both Redis keys of a call are in the same
 * slot of a cluster.
 */
class SharedWrites implements McpWrites {
  private readonly redis: Redis & Commands;

  constructor(
    client: Redis,
    private readonly base: string,
  ) {
    const warnings = new RareWarnings(new Logger('McpRedis'));
    const redis = client.duplicate(CONNECTION_OPTIONS);
    redis.defineCommand('fledgeMcp_findWrite', { lua: FIND, numberOfKeys: 2 });
    redis.defineCommand('fledgeMcp_beginWrite', { lua: BEGIN, numberOfKeys: 2 });
    redis.on('error', ({ message }: Error) => {
      warnings.warn(
        () =>
          `Redis is not available. Until Redis is available, safe writes are rejected: ${message}`,
      );
    });
    this.redis = redis as Redis & Commands;
  }

  /**
   * Resolves when Redis is connected. Also resolves if the connection fails. Then Redis is
   * connected later.
   */
  async start(): Promise<void> {
    await this.redis.connect().catch(() => undefined);
  }

  async find(key: string): Promise<McpKnownWrite | undefined> {
    return knownIn(await this.redis.fledgeMcp_findWrite(...this.keysOf(key)));
  }

  async begin(key: string, write: McpWrite, ttlMs: number): Promise<McpKnownWrite | undefined> {
    const args = [JSON.stringify(write), Math.max(ttlMs, LEASE_MS), LEASE_MS];
    return knownIn(await this.redis.fledgeMcp_beginWrite(...this.keysOf(key), ...args));
  }

  async renew(key: string): Promise<void> {
    const [name, lease] = this.keysOf(key);
    // A call may run longer than its key is stored. Keep the key at least as long as the lease.
    await this.redis.multi().pexpire(name, LEASE_MS, 'GT').pexpire(lease, LEASE_MS).exec();
  }

  async end(key: string, write: McpWrite, ttlMs: number): Promise<void> {
    const [name, lease] = this.keysOf(key);
    await this.redis.multi().set(name, JSON.stringify(write), 'PX', ttlMs).del(lease).exec();
  }

  async free(key: string): Promise<void> {
    await this.redis.del(...this.keysOf(key));
  }

  async useUp(name: string, ttlMs: number): Promise<boolean> {
    return (await this.redis.set(`${this.base}:used:${name}`, '1', 'PX', ttlMs, 'NX')) === 'OK';
  }

  async secret(): Promise<string> {
    const fresh = randomBytes(32).toString('base64url');
    return (await this.redis.set(`${this.base}:secret`, fresh, 'NX', 'GET')) ?? fresh;
  }

  close(): Promise<void> {
    this.redis.disconnect();
    return Promise.resolve();
  }

  private keysOf(key: string): [write: string, lease: string] {
    return [`${this.base}:write:${key}`, `${this.base}:lease:${key}`];
  }
}

function knownIn([write, isRunning]: Reply): McpKnownWrite | undefined {
  return write === undefined
    ? undefined
    : { write: JSON.parse(write) as McpWrite, isRunning: isRunning === 1 };
}

/**
 * Stores idempotency keys and used confirmations in Redis, so they apply to all processes of an
 * application and survive a restart. Requires Redis 7 or Valkey.
 *
 * @example
 * ```ts
 * McpModule.forRoot({ name: 'task-api', writes: { store: redisWrites({ client: new Redis() }) } })
 * ```
 */
export function redisWrites(options: RedisWriteOptions): McpWriteStore {
  const { client, prefix } = readRedisOptions(options, 'redisWrites');
  return {
    connect: async ({ path }) => {
      const writes = new SharedWrites(client, `{${prefix}:writes:${path}}`);
      await writes.start();
      return writes;
    },
  };
}
