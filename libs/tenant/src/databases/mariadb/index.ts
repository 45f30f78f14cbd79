export { mariadbSql, type MariadbSqlOptions } from './mariadb-sql.js';
export {
  type MariadbConnection,
  type MariadbPool,
  withTenantConnection,
} from './tenant-connection.js';
export { auditMariadb, type MariadbAuditOptions, type MariadbQuery } from './audit-mariadb.js';
export type { MariadbFinding, MariadbFindingCode } from './grant-findings.js';
