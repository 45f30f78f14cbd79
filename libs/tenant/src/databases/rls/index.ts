export { bindTenant, type TenantBinding } from './bind-tenant.js';
export {
  tenantAware,
  type TransactionalAdapterShape,
  type TransactionalHooks,
  type TransactionOf,
} from './tenant-aware.js';
export {
  drizzleQuery,
  knexQuery,
  kyselyQuery,
  pgQuery,
  prismaQuery,
  type RlsQuery,
  type RlsRow,
  typeormQuery,
} from './rls-query.js';
export { rlsSql, type RlsSqlOptions } from './rls-sql.js';
export { auditRls, type RlsAuditOptions } from './audit/audit-rls.js';
export type { RlsFinding, RlsFindingCode } from './audit/rls-finding.js';
export { TenantRlsModule, type TenantRlsOptions } from './tenant-rls.module.js';
export { RlsAuditError, RlsNameError, RlsQueryError, RlsSetConfigError } from './rls.errors.js';
