/** Default setting that policies read. */
export const TENANT_SETTING = 'app.tenant_id';
