export { TenantCacheInterceptor } from './tenant-cache.interceptor.js';
