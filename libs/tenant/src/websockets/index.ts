export { TenantSocketsModule } from './tenant-sockets.module.js';
export type { TenantSocketsOptions } from './sockets.options.js';
export { TenantSocketBinding } from './socket-binding.interceptor.js';
