import type { EntityName } from '@mikro-orm/core';
import type { TenantGuardOptions } from '../guard/guarded-tenant.js';

/** Options of `guardTenants()`. */
export interface GuardTenantsOptions extends TenantGuardOptions {
  /** The entities whose rows belong to no tenant. Each other entity needs the property, or MikroORM does not start. @default [] */
  readonly shared?: readonly EntityName<object>[];
  /** The property with the tenant's id. @default 'tenantId' */
  readonly property?: string;
}
