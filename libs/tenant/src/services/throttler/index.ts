export { TenantThrottlerGuard } from './tenant-throttler.guard.js';
