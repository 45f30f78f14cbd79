export { actingAs, type ActingTenant, inTenant } from './acting-as.js';
export {
  expectNoTenantLeak,
  type TenantAnswer,
  type TenantLeakOptions,
} from './expect-no-tenant-leak.js';
export { sharedConnectionMiddleware } from './shared-connection-middleware.js';
export { type TenantLeak, TenantLeakError, UnknownTestTenantError } from './tenant-leak.errors.js';
