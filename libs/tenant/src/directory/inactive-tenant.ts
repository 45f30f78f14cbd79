import {
  SuspendedTenantError,
  TenantMaintenanceError,
  TenantProvisioningError,
  UnknownTenantError,
} from '../tenant.errors.js';
import type { StoreAnswer } from './tenant-store-reader.js';

/**
 * Returns the error for a tenant that is suspended, under maintenance, in creation or unknown.
 * @param tenant null if the store does not contain the tenant
 */
export function inactiveTenantError(tenant: StoreAnswer): Error {
  switch (tenant?.status) {
    case 'suspended':
      return new SuspendedTenantError();
    case 'maintenance':
      return new TenantMaintenanceError(tenant.retryAfterSeconds);
    case 'provisioning':
      return new TenantProvisioningError(tenant.retryAfterSeconds);
    default:
      return new UnknownTenantError();
  }
}
