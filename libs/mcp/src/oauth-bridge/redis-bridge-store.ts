import {
  isObject,
  kind,
  type OptionTable,
  Place,
  readOptions,
  text,
} from '@fledge-internal/options';
import { withDeadline } from '@fledge/core/packages';
import type { Redis } from 'ioredis';
import { McpOptionError } from '../mcp.errors.js';
import type { OauthBridgeStore } from './bridge-store.js';

export interface RedisBridgeStoreOptions {
  /** Redis client. The application closes it. */
  readonly client: Redis;
  /** Prefix of each key. @default 'fledge:oauth-bridge:' */
  readonly prefix?: string;
}

const OPTIONS = {
  client: kind<Redis>('an ioredis client, such as new Redis()', isObject).required,
  prefix: text.default('fledge:oauth-bridge:'),
} satisfies OptionTable<RedisBridgeStoreOptions>;

/**
 * Maximum milliseconds to wait for Redis. Without a limit, ioredis waits until Redis is available
 * again.
 */
const WAIT_MS = 2_000;

/**
 * Stores the records of the bridge in Redis. Several processes can share the records. While Redis
 * is unavailable, requests get status 503.
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
      // The first PEXPIRE sets a missing lifetime. The second PEXPIRE only extends an existing
      // lifetime.
      await within(
        client.multi().sadd(at, member).pexpire(at, ttl, 'NX').pexpire(at, ttl, 'GT').exec(),
      );
    },
    membersOf: (key) => within(client.smembers(prefix + key)),
  };
}

function within<T>(answer: Promise<T>): Promise<T> {
  const late = () => new Error(`Redis did not respond within ${WAIT_MS} ms`);
  return withDeadline(answer, WAIT_MS, late);
}
