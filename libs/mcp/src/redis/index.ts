export type { RedisSessionOptions, RedisTaskOptions } from './redis-options.js';
export { redisSessions } from './redis-sessions.js';
export { redisTasks } from './shared-tasks.js';
