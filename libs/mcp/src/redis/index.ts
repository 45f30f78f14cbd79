export type { RedisSessionOptions, RedisTaskOptions, RedisWriteOptions } from './redis-options.js';
export { redisSessions } from './redis-sessions.js';
export { redisTasks } from './redis-tasks.js';
export { redisWrites } from './redis-writes.js';
