import type { TenantGuardOptions } from '../guarded-tenant.js';

/** Options of `guardConnection()`. */
export interface GuardConnectionOptions extends TenantGuardOptions {
  /** The collections whose documents belong to no tenant, as they are named in the database, such as `countries`. @default [] */
  readonly shared?: readonly string[];
  /** The field with the tenant's id. @default 'tenantId' */
  readonly field?: string;
  /** The tenant's id as documents have it, such as `(id) => new Types.ObjectId(id)`. @default the id as text */
  readonly stored?: (tenantId: string) => unknown;
}
