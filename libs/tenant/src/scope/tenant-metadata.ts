import { isImpersonator, type TenantAttributes } from '../tenant-attributes.js';
import type { TenantContext } from '../tenant-context.js';
import { InvalidTenantError } from '../tenant.errors.js';

const IDENTIFIER = 'fledge-tenant';
const ID = 'fledge-tenant-id';
const IMPERSONATED_BY = 'fledge-impersonated-by';

export const METADATA_KEYS: readonly string[] = [IDENTIFIER, ID, IMPERSONATED_BY];

export function writeMetadata(
  { tenantId, identifier = tenantId }: TenantContext,
  { impersonatedBy }: TenantAttributes = {},
): Record<string, string> {
  return {
    [IDENTIFIER]: identifier,
    [ID]: tenantId,
    ...(impersonatedBy !== undefined && { [IMPERSONATED_BY]: impersonatedBy }),
  };
}

/** The tenant in metadata, before validation. */
export interface NamedTenant {
  readonly identifier: unknown;
  readonly tenantId: unknown;
}

export function readNamedTenant(metadata: unknown): NamedTenant | undefined {
  const { [IDENTIFIER]: identifier, [ID]: tenantId } = (metadata ?? {}) as Record<string, unknown>;
  return identifier === undefined && tenantId === undefined ? undefined : { identifier, tenantId };
}

export const METADATA_IDENTIFIER_PLACE = `The metadata field "${IDENTIFIER}"`;

/** @throws InvalidTenantError */
export function checkTenantId({ tenantId }: NamedTenant): string | undefined {
  // The id is missing if the metadata was written by hand.
  if (tenantId === undefined || typeof tenantId === 'string') return tenantId;
  throw new InvalidTenantError(`The metadata field "${ID}"`);
}

/** @throws InvalidTenantError */
export function readAttributes(metadata: unknown): TenantAttributes | undefined {
  const { [IMPERSONATED_BY]: impersonatedBy } = (metadata ?? {}) as Record<string, unknown>;
  if (impersonatedBy === undefined) return undefined;
  if (isImpersonator(impersonatedBy)) return { impersonatedBy };
  throw new InvalidTenantError(`The metadata field "${IMPERSONATED_BY}"`, 'support person');
}
