export { tenantRedis, type TenantRedis } from './tenant-redis.js';
export type { TenantCommand } from './tenant-commands.js';
