/** Injection token of the checked options. */
export const LIFECYCLE_OPTIONS = Symbol('TENANT_LIFECYCLE_OPTIONS');
