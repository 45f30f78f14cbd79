/** What a store knows of a tenant beyond its id. Augment it to have `tenant.data` typed. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled by applications
export interface TenantData {}

/** Whether a tenant is served: `suspended` answers 403, `maintenance` 503. */
export type TenantStatus = 'active' | 'suspended' | 'maintenance';

/**
 * For whom something is done. Read-only. Only `tenantId` is enumerable, so that what a store knows
 * of a tenant gets into no log line and no answer by accident.
 */
export interface TenantContext {
  readonly tenantId: string;
  /** What the request sent, where a store made an id of it. */
  readonly identifier?: string;
  /** What told the tenant: `header`, `subdomain`, `path`, `query`, the name of a function, `fallback` or `run`. */
  readonly source?: string;
  readonly status?: TenantStatus;
  /** What the store knows of the tenant. */
  readonly data?: Readonly<TenantData>;
}

/** A tenant of facts, frozen. */
export function tenantContextOf(facts: TenantContext): TenantContext {
  const { tenantId, ...beyond } = facts;
  const context = { tenantId };
  for (const [name, value] of Object.entries(beyond)) {
    if (value !== undefined) Object.defineProperty(context, name, { value });
  }
  return Object.freeze(context);
}
