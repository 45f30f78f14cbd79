import { scriptsOf } from './scripts.js';

/**
 * The keys of an endpoint. The braces around the base put all keys in one slot of a cluster:
 *
 * - `:task:<id>` (hash): a task, with its process
 * - `:answers:<id>` (hash): the client's answers to the task's questions, by question key
 * - `:all` (sorted set): task ids, by the time at which the task is deleted
 * - `:owner:<digest>` (sorted set): the same as `:all`, for the tasks of one owner
 * - `:processes` (sorted set): process names, by the time of their last heartbeat
 * - `:process:<name>` (set): ids of tasks that run in the process
 * - `:since` (string): the time of the first heartbeat in this Redis
 *
 * Times are milliseconds of Redis' clock. The key of every script is the base. The first argument
 * of every script is the number of milliseconds for which a task is stored.
 */
const PRELUDE = `
local base = KEYS[1]
local keep = tonumber(ARGV[1]) * 2 + 60000
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local DEAD_AFTER = 10000

local function key(kind, id) return base .. ':' .. kind .. ':' .. id end

local function runs(id)
  local status = redis.call('HGET', key('task', id), 'status')
  return status == 'working' or status == 'input_required'
end

local function tell(id, kind)
  local process = redis.call('HGET', key('task', id), 'process')
  redis.call('PUBLISH', base .. ':' .. process, cjson.encode({ id = id, kind = kind }))
end

local function change(id, status, message, updated, detail)
  redis.call('HSET', key('task', id), 'status', status, 'updated', updated, 'detail', detail)
  if message ~= '' then redis.call('HSET', key('task', id), 'message', message) end
  if runs(id) then return end
  redis.call('SREM', key('process', redis.call('HGET', key('task', id), 'process')), id)
  redis.call('DEL', key('answers', id))
end

local function put(id, process, owner, fixed, left)
  redis.call('HSET', key('task', id), 'fixed', fixed, 'owner', owner, 'process', process)
  redis.call('PEXPIRE', key('task', id), left)
  redis.call('SADD', key('process', process), id)
  redis.call('ZADD', base .. ':all', now + left, id)
  redis.call('ZADD', key('owner', owner), now + left, id)
  for _, name in ipairs({ base .. ':all', key('owner', owner), key('process', process) }) do
    redis.call('PEXPIRE', name, keep)
  end
end

-- Returns the number of tasks in a sorted set, without expired tasks.
local function count(name)
  redis.call('ZREMRANGEBYSCORE', name, '-inf', now)
  return redis.call('ZCARD', name)
end

-- Marks tasks of an ended process as failed.
local function fail(process, updated, detail, most)
  for _, id in ipairs(redis.call('SPOP', key('process', process), most)) do
    if runs(id) and redis.call('HGET', key('task', id), 'process') == process then
      tell(id, 'ended')
      change(id, 'failed', '', updated, detail)
    end
  end
  if redis.call('EXISTS', key('process', process)) == 1 then return true end
  redis.call('ZREM', base .. ':processes', process)
  return false
end
`;

const ADD = `
local id, process, owner, fixed, left = ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local status, message, updated, detail = ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local max, max_of_owner = tonumber(ARGV[11]), tonumber(ARGV[12])
if count(base .. ':all') >= max or count(key('owner', owner)) >= max_of_owner then
  return cjson.encode({ added = false })
end
put(id, process, owner, fixed, left)
change(id, status, message, updated, detail)
return cjson.encode({ added = true })
`;

/** Writes the state of a task. If Redis lost the task, adds the task again. */
const WRITE = `
local id, process, owner, fixed, left = ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local status, message, updated, detail = ARGV[7], ARGV[8], ARGV[9], ARGV[10]
if redis.call('EXISTS', key('task', id)) == 0 then
  put(id, process, owner, fixed, left)
elseif not runs(id) then
  return cjson.encode({ over = true })
end
change(id, status, message, updated, detail)
return cjson.encode({ over = false })
`;

const ANSWER = `
local id = ARGV[2]
if not runs(id) then return '{}' end
for i = 3, #ARGV, 2 do redis.call('HSETNX', key('answers', id), ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', key('answers', id), redis.call('PTTL', key('task', id)))
tell(id, 'answered')
return '{}'
`;

const CANCEL = `
local id, updated = ARGV[2], ARGV[3]
if not runs(id) then return '{}' end
tell(id, 'ended')
change(id, 'cancelled', '', updated, '{}')
return '{}'
`;

/**
 * Removes tasks that are assigned to a process in Redis but do not run in that process. This
 * happens if the reply of the script that added the task was lost.
 */
const FORGET = `
local process, running = ARGV[2], {}
for i = 3, #ARGV do running[ARGV[i]] = true end
for _, id in ipairs(redis.call('SMEMBERS', key('process', process))) do
  if not running[id] then
    local owner = redis.call('HGET', key('task', id), 'owner')
    if owner then redis.call('ZREM', key('owner', owner), id) end
    redis.call('ZREM', base .. ':all', id)
    redis.call('DEL', key('task', id), key('answers', id))
    redis.call('SREM', key('process', process), id)
  end
end
return '{}'
`;

/** A heartbeat. Reports that the process is running, and ends the tasks of dead processes. */
const BEAT = `
local process, updated, detail = ARGV[2], ARGV[3], ARGV[4]
local is_new = redis.call('ZADD', base .. ':processes', now, process) == 1
for _, other in ipairs(redis.call('ZRANGEBYSCORE', base .. ':processes', '-inf', now - DEAD_AFTER, 'LIMIT', 0, 10)) do
  fail(other, updated, detail, 100)
end
redis.call('SET', base .. ':since', now, 'NX')
for _, name in ipairs({ base .. ':since', base .. ':processes', key('process', process) }) do
  redis.call('PEXPIRE', name, keep)
end
return cjson.encode({ new = is_new })
`;

/** Runs when a process stops. Ends the tasks of the process. Called again until no task is left. */
const DEPART = `
return cjson.encode({ left = fail(ARGV[2], ARGV[3], ARGV[4], 100) })
`;

/** Returns the milliseconds since this Redis received the first heartbeat of this endpoint. */
const AGE = `
return cjson.encode({ age = now - tonumber(redis.call('GET', base .. ':since') or now) })
`;

const BODIES = {
  add: ADD,
  write: WRITE,
  answer: ANSWER,
  cancel: CANCEL,
  forget: FORGET,
  beat: BEAT,
  depart: DEPART,
  age: AGE,
};

export type TaskScript = keyof typeof BODIES;

export const TASK_SCRIPTS = scriptsOf(PRELUDE, BODIES);
