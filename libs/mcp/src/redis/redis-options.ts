import {
  kind,
  type OptionTable,
  type ReadOptions,
  readOptions,
  text,
} from '@fledge-internal/options';
import type { Redis } from 'ioredis';
import { placeOf } from '../options/option-rules.js';

export interface RedisSessionOptions {
  /**
   * ioredis client. Fledge opens two duplicates of this client for each endpoint. Fledge does not
   * send commands on the client itself, and does not close it. Create the client with `lazyConnect:
   * true` to avoid an unused connection.
   */
  readonly client: Redis;
  /**
   * Prefix of all keys and channels in Redis, after the `keyPrefix` of the client. Applications
   * that share a Redis need different prefixes.
   * @default 'fledge:mcp'
   */
  readonly prefix?: string;
}

export interface RedisTaskOptions {
  /**
   * ioredis client. Fledge opens two duplicates of this client for each endpoint. Fledge does not
   * send commands on the client itself, and does not close it. Create the client with `lazyConnect:
   * true` to avoid an unused connection.
   */
  readonly client: Redis;
  /**
   * Prefix of all keys and channels in Redis, after the `keyPrefix` of the client. Applications
   * that share a Redis need different prefixes.
   * @default 'fledge:mcp'
   */
  readonly prefix?: string;
}

export interface RedisWriteOptions {
  /**
   * ioredis client. Fledge opens one duplicate of this client for each endpoint. Fledge does not
   * send commands on the client itself, and does not close it. Create the client with `lazyConnect:
   * true` to avoid an unused connection.
   */
  readonly client: Redis;
  /**
   * Prefix of all keys in Redis, after the `keyPrefix` of the client. Applications that share a
   * Redis need different prefixes.
   * @default 'fledge:mcp'
   */
  readonly prefix?: string;
}

const OPTIONS = {
  client: kind<Redis>(
    'an ioredis client, such as new Redis()',
    (value) => typeof (value as Partial<Redis> | null)?.duplicate === 'function',
  ).required,
  prefix: text.default('fledge:mcp'),
} satisfies OptionTable<RedisSessionOptions & RedisTaskOptions & RedisWriteOptions>;

/** @throws McpOptionError for an unknown option or an invalid value */
export function readRedisOptions(given: object, call: string): ReadOptions<typeof OPTIONS> {
  const { client, prefix } = readOptions(given, OPTIONS, placeOf(call));
  // ioredis adds its prefix to keys only, but channels need the prefix too.
  return { client, prefix: `${client.options?.keyPrefix ?? ''}${prefix}` };
}
