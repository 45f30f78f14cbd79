/** The application's facts about a tenant. Augment this interface to type `tenant.data`. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by applications
export interface TenantData {}

/**
 * `suspended` tenants get 403, tenants under `maintenance` 503. Tenants in `provisioning` are being
 * created, and get 503 too.
 */
export type TenantStatus = 'active' | 'suspended' | 'maintenance' | 'provisioning';

/**
 * The tenant that the current code works for. Read-only. Only `tenantId` is enumerable: the store's
 * data about a tenant does not reach logs or responses by accident.
 */
export interface TenantContext {
  readonly tenantId: string;
  /** The identifier that the request sent. Present if a `store` maps identifiers to ids. */
  readonly identifier?: string;
  /** How the tenant was found: `header`, `subdomain`, `path`, `query`, the name of a function, `fallback` or `run`. */
  readonly source?: string;
  readonly status?: TenantStatus;
  /** `data` of the store's record. */
  readonly data?: Readonly<TenantData>;
  /** The support person who acts in the tenant. See `@fledge/tenant/impersonation`. */
  readonly impersonatedBy?: string;
}

/** Builds a frozen context in which only `tenantId` is enumerable. */
export function tenantContextOf(facts: TenantContext): TenantContext {
  const { tenantId, ...hidden } = facts;
  const context = { tenantId };
  for (const [name, value] of Object.entries(hidden)) {
    if (value !== undefined) Object.defineProperty(context, name, { value });
  }
  return Object.freeze(context);
}

/** The tenant with the support person who acts in it. The tenant itself is shared, and stays as it is. */
export function withImpersonator(tenant: TenantContext, by: string): TenantContext {
  const facts = Object.getOwnPropertyDescriptors(tenant);
  const context = Object.defineProperties({}, { ...facts, impersonatedBy: { value: by } });
  return Object.freeze(context) as TenantContext;
}
