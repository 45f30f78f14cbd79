export { TenantRabbitModule } from './tenant-rabbit.module.js';
