/**
 * Opens a session. If `max` sessions are open, the new session replaces a session that has been
 * idle long enough.
 */
export const OPEN = `
local id, process, request, replaced = ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local principal, client, revision, http = ARGV[9], ARGV[10], ARGV[11], ARGV[12]
local max, reclaim_after = tonumber(ARGV[13]), tonumber(ARGV[14])
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

export const ENTER = `
local id, process, request, principal, with_client = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local stream, request_id = ARGV[10], ARGV[11]
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
  -- If the session was idle, the key of its requests was deleted and created again.
  redis.call('PEXPIRE', key('requests', id), lifetime * 2 + 60000)
  redis.call('SADD', key('process', process), id)
  redis.call('ZREM', base .. ':idle', id)
  if stream ~= '' then
    redis.call('HSET', key('streams', id), stream,
      cjson.encode({ process = process, holder = '', request = request_id, seq = 0 }))
    redis.call('PEXPIRE', key('streams', id), lifetime * 2 + 60000)
  end
  touched(id)
end
local state = { kind = 'entered', logLevel = redis.call('HGET', key('session', id), 'level') or nil }
if with_client == '1' then state.client = redis.call('HGET', key('session', id), 'client') end
return answer(state)
`;

export const LEAVE = `
local id, process, request = ARGV[5], ARGV[6], ARGV[7]
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

export const FIND = `
return answer({ process = redis.call('HGET', key('requests', ARGV[5]), ARGV[6]) or nil })
`;

export const SET_LOG_LEVEL = `
local id, level = ARGV[5], ARGV[6]
if redis.call('EXISTS', key('session', id)) == 0 then return answer({}) end
redis.call('HSET', key('session', id), 'level', level)
redis.call('PUBLISH', base, cjson.encode({ id = id, message = { kind = 'log-level', level = level } }))
return answer({})
`;

export const END = `
drop(ARGV[5], ARGV[6])
return answer({})
`;
