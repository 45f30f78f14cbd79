export { tenantPlugin, type TenantPluginOptions } from './tenant-plugin.js';
