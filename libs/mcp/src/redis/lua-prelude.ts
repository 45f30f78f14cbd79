/**
 * The keys of an endpoint. The braces around the base put all keys in one slot of a cluster:
 *
 * - `:open` (sorted set): session ids, by the time at which the session expires
 * - `:idle` (sorted set): ids of idle sessions, by the time at which they became idle
 * - `:processes` (sorted set): process names, by the time of their last heartbeat
 * - `:process:<name>` (set): ids of sessions with a request or the main stream in the process
 * - `:session:<id>` (hash): the session
 * - `:requests:<id>` (hash): running requests, each with its process
 * - `:streams:<id>` (hash): event streams of running requests
 * - `:events:<id>` (list): stored events, each with its time and its size in bytes
 * - `:subscriptions:<id>` (set): digests of URIs
 * - `:subscribers:<digest>` (set): ids of the sessions that subscribed to a URI
 *
 * Times are milliseconds of Redis' clock. The key of every script is the base. The first arguments
 * of every script are:
 *
 * 1. Milliseconds after which a session ends
 * 2. Maximum number of stored events of a session
 * 3. Maximum bytes of stored events of a session
 * 4. Milliseconds for which events are stored, or 0 if streams cannot be resumed
 */
export const PRELUDE = `
local base = KEYS[1]
local lifetime = tonumber(ARGV[1])
local max_events, max_bytes, keep_ms = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local DEAD_AFTER = 10000
local dropped = {}

local function key(kind, id) return base .. ':' .. kind .. ':' .. id end

-- Makes the keys of a session expire. Needed if no process is left to end the session.
local function keep(id)
  local kept = tonumber(redis.call('HGET', key('session', id), 'kept') or '0')
  if now - kept < lifetime / 4 then return end
  local ttl = lifetime * 2 + 60000
  redis.call('HSET', key('session', id), 'kept', now)
  redis.call('PEXPIRE', key('session', id), ttl)
  redis.call('PEXPIRE', key('requests', id), ttl)
  redis.call('PEXPIRE', key('subscriptions', id), ttl)
  redis.call('PEXPIRE', key('streams', id), ttl)
  for _, uri in ipairs(redis.call('SMEMBERS', key('subscriptions', id))) do
    redis.call('PEXPIRE', key('subscribers', uri), ttl)
  end
end

local function touched(id)
  redis.call('ZADD', base .. ':open', now + lifetime, id)
  keep(id)
end

-- Marks a session as idle, unless it has a running request or a stream.
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
  redis.call('DEL', key('streams', id), key('events', id))
  redis.call('ZREM', base .. ':open', id)
  redis.call('ZREM', base .. ':idle', id)
  if not found[3] then return end
  redis.call('PUBLISH', base, cjson.encode({ id = id, ended = why }))
  table.insert(dropped, { id = id, why = why, revision = found[1], httpVersion = found[2], ms = now - found[3] })
end

local function tell(process, id, message)
  redis.call('PUBLISH', base .. ':' .. process, cjson.encode({ id = id, message = message }))
end

-- Stores an event. Removes the oldest events if a limit of count, bytes or age is exceeded.
local function keep_event(id, event)
  if max_events == 0 then return end
  local events, bytes = key('events', id), #event.json
  local length = redis.call('RPUSH', events, now .. ' ' .. bytes .. ' ' .. cjson.encode(event))
  if length == 1 then redis.call('HSET', key('session', id), 'bytes', 0) end
  local total = redis.call('HINCRBY', key('session', id), 'bytes', bytes)
  while length > 0 do
    local at, size = string.match(redis.call('LINDEX', events, 0), '^(%d+) (%d+) ')
    if length <= max_events and total <= max_bytes and now - at <= keep_ms then break end
    redis.call('LPOP', events)
    length = length - 1
    total = redis.call('HINCRBY', key('session', id), 'bytes', -size)
  end
  redis.call('PEXPIRE', events, keep_ms)
end

-- Stores an event. If a process resumed the stream, also sends the event to that process.
local function append(id, event)
  keep_event(id, event)
  local stream = redis.call('HGET', key('streams', id), event.stream)
  if not stream then return end
  local state = cjson.decode(stream)
  if state.holder ~= '' then tell(state.holder, id, { kind = 'event', event = event }) end
  if event.last then
    redis.call('HDEL', key('streams', id), event.stream)
  else
    state.seq = event.seq
    redis.call('HSET', key('streams', id), event.stream, cjson.encode(state))
  end
end

-- Returns the events after a position, and the position of the latest event (-1 if none is stored).
local function events_after(id, stream, seq)
  local events, latest = {}, -1
  for _, kept in ipairs(redis.call('LRANGE', key('events', id), 0, -1)) do
    local at, json = string.match(kept, '^(%d+) %d+ (.*)$')
    local event = cjson.decode(json)
    if event.stream == stream and now - at <= keep_ms then
      latest = event.seq
      if event.seq > seq then table.insert(events, event) end
    end
  end
  return events, latest
end

local function principal_of(id) return redis.call('HGET', key('session', id), 'principal') end

-- Ends expired sessions. A session with a running request does not end.
local function sweep(most)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', base .. ':open', '-inf', now, 'LIMIT', 0, most)) do
    if redis.call('EXISTS', key('requests', id)) == 1 then touched(id) else drop(id, 'timeout') end
  end
end

local function hash(name)
  local flat, found = redis.call('HGETALL', name), {}
  for i = 1, #flat, 2 do found[flat[i]] = flat[i + 1] end
  return found
end

-- Removes requests that no longer run in a process.
local function release(process, id, used)
  for request, by in pairs(used) do
    if by == process then redis.call('HDEL', key('requests', id), request) end
  end
end

-- Removes the main stream of a session from a process, if the process has it.
local function free_stream(process, id)
  if redis.call('HGET', key('session', id), 'stream') == process then
    redis.call('HDEL', key('session', id), 'stream')
  end
end

-- Ends the streams of an ended process. A client that resumes such a stream gets an error.
local function fail_streams(process, id)
  for stream, json in pairs(hash(key('streams', id))) do
    local state = cjson.decode(json)
    if state.process == process then
      local fault = '{"jsonrpc":"2.0","id":' .. state.request ..
        ',"error":{"code":-32000,"message":"The process that ran this request has ended"}}'
      append(id, { stream = stream, seq = 999999999, json = fault, last = true })
    end
  end
end

local function answer(state)
  if #dropped > 0 then state.dropped = dropped end
  return cjson.encode(state)
end
`;
