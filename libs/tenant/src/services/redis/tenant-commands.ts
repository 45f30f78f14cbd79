/**
 * The commands of a tenant: those that name each key they use, so that each gets the tenant's prefix. Left
 * out is what has no key (KEYS, SCAN, PUBLISH, FLUSHDB), what changes the connection (SELECT, WATCH,
 * SUBSCRIBE), what keeps other tenants waiting (BLPOP, XREAD) and what takes patterns of keys (SORT). ZDIFFSTORE
 * is left out, too: ioredis with @ioredis/commands before 1.2 prefixes its first key only.
 */
// oxfmt-ignore
export const TENANT_COMMANDS = [
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
