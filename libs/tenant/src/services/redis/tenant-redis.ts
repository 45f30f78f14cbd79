import type { ChainableCommander, Command, Redis } from 'ioredis';
import { buildKey } from '../../scope/tenant-keys.js';
import { TenantOptionError } from '../../tenant.errors.js';

/** Commands of ioredis. Their keys belong to one tenant. */
export interface TenantRedis extends Pick<Redis, TenantCommand> {
  /**
   * Collects commands and sends them together. Throws TenantOptionError if a command is not in
   * `TenantRedis`.
   */
  pipeline(): ChainableCommander;
  /**
   * Collects commands and sends them together as a transaction. Throws in the same cases as
   * `pipeline()`.
   */
  multi(): ChainableCommander;
}

/**
 * Returns Redis commands for one tenant. All tenants share one connection. Each key gets a prefix
 * such as `@tenant:acme:`. Two kinds of commands are not available: commands without keys, such as
 * SCAN or PUBLISH, and commands that block or change the connection. The function opens no
 * connection, so you do not have to close one.
 *
 * @param connection a client of ioredis. It must not be in subscriber mode
 * @throws TenantOptionError if `connection` is not a client of ioredis, or `tenantId` is empty
 * @example
 * ```ts
 * TenantModule.forFeature([
 *   { provide: REDIS, inject: [Redis], useFactory: ({ tenantId }, redis: Redis) => tenantRedis(redis, tenantId) },
 * ])
 * ```
 */
export function tenantRedis(connection: Redis, tenantId: string): TenantRedis {
  const guarded = guardedViewOf(connection, prefixOf(connection, tenantId));
  const commands: Record<string, unknown> = {
    pipeline: () => guardedBatch(guarded, guarded.connection.pipeline(), []),
    multi: () => guardedBatch(guarded, guarded.connection.multi(), ['exec']),
  };
  for (const name of TENANT_COMMANDS) {
    commands[name] = (...args: unknown[]) => callOf(guarded.connection, name)(...args);
  }
  // The methods are created from the names in TENANT_COMMANDS, so TypeScript cannot infer the type.
  return Object.freeze(commands) as unknown as TenantRedis;
}

interface Guarded {
  readonly connection: Redis;
  /** @throws TenantOptionError for a command that is not allowed */
  readonly check: (command: Command, alsoAllowed?: readonly string[]) => void;
}

function guardedViewOf(connection: Redis, keyPrefix: string): Guarded {
  const check: Guarded['check'] = (command, alsoAllowed = []) => {
    const name = command.name.toLowerCase();
    if (alsoAllowed.includes(name)) return;
    if (!allowed.has(name)) throw refusal(name, 'is not allowed on the connection of a tenant');
    const keys = command.getKeys();
    if (keys.length === 0) throw refusal(name, 'has no key');
    // Scripts of defineCommand() are rejected, because they use the connection's prefix.
    if (!keys.every((key) => String(key).startsWith(keyPrefix))) {
      throw refusal(name, 'has a key without the prefix of the tenant');
    }
  };
  // ioredis reads `this.options` to create commands, and sends them with `this.sendCommand()`. The
  // view inherits everything else from the connection, such as the socket. Automatic pipelines are
  // off, because they would mix commands of several tenants.
  const view = Object.create(connection, {
    options: { value: { ...connection.options, keyPrefix, enableAutoPipelining: false } },
    sendCommand: {
      value: (command: Command, ...rest: unknown[]): unknown => {
        if (rest.length === 0) check(command);
        return (connection.sendCommand as (...args: unknown[]) => unknown)(command, ...rest);
      },
    },
  }) as Redis;
  return { connection: view, check };
}

/**
 * Commands are checked when they are added. An error during sending would leave earlier commands
 * waiting for a reply.
 */
function guardedBatch(
  { check }: Guarded,
  batch: ChainableCommander,
  alsoAllowed: readonly string[],
): ChainableCommander {
  const sender = batch as unknown as { sendCommand: (command: Command) => unknown };
  const add = sender.sendCommand.bind(batch);
  sender.sendCommand = (command) => {
    check(command, alsoAllowed);
    return add(command);
  };
  return batch;
}

function callOf(connection: Redis, name: TenantCommand): (...args: unknown[]) => unknown {
  return (connection[name] as (...args: unknown[]) => unknown).bind(connection);
}

/**
 * Returns the key prefix. It contains `@`, because other keys must not start with the prefix, for
 * example the keys of a queue named "bull".
 */
function prefixOf(connection: Redis, tenantId: string): string {
  // The id can have any type if the application is written in JavaScript.
  if (typeof (connection as Partial<Redis> | undefined)?.sendCommand !== 'function') {
    throw new TenantOptionError('tenantRedis() needs a client of ioredis: new Redis(url).');
  }
  if (typeof tenantId !== 'string' || tenantId === '') {
    throw new TenantOptionError('tenantRedis() needs a tenant id. Pass tenant.tenantId.');
  }
  return `${connection.options.keyPrefix ?? ''}@tenant:${buildKey(tenantId, [])}:`;
}

function refusal(name: string, reason: string): TenantOptionError {
  return new TenantOptionError(
    `The command ${name.toUpperCase()} ${reason}. Use a command of TenantRedis, or use the ` +
      `shared connection with tenancy.key().`,
  );
}

/**
 * The available commands. The arguments of each contain every key that the command uses, so each
 * key gets the tenant's prefix. Omitted are commands without keys (KEYS, SCAN, PUBLISH, FLUSHDB),
 * commands that change the connection (SELECT, WATCH, SUBSCRIBE) or block other tenants (BLPOP,
 * XREAD), and commands with key patterns (SORT). ZDIFFSTORE is also omitted, because ioredis with
 * @ioredis/commands before 1.2 prefixes only its first key.
 */
// oxfmt-ignore
const TENANT_COMMANDS = [
  'append', 'decr', 'decrby', 'get', 'getdel', 'getex', 'getrange', 'getset', 'incr', 'incrby',
  'incrbyfloat', 'mget', 'mset', 'msetnx', 'psetex', 'set', 'setex', 'setnx', 'setrange',
  'strlen', 'del', 'exists', 'expire', 'expireat', 'persist', 'pexpire', 'pexpireat', 'pttl',
  'rename', 'renamenx', 'touch', 'ttl', 'type', 'unlink', 'hdel', 'hexists', 'hget', 'hgetall',
  'hincrby', 'hincrbyfloat', 'hkeys', 'hlen', 'hmget', 'hmset', 'hscan', 'hset', 'hsetnx',
  'hstrlen', 'hvals', 'lindex', 'linsert', 'llen', 'lmove', 'lpop', 'lpos', 'lpush', 'lpushx',
  'lrange', 'lrem', 'lset', 'ltrim', 'rpop', 'rpoplpush', 'rpush', 'rpushx', 'sadd', 'scard',
  'sdiff', 'sdiffstore', 'sinter', 'sinterstore', 'sismember', 'smembers', 'smismember', 'smove',
  'spop', 'srandmember', 'srem', 'sscan', 'sunion', 'sunionstore', 'zadd', 'zcard', 'zcount',
  'zincrby', 'zinterstore', 'zlexcount', 'zmscore', 'zpopmax', 'zpopmin', 'zrandmember', 'zrange',
  'zrangebylex', 'zrangebyscore', 'zrangestore', 'zrank', 'zrem', 'zremrangebylex',
  'zremrangebyrank', 'zremrangebyscore', 'zrevrange', 'zrevrangebylex', 'zrevrangebyscore',
  'zrevrank', 'zscan', 'zscore', 'zunionstore', 'bitcount', 'bitop', 'bitpos', 'getbit', 'setbit',
  'pfadd', 'pfcount', 'pfmerge', 'geoadd', 'geodist', 'geohash', 'geopos', 'geosearch',
  'geosearchstore', 'xadd', 'xdel', 'xlen', 'xrange', 'xrevrange', 'xtrim', 'eval', 'evalsha',
] as const;

/** Name of a command of a tenant. */
export type TenantCommand = (typeof TENANT_COMMANDS)[number];

const allowed: ReadonlySet<string> = new Set(TENANT_COMMANDS);
