export { redisSessions, type RedisSessionOptions } from './redis-sessions.js';
