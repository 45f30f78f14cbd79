import type { EntityName } from '@mikro-orm/core';
import type { TenantGuardOptions } from '../guarded-tenant.js';

/** Options of `guardTenants()`. */
export interface GuardTenantsOptions extends TenantGuardOptions {
  /** The entities whose rows belong to no tenant. Each other entity needs the property, or MikroORM does not start. @default [] */
  readonly shared?: readonly SharedEntity[];
  /** The property with the tenant's id. @default 'tenantId' */
  readonly property?: string;
}

/** The class of an entity, its schema, or its name in MikroORM 6. In version 7, the schema of a class is not an `EntityName`. */
export type SharedEntity = EntityName<object> | { readonly meta: object };
