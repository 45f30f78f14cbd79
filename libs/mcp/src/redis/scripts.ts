/**
 * The keys of an endpoint, all in one slot of a cluster because of the braces around the base:
 *
 * - `:open` sorted set of session ids, by the time at which they end if nothing happens
 * - `:idle` sorted set of ids of sessions without request and stream, by the time since which
 * - `:processes` sorted set of process names, by their last heartbeat
 * - `:process:<name>` set of ids of sessions with a request or the stream in that process
 * - `:session:<id>` hash of the session
 * - `:requests:<id>` hash of running requests, each with its process
 * - `:subscriptions:<id>` set of digests of URIs; `:subscribers:<digest>` set of session ids
 *
 * Times are milliseconds of Redis' own clock. All scripts get the base as their key, and first the milliseconds
 * after which a session ends.
 */
const PRELUDE = `
local base = KEYS[1]
local lifetime = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local DEAD_AFTER = 10000
local dropped = {}

local function key(kind, id) return base .. ':' .. kind .. ':' .. id end

-- Keys go away also where no process is left to end the session.
local function keep(id)
  local kept = tonumber(redis.call('HGET', key('session', id), 'kept') or '0')
  if now - kept < lifetime / 4 then return end
  local ttl = lifetime * 2 + 60000
  redis.call('HSET', key('session', id), 'kept', now)
  redis.call('PEXPIRE', key('session', id), ttl)
  redis.call('PEXPIRE', key('requests', id), ttl)
  redis.call('PEXPIRE', key('subscriptions', id), ttl)
  for _, uri in ipairs(redis.call('SMEMBERS', key('subscriptions', id))) do
    redis.call('PEXPIRE', key('subscribers', uri), ttl)
  end
end

local function touched(id)
  redis.call('ZADD', base .. ':open', now + lifetime, id)
  keep(id)
end

-- Counts a session as idle from now, if nothing uses it.
local function rest(id)
  if redis.call('EXISTS', key('requests', id)) == 1 then return end
  if redis.call('HEXISTS', key('session', id), 'stream') == 1 then return end
  if redis.call('EXISTS', key('session', id)) == 0 then return end
  redis.call('ZADD', base .. ':idle', now, id)
end

local function drop(id, why)
  local found = redis.call('HMGET', key('session', id), 'revision', 'http', 'opened')
  for _, uri in ipairs(redis.call('SMEMBERS', key('subscriptions', id))) do
    redis.call('SREM', key('subscribers', uri), id)
  end
  redis.call('DEL', key('session', id), key('requests', id), key('subscriptions', id))
  redis.call('ZREM', base .. ':open', id)
  redis.call('ZREM', base .. ':idle', id)
  if not found[3] then return end
  redis.call('PUBLISH', base, cjson.encode({ id = id, ended = why }))
  table.insert(dropped, { id = id, why = why, revision = found[1], httpVersion = found[2], ms = now - found[3] })
end

local function principal_of(id) return redis.call('HGET', key('session', id), 'principal') end

-- Ends sessions whose time is up. Those with a running request stay.
local function sweep(most)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', base .. ':open', '-inf', now, 'LIMIT', 0, most)) do
    if redis.call('EXISTS', key('requests', id)) == 1 then touched(id) else drop(id, 'timeout') end
  end
end

local function listening(process)
  local beat = redis.call('ZSCORE', base .. ':processes', process)
  return beat and now - tonumber(beat) < DEAD_AFTER
end

-- What a process used is free: it ended, or it says itself what it still uses.
local function release(process, id, used)
  for request, by in pairs(used) do
    if by == process then redis.call('HDEL', key('requests', id), request) end
  end
end

local function hash(name)
  local flat, found = redis.call('HGETALL', name), {}
  for i = 1, #flat, 2 do found[flat[i]] = flat[i + 1] end
  return found
end

local function answer(state)
  if #dropped > 0 then state.dropped = dropped end
  return cjson.encode(state)
end
`;

/** Opens a session, in the place of one that is idle for long enough if `max` are open. */
const OPEN = `
local id, process, request, replaced = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local principal, client, revision, http = ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local max, reclaim_after = tonumber(ARGV[10]), tonumber(ARGV[11])
if replaced ~= '' and principal_of(replaced) == principal then drop(replaced, 'replaced') end
sweep(100)
if redis.call('ZCARD', base .. ':open') >= max then
  local idle = redis.call('ZRANGE', base .. ':idle', 0, 0, 'WITHSCORES')
  local wait = idle[1] and tonumber(idle[2]) + reclaim_after - now or reclaim_after
  if wait > 0 then return answer({ wait = wait }) end
  drop(idle[1], 'evicted')
end
redis.call('HSET', key('session', id), 'principal', principal, 'client', client, 'revision', revision,
  'http', http, 'opened', now)
redis.call('HSET', key('requests', id), request, process)
redis.call('SADD', key('process', process), id)
touched(id)
return answer({})
`;

const ENTER = `
local id, process, request, principal, with_client = ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if principal_of(id) ~= principal then return answer({ kind = 'unknown' }) end
local ends = redis.call('ZSCORE', base .. ':open', id)
if (not ends or tonumber(ends) <= now) and redis.call('EXISTS', key('requests', id)) == 0 then
  drop(id, 'timeout')
  return answer({ kind = 'unknown' })
end
if request == '' then
  touched(id)
  rest(id)
elseif redis.call('HSETNX', key('requests', id), request, process) == 0 then
  return answer({ kind = 'duplicate' })
else
  -- The key of requests is new whenever the session was idle.
  redis.call('PEXPIRE', key('requests', id), lifetime * 2 + 60000)
  redis.call('SADD', key('process', process), id)
  redis.call('ZREM', base .. ':idle', id)
  touched(id)
end
local state = { kind = 'entered', logLevel = redis.call('HGET', key('session', id), 'level') or nil }
if with_client == '1' then state.client = redis.call('HGET', key('session', id), 'client') end
return answer(state)
`;

const LEAVE = `
local id, process, request = ARGV[2], ARGV[3], ARGV[4]
if redis.call('HGET', key('requests', id), request) == process then
  redis.call('HDEL', key('requests', id), request)
end
if redis.call('EXISTS', key('requests', id)) == 0 then
  if redis.call('HGET', key('session', id), 'stream') ~= process then
    redis.call('SREM', key('process', process), id)
  end
  rest(id)
end
return answer({})
`;

const LISTEN = `
local id, process = ARGV[2], ARGV[3]
if redis.call('EXISTS', key('session', id)) == 0 then return answer({}) end
local holder = redis.call('HGET', key('session', id), 'stream')
if holder and (holder == process or listening(holder)) then return answer({}) end
redis.call('HSET', key('session', id), 'stream', process)
redis.call('SADD', key('process', process), id)
redis.call('ZREM', base .. ':idle', id)
return answer({ listens = true })
`;

const UNLISTEN = `
local id, process = ARGV[2], ARGV[3]
if redis.call('HGET', key('session', id), 'stream') == process then
  redis.call('HDEL', key('session', id), 'stream')
end
rest(id)
return answer({})
`;

const SET_LOG_LEVEL = `
local id, level = ARGV[2], ARGV[3]
if redis.call('EXISTS', key('session', id)) == 0 then return answer({}) end
redis.call('HSET', key('session', id), 'level', level)
redis.call('PUBLISH', base, cjson.encode({ id = id, message = { kind = 'log-level', level = level } }))
return answer({})
`;

const SUBSCRIBE = `
local id, uri, most = ARGV[2], ARGV[3], tonumber(ARGV[4])
if redis.call('EXISTS', key('session', id)) == 0 then return answer({ subscribed = true }) end
if redis.call('SISMEMBER', key('subscriptions', id), uri) == 0
  and redis.call('SCARD', key('subscriptions', id)) >= most then return answer({ subscribed = false }) end
redis.call('SADD', key('subscriptions', id), uri)
redis.call('SADD', key('subscribers', uri), id)
redis.call('HDEL', key('session', id), 'kept')
keep(id)
return answer({ subscribed = true })
`;

const UNSUBSCRIBE = `
local id, uri = ARGV[2], ARGV[3]
redis.call('SREM', key('subscriptions', id), uri)
redis.call('SREM', key('subscribers', uri), id)
return answer({})
`;

/** To the process that has the stream of each subscriber. Without a stream the client misses the message. */
const PUBLISH = `
local uri, json = ARGV[2], ARGV[3]
for _, id in ipairs(redis.call('SMEMBERS', key('subscribers', uri))) do
  local found = redis.call('HMGET', key('session', id), 'opened', 'stream')
  if not found[1] then redis.call('SREM', key('subscribers', uri), id) end
  if found[1] and found[2] then
    redis.call('PUBLISH', base .. ':' .. found[2],
      cjson.encode({ id = id, message = { kind = 'push', json = json } }))
  end
end
return answer({})
`;

const END = `
drop(ARGV[2], ARGV[3])
return answer({})
`;

/**
 * A heartbeat: shows that the process runs, ends sessions whose time is up, and frees what processes used that have
 * ended.
 */
const BEAT = `
local process = ARGV[2]
redis.call('ZADD', base .. ':processes', now, process)
sweep(100)
for _, other in ipairs(redis.call('ZRANGEBYSCORE', base .. ':processes', '-inf', now - DEAD_AFTER, 'LIMIT', 0, 10)) do
  for _, id in ipairs(redis.call('SPOP', key('process', other), 100)) do
    release(other, id, hash(key('requests', id)))
    if redis.call('HGET', key('session', id), 'stream') == other then
      redis.call('HDEL', key('session', id), 'stream')
    end
    rest(id)
  end
  if redis.call('EXISTS', key('process', other)) == 0 then redis.call('ZREM', base .. ':processes', other) end
end
local ttl = lifetime * 2 + 60000
for _, name in ipairs({ ':open', ':idle', ':processes' }) do redis.call('PEXPIRE', base .. name, ttl) end
redis.call('PEXPIRE', key('process', process), ttl)
return answer({ size = redis.call('ZCARD', base .. ':open') })
`;

/**
 * After a lost connection: frees what the process does not use any more, and says which of its sessions are gone.
 * Gets what it uses as JSON: of each session the requests, and whether it has the stream.
 */
const RECONCILE = `
local process, uses = ARGV[2], cjson.decode(ARGV[3])
redis.call('ZADD', base .. ':processes', now, process)
for _, id in ipairs(redis.call('SMEMBERS', key('process', process))) do
  local use = uses[id] or { requests = {} }
  local over = hash(key('requests', id))
  for _, request in ipairs(use.requests) do over[request] = nil end
  release(process, id, over)
  if not use.stream and redis.call('HGET', key('session', id), 'stream') == process then
    redis.call('HDEL', key('session', id), 'stream')
  end
  if not uses[id] then redis.call('SREM', key('process', process), id) end
  rest(id)
end
local gone = {}
for id in pairs(uses) do
  if redis.call('EXISTS', key('session', id)) == 0 then table.insert(gone, id) end
end
return answer({ gone = gone })
`;

/** Leaves: frees what the process used. Called until nothing is left. */
const DEPART = `
local process = ARGV[2]
for _, id in ipairs(redis.call('SPOP', key('process', process), 100)) do
  release(process, id, hash(key('requests', id)))
  if redis.call('HGET', key('session', id), 'stream') == process then
    redis.call('HDEL', key('session', id), 'stream')
  end
  rest(id)
end
local left = redis.call('EXISTS', key('process', process))
if left == 0 then redis.call('ZREM', base .. ':processes', process) end
return answer({ left = left })
`;

const FIND = `
return answer({ process = redis.call('HGET', key('requests', ARGV[2]), ARGV[3]) or nil })
`;

const BODIES = {
  open: OPEN,
  enter: ENTER,
  leave: LEAVE,
  listen: LISTEN,
  unlisten: UNLISTEN,
  setLogLevel: SET_LOG_LEVEL,
  subscribe: SUBSCRIBE,
  unsubscribe: UNSUBSCRIBE,
  publish: PUBLISH,
  end: END,
  beat: BEAT,
  reconcile: RECONCILE,
  depart: DEPART,
  find: FIND,
};

export type ScriptName = keyof typeof BODIES;

/** Lua scripts, each one atomic operation. They return JSON. */
export const SCRIPTS: Readonly<Record<ScriptName, string>> = Object.fromEntries(
  Object.entries(BODIES).map(([name, body]) => [name, PRELUDE + body]),
) as Record<ScriptName, string>;
