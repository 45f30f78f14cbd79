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
   * ioredis client. Fledge opens two duplicates of it for each endpoint and sends nothing on the
   * client itself. The application closes it. Create it with `lazyConnect: true` to avoid an unused
   * connection.
   */
  readonly client: Redis;
  /**
   * Prefix of the names of keys and channels. Applications that share a Redis need different
   * prefixes. @default 'fledge:mcp'
   */
  readonly prefix?: string;
}

export interface RedisTaskOptions {
  /**
   * ioredis client. Fledge opens two duplicates of it for each endpoint and sends nothing on the
   * client itself. The application closes it. Create it with `lazyConnect: true` to avoid an unused
   * connection.
   */
  readonly client: Redis;
  /**
   * Prefix of the names of keys and channels. Applications that share a Redis need different
   * prefixes. @default 'fledge:mcp'
   */
  readonly prefix?: string;
}

export interface RedisWriteOptions {
  /**
   * ioredis client. Fledge opens one duplicate of it for each endpoint and sends nothing on the
   * client itself. The application closes it. Create it with `lazyConnect: true` to avoid an unused
   * connection.
   */
  readonly client: Redis;
  /**
   * Prefix of the names of keys. Applications that share a Redis need different prefixes.
   * @default 'fledge:mcp'
   */
  readonly prefix?: string;
}

const OPTIONS = {
  client: kind<Redis>(
    'a client of ioredis, such as new Redis()',
    (value) => typeof (value as Partial<Redis> | null)?.duplicate === 'function',
  ).required,
  prefix: text.default('fledge:mcp'),
} satisfies OptionTable<RedisSessionOptions & RedisTaskOptions & RedisWriteOptions>;

/** @throws McpOptionError for an unknown option or an invalid value */
export function readRedisOptions(given: object, call: string): ReadOptions<typeof OPTIONS> {
  return readOptions(given, OPTIONS, placeOf(call));
}
