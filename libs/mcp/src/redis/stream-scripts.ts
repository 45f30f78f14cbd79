export const LISTEN = `
local id, process, after, main = ARGV[5], ARGV[6], ARGV[7], ARGV[8]
if redis.call('EXISTS', key('session', id)) == 0 then return answer({}) end
local holder = redis.call('HGET', key('session', id), 'stream')
local seq = tonumber(redis.call('HGET', key('session', id), 'main') or '0')
if after ~= '' and tonumber(after) > seq then return answer({ seq = seq, missed = {} }) end
if holder and holder ~= process then
  tell(holder, id, { kind = 'moved', stream = main, which = 'resumed' })
end
redis.call('HSET', key('session', id), 'stream', process)
redis.call('SADD', key('process', process), id)
redis.call('ZREM', base .. ':idle', id)
local missed = {}
if after ~= '' then missed = events_after(id, main, tonumber(after)) end
return answer({ seq = seq, missed = missed })
`;

export const UNLISTEN = `
local id, process = ARGV[5], ARGV[6]
free_stream(process, id)
rest(id)
return answer({})
`;

export const SUBSCRIBE = `
local id, uri, most = ARGV[5], ARGV[6], tonumber(ARGV[7])
if redis.call('EXISTS', key('session', id)) == 0 then return answer({ subscribed = true }) end
if redis.call('SISMEMBER', key('subscriptions', id), uri) == 0
  and redis.call('SCARD', key('subscriptions', id)) >= most then return answer({ subscribed = false }) end
redis.call('SADD', key('subscriptions', id), uri)
redis.call('SADD', key('subscribers', uri), id)
redis.call('HDEL', key('session', id), 'kept')
keep(id)
return answer({ subscribed = true })
`;

export const UNSUBSCRIBE = `
local id, uri = ARGV[5], ARGV[6]
redis.call('SREM', key('subscriptions', id), uri)
redis.call('SREM', key('subscribers', uri), id)
return answer({})
`;

/**
 * Sends a message to every session that subscribed to a resource. The message goes to the process
 * that has the session's main stream. A client without a stream misses the message.
 */
export const PUBLISH = `
local uri, json = ARGV[5], ARGV[6]
for _, id in ipairs(redis.call('SMEMBERS', key('subscribers', uri))) do
  local found = redis.call('HMGET', key('session', id), 'opened', 'stream')
  if not found[1] then redis.call('SREM', key('subscribers', uri), id) end
  local seq = nil
  if found[1] and max_events > 0 then
    seq = redis.call('HINCRBY', key('session', id), 'main', 1)
    local main = string.sub(redis.sha1hex(id), 1, 16)
    keep_event(id, { stream = main, seq = seq, json = json, last = false })
  end
  if found[1] and found[2] then tell(found[2], id, { kind = 'push', json = json, seq = seq }) end
end
return answer({})
`;

export const APPEND = `
local id = ARGV[5]
if redis.call('EXISTS', key('session', id)) == 0 then return answer({}) end
append(id, { stream = ARGV[6], seq = tonumber(ARGV[7]), last = ARGV[8] == '1', json = ARGV[9] })
return answer({})
`;

/**
 * Moves a stream to this process and closes the stream's previous connection. Returns `ahead` if no
 * event has the requested position yet. If `running` is also true, the event may still arrive.
 */
export const RESUME = `
local id, process, stream, after = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8])
local events, latest = events_after(id, stream, after)
local running = redis.call('HGET', key('streams', id), stream)
if not running and latest < 0 then return answer({}) end
local state = running and cjson.decode(running)
-- A process with an earlier version of this package stores no position.
if after > math.max(latest, state and (state.seq or after) or 0) then
  return answer({ ahead = true, running = state ~= nil and state ~= false })
end
if not state and #events == 0 then
  events = { { stream = stream, seq = after + 1, json = '', last = true } }
end
if state then
  if state.holder == '' then
    tell(state.process, id, { kind = 'moved', stream = stream, which = 'request' })
  elseif state.holder ~= process then
    tell(state.holder, id, { kind = 'moved', stream = stream, which = 'resumed' })
  end
  state.holder = process
  redis.call('HSET', key('streams', id), stream, cjson.encode(state))
end
return answer({ events = events })
`;
