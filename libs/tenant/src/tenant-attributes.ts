/**
 * Attributes that stay with a tenant in nested scopes, central routes, jobs, messages, logs and
 * spans.
 */
export interface TenantAttributes {
  /** The support person who acts in the tenant. See `@fledge/tenant/impersonation`. */
  readonly impersonatedBy?: string;
}

/** Rejects control characters and line separators. They could be used to forge log lines. */
export function isImpersonator(by: unknown): by is string {
  return typeof by === 'string' && /^[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u.test(by);
}

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
