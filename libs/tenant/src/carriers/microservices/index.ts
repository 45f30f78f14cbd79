export { TenantMicroservicesModule } from './tenant-microservices.module.js';
export type { TenantMicroservicesOptions } from './tenant-microservices.options.js';
