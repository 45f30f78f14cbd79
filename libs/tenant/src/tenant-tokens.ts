/** Injects the tenant of what runs now: `@Inject(TENANT_CONTEXT) tenant: TenantContext`. */
export const TENANT_CONTEXT = Symbol('fledge:TENANT_CONTEXT');

/** Under it, the options of the module with every default applied. */
export const TENANT_OPTIONS = Symbol('options of TenantModule.forRoot({ strategy })');
