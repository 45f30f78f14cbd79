import type { EntityName } from '@mikro-orm/core';
import type { TenantGuardOptions } from '../guarded-tenant.js';

/** Options of `guardTenants()`. */
export interface GuardTenantsOptions extends TenantGuardOptions {
  /**
   * Entities whose rows belong to no tenant. All other entities must have the property. Otherwise,
   * MikroORM does not start.
   * @default []
   */
  readonly shared?: readonly SharedEntity[];
  /** Name of the property with the tenant's id. @default 'tenantId' */
  readonly property?: string;
}

/**
 * The class, schema or name of an entity. Names work only in MikroORM 6. In version 7, the schema
 * of a class is not an `EntityName`.
 */
export type SharedEntity = EntityName<object> | { readonly meta: object };
