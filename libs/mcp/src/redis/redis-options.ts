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
   * Its duplicates connect, two for each endpoint; it sends nothing itself. The application closes it. A client that
   * is made with `lazyConnect: true` needs no connection of its own.
   */
  readonly client: Redis;
  /** Start of the names of keys and channels. Applications on one Redis need different ones. @default 'fledge:mcp' */
  readonly prefix?: string;
}

export interface RedisTaskOptions {
  /**
   * Its duplicates connect, two for each endpoint; it sends nothing itself. The application closes it. A client that
   * is made with `lazyConnect: true` needs no connection of its own.
   */
  readonly client: Redis;
  /** Start of the names of keys and channels. Applications on one Redis need different ones. @default 'fledge:mcp' */
  readonly prefix?: string;
}

export interface RedisWriteOptions {
  /**
   * Its duplicates connect, one for each endpoint; it sends nothing itself. The application closes it. A client that is
   * made with `lazyConnect: true` needs no connection of its own.
   */
  readonly client: Redis;
  /** Start of the names of keys. Applications on one Redis need different ones. @default 'fledge:mcp' */
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
