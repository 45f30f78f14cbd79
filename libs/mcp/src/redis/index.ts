export { redisSessions, type RedisSessionOptions } from './redis-sessions.js';
export { redisTasks, type RedisTaskOptions } from './redis-tasks.js';
