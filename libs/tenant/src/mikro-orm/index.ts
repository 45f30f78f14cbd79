export { guardTenants, type TenantGuardedConfig } from './guard-tenants.js';
export type { GuardTenantsOptions } from './guard-tenants.options.js';
