export { TenantBullModule } from './tenant-bull.module.js';
