export type { RedisSessionOptions, RedisTaskOptions, RedisWriteOptions } from './redis-options.js';
export { redisSessions } from './redis-sessions.js';
export { redisTasks } from './shared-tasks.js';
export { redisWrites } from './shared-writes.js';
