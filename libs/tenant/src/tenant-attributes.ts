import { IMPERSONATED_BY, type ImpersonatedTenant } from './impersonation/impersonated-by.js';

/**
 * Attributes that stay with a tenant in nested scopes, central routes, jobs, messages, logs and
 * spans.
 */
export type TenantAttributes = ImpersonatedTenant;

/** Keys of an attribute in metadata, logs and spans. */
export interface AttributeKind {
  /** Property of `TenantContext`. */
  readonly name: keyof TenantAttributes;
  readonly metadataKey: string;
  readonly spanKey: string;
  readonly isValid: (value: unknown) => value is string;
  /** Key of the attribute in a log line. */
  readonly label: (value: string) => string;
}

export const ATTRIBUTE_KINDS: readonly AttributeKind[] = [IMPERSONATED_BY];

/** Returns the attributes of a tenant. Returns undefined if the tenant has none. */
export function pickAttributes(tenant: TenantAttributes): TenantAttributes | undefined {
  const entries = mapAttributes(tenant, ({ name }, value) => [name, value] as const);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Calls `convert` for each attribute that has a value. Returns the results. */
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
