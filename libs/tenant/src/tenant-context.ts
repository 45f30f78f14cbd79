import type { TenantAttributes } from './tenant-attributes.js';

/** The application's data about a tenant. Augment this interface to type `tenant.data`. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by applications
export interface TenantData {}

/**
 * Requests of `suspended` tenants get 403, and requests of tenants under `maintenance` get 503.
 * Tenants in `provisioning` are being created; their requests get 503 too.
 */
export type TenantStatus = 'active' | 'suspended' | 'maintenance' | 'provisioning';

/**
 * The tenant of the current code. Read-only. Only `tenantId` is enumerable, so the store's data
 * about a tenant is not logged or sent by accident.
 */
export interface TenantContext extends TenantAttributes {
  readonly tenantId: string;
  /** The identifier that the request sent. Present if a `store` maps identifiers to ids. */
  readonly identifier?: string;
  /** How the tenant was found: `header`, `subdomain`, `path`, `query`, the name of a function, `fallback` or `run`. */
  readonly source?: string;
  readonly status?: TenantStatus;
  /** The `data` of the store's record. */
  readonly data?: Readonly<TenantData>;
}

type Facts = { readonly [K in keyof TenantContext]: TenantContext[K] | undefined } & {
  readonly tenantId: string;
};

/** Builds a frozen context in which only `tenantId` is enumerable. */
export function createTenantContext({ tenantId, ...hidden }: Facts): TenantContext {
  return defineHidden({ tenantId: { value: tenantId, enumerable: true } }, hidden);
}

/**
 * Returns a copy of the tenant with attributes. The tenant itself is shared and does not change.
 */
export function withAttributes(
  tenant: TenantContext,
  attributes: TenantAttributes | undefined,
): TenantContext {
  if (attributes === undefined) return tenant;
  return defineHidden(Object.getOwnPropertyDescriptors(tenant), attributes);
}

function defineHidden(known: PropertyDescriptorMap, hidden: object): TenantContext {
  const entries = Object.entries(hidden).filter(([, value]) => value !== undefined);
  const added = Object.fromEntries(
    entries.map(([name, value]) => [name, { value: value as unknown }]),
  );
  return Object.freeze(Object.defineProperties({}, { ...known, ...added })) as TenantContext;
}
