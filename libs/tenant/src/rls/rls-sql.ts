import { TENANT_SETTING } from './bind-tenant.js';
import { quoted, quotedTable, settingNameOf, tableNameOf, typeNameOf } from './sql-names.js';

/** SQL name of the function that lets any statement change a setting. */
export const SET_CONFIG = 'pg_catalog.set_config(text, text, boolean)';

export interface RlsSqlOptions {
  /** The column with the tenant's id. @default 'tenant_id' */
  readonly column?: string;
  /** Type of the column. @default 'text' */
  readonly type?: string;
  /** The setting that `bindTenant()` fills. @default 'app.tenant_id' */
  readonly setting?: string;
  /** Name of the policy. @default 'tenant_isolation' */
  readonly policy?: string;
  /** `tenant` fills the column of inserted rows with the current tenant. @default 'unchanged' */
  readonly columnDefault?: 'tenant' | 'unchanged';
  /** The application's role. It may read and write rows, but not TRUNCATE. @default no grants */
  readonly grantTo?: string;
  /**
   * `'revoked'` revokes the right to call `set_config` from roles other than superusers, so that injected
   * SQL cannot change the tenant with it. Requires a superuser, and transactions bound with
   * `{ by: 'SET LOCAL' }`.
   * @default 'unchanged'
   */
  readonly setConfig?: 'revoked' | 'unchanged';
}

/**
 * Returns SQL that makes PostgreSQL separate the rows of tenants. For a migration that the owner of the
 * tables runs. It can run again.
 *
 * @param tables such as `note` or `billing.invoice`. Case-sensitive
 * @throws RlsNameError
 */
export function rlsSql(tables: readonly string[], options: RlsSqlOptions = {}): string {
  const { type = 'text', columnDefault = 'unchanged', grantTo } = options;
  const column = quoted(options.column ?? 'tenant_id', 'column');
  const policy = quoted(options.policy ?? 'tenant_isolation', 'policy');
  const setting = settingNameOf(options.setting ?? TENANT_SETTING);
  // After its first use in a session, an unset setting is empty instead of null. Neither may match a row.
  const read = `nullif(current_setting('${setting}', true), '')`;
  const tenant = type === 'text' ? read : `${read}::${typeNameOf(type)}`;
  const own = `(${column} = ${tenant})`;

  const statements = tables.map(tableNameOf).flatMap((name) => {
    const table = quotedTable(name);
    return [
      `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
      `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
      `DROP POLICY IF EXISTS ${policy} ON ${table}`,
      `CREATE POLICY ${policy} ON ${table} FOR ALL USING ${own} WITH CHECK ${own}`,
      ...(columnDefault === 'tenant'
        ? [`ALTER TABLE ${table} ALTER COLUMN ${column} SET DEFAULT ${tenant}`]
        : []),
      ...(grantTo === undefined ? [] : grants(table, quoted(grantTo, 'role'))),
    ];
  });
  if (options.setConfig === 'revoked') {
    const roles = grantTo === undefined ? 'PUBLIC' : `PUBLIC, ${quoted(grantTo, 'role')}`;
    statements.push(`REVOKE EXECUTE ON FUNCTION ${SET_CONFIG} FROM ${roles}`);
  }
  return statements.map((statement) => `${statement};\n`).join('');
}

function grants(table: string, role: string): string[] {
  return [
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${role}`,
    // TRUNCATE ignores policies.
    `REVOKE TRUNCATE ON ${table} FROM ${role}`,
  ];
}
