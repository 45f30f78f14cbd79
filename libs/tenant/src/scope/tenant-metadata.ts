import type { TenantContext } from '../tenant-context.js';
import { InvalidTenantError } from '../tenant.errors.js';

const IDENTIFIER = 'fledge-tenant';
const ID = 'fledge-tenant-id';
const IMPERSONATED_BY = 'fledge-impersonated-by';

/** The names under which metadata carries the tenant. */
export const METADATA_KEYS = [IDENTIFIER, ID, IMPERSONATED_BY] as const;

/** The tenant as metadata of a job or message. */
export function metadataOf(
  { tenantId, identifier = tenantId }: TenantContext,
  impersonator: string | undefined,
) {
  return {
    [IDENTIFIER]: identifier,
    [ID]: tenantId,
    ...(impersonator !== undefined && { [IMPERSONATED_BY]: impersonator }),
  };
}

/** The tenant that metadata names. Its values are not validated. */
export interface NamedTenant {
  readonly identifier: unknown;
  readonly tenantId: unknown;
}

/** Reads the tenant from metadata. Undefined if it names none. */
export function tenantIn(metadata: unknown): NamedTenant | undefined {
  const { [IDENTIFIER]: identifier, [ID]: tenantId } = (metadata ?? {}) as Record<string, unknown>;
  return identifier === undefined && tenantId === undefined ? undefined : { identifier, tenantId };
}

/** Names the identifier in errors. */
export const METADATA_IDENTIFIER_PLACE = `"${IDENTIFIER}" of the metadata`;

/** @throws InvalidTenantError */
export function checkedTenantId({ tenantId }: NamedTenant): string | undefined {
  // Undefined in metadata that was written by hand.
  if (tenantId === undefined || typeof tenantId === 'string') return tenantId;
  throw new InvalidTenantError(`"${ID}" of the metadata`);
}

/**
 * The support person that metadata names.
 * @throws InvalidTenantError
 */
export function impersonatorIn(metadata: unknown): string | undefined {
  const { [IMPERSONATED_BY]: by } = (metadata ?? {}) as Record<string, unknown>;
  if (by === undefined || isImpersonator(by)) return by;
  throw new InvalidTenantError(`"${IMPERSONATED_BY}" of the metadata`);
}

/** Without control characters and line separators, which could forge lines of a log. */
export function isImpersonator(by: unknown): by is string {
  return typeof by === 'string' && /^[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u.test(by);
}
