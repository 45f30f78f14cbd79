export { mariadbSql, type MariadbSqlOptions } from './mariadb-sql.js';
export {
  type MariadbConnection,
  type MariadbPool,
  withTenantConnection,
} from './tenant-connection.js';
export { auditMariadb, type MariadbAuditOptions } from './audit-mariadb.js';
export type { MariadbFinding, MariadbFindingCode, MariadbQuery } from './grant-findings.js';
