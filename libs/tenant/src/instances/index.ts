export {
  type TenantConnectionOptions,
  TenantConnectionsModule,
} from './tenant-connections.module.js';
