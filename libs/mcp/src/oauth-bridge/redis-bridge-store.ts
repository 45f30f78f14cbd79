import {
  isObject,
  kind,
  type OptionTable,
  Place,
  readOptions,
  text,
} from '@fledge-internal/options';
import type { Redis } from 'ioredis';
import { McpOptionError } from '../mcp.errors.js';
import type { OauthBridgeStore } from './bridge-store.js';

export interface RedisBridgeStoreOptions {
  /** The application closes it. */
  readonly client: Redis;
  /** Start of each key. @default 'fledge:oauth-bridge:' */
  readonly prefix?: string;
}

const OPTIONS = {
  client: kind<Redis>('a client of ioredis', isObject).required,
  prefix: text.default('fledge:oauth-bridge:'),
} satisfies OptionTable<RedisBridgeStoreOptions>;

/** Maximum milliseconds to wait for Redis, which ioredis would otherwise do until it is back. */
const WAIT_MS = 2_000;

/**
 * Keeps the records of the bridge in Redis, for several processes. While Redis is down, requests get 503.
 * @throws McpOptionError for an unknown or invalid option
 *
 * @example
 * ```ts
 * OauthBridgeModule.forRoot({ ..., store: redisBridgeStore({ client: new Redis() }) })
 * ```
 */
export function redisBridgeStore(options: RedisBridgeStoreOptions): OauthBridgeStore {
  const toError = (message: string) => new McpOptionError(message);
  const place = Place.ofCall(toError, 'redisBridgeStore');
  const { client, prefix } = readOptions(options, OPTIONS, place);
  return {
    get: async (key) => (await within(client.get(prefix + key))) ?? undefined,
    async set(key, value, ttlMs) {
      await within(client.set(prefix + key, value, 'PX', Math.ceil(ttlMs)));
    },
    async add(key, value, ttlMs) {
      const said = await within(client.set(prefix + key, value, 'PX', Math.ceil(ttlMs), 'NX'));
      return said === 'OK';
    },
    async extend(key, ttlMs) {
      await within(client.pexpire(prefix + key, Math.ceil(ttlMs)));
    },
    async delete(...keys) {
      if (keys.length > 0) await within(client.del(keys.map((key) => prefix + key)));
    },
    async addToSet(key, member, ttlMs) {
      const at = prefix + key;
      const ttl = Math.ceil(ttlMs);
      // Without a time, the first PEXPIRE sets it. With one, the second makes it longer only.
      await within(
        client.multi().sadd(at, member).pexpire(at, ttl, 'NX').pexpire(at, ttl, 'GT').exec(),
      );
    },
    membersOf: (key) => within(client.smembers(prefix + key)),
  };
}

async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis gave no answer in ${WAIT_MS} ms`)), WAIT_MS);
  });
  // The answer may fail after the time-out, when nothing waits for it.
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
