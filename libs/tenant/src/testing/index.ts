export {
  expectNoTenantLeak,
  type TenantAnswer,
  type TenantLeakOptions,
} from './expect-no-tenant-leak.js';
export { type TenantLeak, TenantLeakError } from './tenant-leak.errors.js';
