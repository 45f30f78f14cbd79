export { TenantCache, type TenantCacheEntry, type TenantCacheWrapOptions } from './tenant-cache.js';
export { TenantCacheInterceptor } from './tenant-cache.interceptor.js';
