import { TENANT_SETTING } from './bind-tenant.js';
import { quoted, quotedTable, settingNameOf, tableNameOf, typeNameOf } from './sql-names.js';

/** The function by which any statement may change a setting, as SQL names it. */
export const SET_CONFIG = 'pg_catalog.set_config(text, text, boolean)';

export interface RlsSqlOptions {
  /** The column that tells whose a row is. @default 'tenant_id' */
  readonly column?: string;
  /** Type of the column. @default 'text' */
  readonly type?: string;
  /** The setting that `bindTenant()` fills. @default 'app.tenant_id' */
  readonly setting?: string;
  /** @default 'tenant_isolation' */
  readonly policy?: string;
  /** Whether rows inserted without the column become the current tenant's. @default 'unchanged' */
  readonly columnDefault?: 'tenant' | 'unchanged';
  /** The role the application connects as: may read and write the rows, and not TRUNCATE. @default no grants */
  readonly grantTo?: string;
  /**
   * `'revoked'` takes the right to call `set_config` from all roles but superusers, so that injected SQL
   * cannot call it to change the tenant. Needs a superuser, and transactions bound by
   * `{ by: 'SET LOCAL' }`.
   * @default 'unchanged'
   */
  readonly setConfig?: 'revoked' | 'unchanged';
}

/**
 * The SQL that makes PostgreSQL keep the rows of tenants apart; can be run again. For a migration,
 * run by the owner of the tables.
 *
 * @param tables such as `note` or `billing.invoice`, in the case they have in the database
 * @throws RlsNameError
 */
export function rlsSql(tables: readonly string[], options: RlsSqlOptions = {}): string {
  const { type = 'text', columnDefault = 'unchanged', grantTo } = options;
  const column = quoted(options.column ?? 'tenant_id', 'column');
  const policy = quoted(options.policy ?? 'tenant_isolation', 'policy');
  const setting = settingNameOf(options.setting ?? TENANT_SETTING);
  // Once a setting was used in a session it is never null again, but empty: nobody's rows either.
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
    // No policy is asked for it.
    `REVOKE TRUNCATE ON ${table} FROM ${role}`,
  ];
}
