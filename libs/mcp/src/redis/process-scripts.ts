/**
 * A heartbeat. Reports that the process is running, ends expired sessions, and releases the
 * sessions of dead processes.
 */
export const BEAT = `
local process = ARGV[5]
redis.call('ZADD', base .. ':processes', now, process)
sweep(100)
for _, other in ipairs(redis.call('ZRANGEBYSCORE', base .. ':processes', '-inf', now - DEAD_AFTER, 'LIMIT', 0, 10)) do
  for _, id in ipairs(redis.call('SPOP', key('process', other), 100)) do
    release(other, id, hash(key('requests', id)))
    free_stream(other, id)
    fail_streams(other, id)
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
 * Runs after a reconnect. Releases the requests and streams that the process no longer has. Returns
 * the ids of the process's sessions that have ended. Receives JSON with an entry for each session
 * in use. The entry contains the ids of running requests, and true if the main stream is open.
 */
export const RECONCILE = `
local process, uses = ARGV[5], cjson.decode(ARGV[6])
redis.call('ZADD', base .. ':processes', now, process)
for _, id in ipairs(redis.call('SMEMBERS', key('process', process))) do
  local use = uses[id] or { requests = {} }
  local over = hash(key('requests', id))
  for _, request in ipairs(use.requests) do over[request] = nil end
  release(process, id, over)
  if not use.stream then free_stream(process, id) end
  if not uses[id] then redis.call('SREM', key('process', process), id) end
  rest(id)
end
local gone = {}
for id in pairs(uses) do
  if redis.call('EXISTS', key('session', id)) == 0 then table.insert(gone, id) end
end
return answer({ gone = gone })
`;

/**
 * Runs when a process stops. Releases everything that the process used. Called again until nothing
 * is left to release.
 */
export const DEPART = `
local process = ARGV[5]
for _, id in ipairs(redis.call('SPOP', key('process', process), 100)) do
  release(process, id, hash(key('requests', id)))
  free_stream(process, id)
  fail_streams(process, id)
  rest(id)
end
local left = redis.call('EXISTS', key('process', process))
if left == 0 then redis.call('ZREM', base .. ':processes', process) end
return answer({ left = left })
`;
