import type { ImpersonatedTenant } from './impersonation/impersonated-by.js';

/**
 * Attributes that stay with a tenant in nested scopes, central routes, jobs, messages, logs and
 * spans.
 */
export type TenantAttributes = ImpersonatedTenant;

/** Returns undefined if the tenant has no attributes. */
export function pickAttributes({ impersonatedBy }: TenantAttributes): TenantAttributes | undefined {
  return impersonatedBy === undefined ? undefined : { impersonatedBy };
}

/** Returns the attributes of an OpenTelemetry span. */
export function spanAttributesOf({
  tenantId,
  impersonatedBy,
}: { readonly tenantId?: string } & TenantAttributes): Record<string, string> {
  return {
    ...(tenantId !== undefined && { 'tenant.id': tenantId }),
    ...(impersonatedBy !== undefined && { 'tenant.impersonated_by': impersonatedBy }),
  };
}
