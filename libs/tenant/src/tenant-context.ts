import type { TenantAttributes } from './tenant-attributes.js';

/**
 * The application's data about a tenant. Extend this interface by declaration merging to set the
 * type of `tenant.data`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by applications
export interface TenantData {}

/**
 * Status of a tenant. Requests of `suspended` tenants get 403. Requests of tenants under
 * `maintenance` get 503. Tenants in `provisioning` are being created, and their requests also get
 * 503.
 */
export type TenantStatus = 'active' | 'suspended' | 'maintenance' | 'provisioning';

/**
 * The current tenant. It is read-only. Only `tenantId` is enumerable, so that the store's data is
 * not logged or sent by accident.
 */
export interface TenantContext extends TenantAttributes {
  readonly tenantId: string;
  /** The identifier in the request. Present only if a `store` maps identifiers to ids. */
  readonly identifier?: string;
  /**
   * The source of the tenant: `header`, `subdomain`, `path`, `query`, the name of a function,
   * `fallback` or `run`.
   */
  readonly source?: string;
  readonly status?: TenantStatus;
  /** The property `data` of the store's record. */
  readonly data?: Readonly<TenantData>;
}

type Facts = { readonly [K in keyof TenantContext]: TenantContext[K] | undefined } & {
  readonly tenantId: string;
};

export function createTenantContext({ tenantId, ...hidden }: Facts): TenantContext {
  return defineHidden({ tenantId: { value: tenantId, enumerable: true } }, hidden);
}

/** Copies the tenant, because several requests share this object. */
export function withAttributes(
  tenant: TenantContext,
  attributes: TenantAttributes | undefined,
): TenantContext {
  if (attributes === undefined) return tenant;
  return defineHidden(Object.getOwnPropertyDescriptors(tenant), attributes);
}

function defineHidden(known: PropertyDescriptorMap, hidden: object): TenantContext {
  const entries = Object.entries(hidden).filter(([, value]) => value != null);
  const added = Object.fromEntries(
    entries.map(([name, value]) => [name, { value: value as unknown }]),
  );
  return Object.freeze(Object.defineProperties({}, { ...known, ...added })) as TenantContext;
}
