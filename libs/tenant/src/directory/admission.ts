import type { TenantContext } from '../tenant-context.js';
import {
  SuspendedTenantError,
  TenantMaintenanceError,
  TenantProvisioningError,
  UnknownTenantError,
} from '../tenant.errors.js';
import type { StoreAnswer } from './tenant-store-reader.js';

export class Admission {
  private readonly refused = { unknown: 0, suspended: 0, maintenance: 0, provisioning: 0 };

  /** Number of rejected tenants, by reason. */
  get refusals() {
    return { ...this.refused };
  }

  /**
   * @param source the value of `TenantContext.source`
   * @throws UnknownTenantError
   * @throws SuspendedTenantError
   * @throws TenantMaintenanceError
   * @throws TenantProvisioningError
   */
  admit(tenant: StoreAnswer, source: string): TenantContext {
    if (tenant === null) {
      this.refused.unknown += 1;
      throw new UnknownTenantError();
    }
    if (tenant.status === 'active') return tenant.contextFor(source);
    this.refused[tenant.status] += 1;
    switch (tenant.status) {
      case 'suspended':
        throw new SuspendedTenantError();
      case 'maintenance':
        throw new TenantMaintenanceError(tenant.retryAfterSeconds);
      case 'provisioning':
        throw new TenantProvisioningError(tenant.retryAfterSeconds);
    }
  }
}
