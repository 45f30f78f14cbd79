import { oneOf, type OptionTable, readOptions, text } from '@fledge-internal/options';
import { placeOf, requireTables } from '../../option-rules.js';
import {
  quoteIdentifier,
  quoteTable,
  checkSettingName,
  parseTableName,
  checkTypeName,
  TENANT_SETTING,
} from './sql-names.js';

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

const OPTIONS = {
  column: text.default('tenant_id'),
  type: text.default('text'),
  setting: text.default(TENANT_SETTING),
  policy: text.default('tenant_isolation'),
  columnDefault: oneOf('tenant', 'unchanged').default('unchanged'),
  grantTo: text.optional,
  setConfig: oneOf('revoked', 'unchanged').default('unchanged'),
} satisfies OptionTable<RlsSqlOptions>;

/**
 * Returns SQL that makes PostgreSQL separate the rows of tenants. For a migration that the owner of the
 * tables runs. It can run again.
 *
 * @param tables such as `note` or `billing.invoice`. Case-sensitive
 * @throws RlsNameError, TenantOptionError
 */
export function rlsSql(tables: readonly string[], options: RlsSqlOptions = {}): string {
  const read = readOptions(options, OPTIONS, placeOf('rlsSql'));
  const { type, columnDefault, grantTo, setConfig } = read;
  if (setConfig === 'unchanged') requireTables(tables, 'rlsSql');
  const column = quoteIdentifier(read.column, 'column');
  const policy = quoteIdentifier(read.policy, 'policy');
  const setting = checkSettingName(read.setting);
  // After its first use in a session, an unset setting is empty instead of null. Neither may match a row.
  const value = `nullif(current_setting('${setting}', true), '')`;
  const tenant = type === 'text' ? value : `${value}::${checkTypeName(type)}`;
  // As a subquery, PostgreSQL reads the setting once for a statement, and not once for each row.
  const own = `(${column} = (SELECT ${tenant}))`;

  const statements = tables.map(parseTableName).flatMap((name) => {
    const table = quoteTable(name);
    return [
      `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
      `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
      `DROP POLICY IF EXISTS ${policy} ON ${table}`,
      `CREATE POLICY ${policy} ON ${table} FOR ALL USING ${own} WITH CHECK ${own}`,
      ...(columnDefault === 'tenant'
        ? [`ALTER TABLE ${table} ALTER COLUMN ${column} SET DEFAULT ${tenant}`]
        : []),
      ...(grantTo === undefined ? [] : grantsOn(table, quoteIdentifier(grantTo, 'role'))),
    ];
  });
  if (setConfig === 'revoked') {
    const roles = grantTo === undefined ? 'PUBLIC' : `PUBLIC, ${quoteIdentifier(grantTo, 'role')}`;
    statements.push(`REVOKE EXECUTE ON FUNCTION ${SET_CONFIG} FROM ${roles}`);
  }
  return statements.map((statement) => `${statement};\n`).join('');
}

function grantsOn(table: string, role: string): string[] {
  const literal = table.replaceAll("'", "''");
  return [
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${role}`,
    // TRUNCATE ignores policies.
    `REVOKE TRUNCATE ON ${table} FROM ${role}`,
    // An INSERT needs a right to the sequence of a `serial` column, which has a name of its own. Those of identity
    // columns need none ('i' in pg_depend).
    `DO $fledge$ DECLARE seq regclass; BEGIN ` +
      `FOR seq IN SELECT d.objid FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S' ` +
      `WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass ` +
      `AND d.refobjid = '${literal}'::regclass AND d.deptype = 'a' ` +
      `LOOP EXECUTE 'GRANT USAGE ON SEQUENCE ' || seq || ' TO ${role.replaceAll("'", "''")}'; END LOOP; END $fledge$`,
  ];
}
