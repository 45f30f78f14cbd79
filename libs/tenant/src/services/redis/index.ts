export { redisInvalidations, type RedisInvalidationOptions } from './redis-invalidations.js';
export { tenantRedis, type TenantRedis } from './tenant-redis.js';
export type { TenantCommand } from './tenant-redis.js';
