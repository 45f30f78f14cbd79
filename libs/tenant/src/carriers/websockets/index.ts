export { TenantSocketsModule } from './tenant-sockets.module.js';
export type { TenantSocketsOptions } from './tenant-sockets.options.js';
export { TenantSocketVerifyInterceptor } from './tenant-socket-verify.interceptor.js';
