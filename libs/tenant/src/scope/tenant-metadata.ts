import {
  ATTRIBUTE_KINDS,
  pickAttributes,
  mapAttributes,
  type TenantAttributes,
} from '../tenant-attributes.js';
import type { TenantContext } from '../tenant-context.js';
import { InvalidTenantError } from '../tenant.errors.js';

const IDENTIFIER = 'fledge-tenant';
const ID = 'fledge-tenant-id';

export const METADATA_KEYS: readonly string[] = [
  IDENTIFIER,
  ID,
  ...ATTRIBUTE_KINDS.map(({ metadataKey }) => metadataKey),
];

export function writeMetadata(
  { tenantId, identifier = tenantId }: TenantContext,
  attributes: TenantAttributes | undefined,
): Record<string, string> {
  const carried = mapAttributes(
    attributes,
    ({ metadataKey }, value) => [metadataKey, value] as const,
  );
  return { [IDENTIFIER]: identifier, [ID]: tenantId, ...Object.fromEntries(carried) };
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
  const found = ATTRIBUTE_KINDS.map(({ name, metadataKey, isValid }) => {
    const value = ((metadata ?? {}) as Record<string, unknown>)[metadataKey];
    if (value === undefined || isValid(value)) return [name, value] as const;
    throw new InvalidTenantError(`The metadata field "${metadataKey}"`);
  });
  return pickAttributes(Object.fromEntries(found) as TenantAttributes);
}
