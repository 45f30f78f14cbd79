import { IMPERSONATED_BY, type ImpersonatedTenant } from './impersonation/impersonated-by.js';

/**
 * Attributes that stay with a tenant in nested scopes, central routes, jobs, messages, logs and
 * spans.
 */
export type TenantAttributes = ImpersonatedTenant;

export interface AttributeKind {
  readonly name: keyof TenantAttributes;
  readonly metadataKey: string;
  readonly spanKey: string;
  readonly isValid: (value: unknown) => value is string;
  /** Key of the attribute in a log line. */
  readonly label: (value: string) => string;
}

export const ATTRIBUTE_KINDS: readonly AttributeKind[] = [IMPERSONATED_BY];

/** Returns undefined if the tenant has no attributes. */
export function pickAttributes(tenant: TenantAttributes): TenantAttributes | undefined {
  const entries = mapAttributes(tenant, ({ name }, value) => [name, value] as const);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Calls `convert` for each attribute that has a value. */
export function mapAttributes<T>(
  attributes: TenantAttributes | undefined,
  convert: (kind: AttributeKind, value: string) => T,
): T[] {
  if (attributes === undefined) return [];
  return ATTRIBUTE_KINDS.flatMap((kind) => {
    const value = attributes[kind.name];
    return value === undefined ? [] : [convert(kind, value)];
  });
}
