export { guardTenants, type TenantGuardedConfig } from './guard-tenants.js';
export type { GuardTenantsOptions, SharedEntity } from './guard-tenants.options.js';
