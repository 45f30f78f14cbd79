export {
  guardTenants,
  type GuardTenantsOptions,
  type TenantGuardedConfig,
} from './guard-tenants.js';
