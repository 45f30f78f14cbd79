/** Injects the current tenant: `@Inject(TENANT_CONTEXT) tenant: TenantContext`. */
export const TENANT_CONTEXT = Symbol('fledge:TENANT_CONTEXT');

export const TENANT_OPTIONS = Symbol('options of TenantModule.forRoot({ strategy })');
