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

/** Any statement can call this function to change a setting. */
export const SET_CONFIG = 'pg_catalog.set_config(text, text, boolean)';

export interface RlsSqlOptions {
  /** Column with the tenant's id. @default 'tenant_id' */
  readonly column?: string;
  /**
   * Type of the column, without a length: `character varying`. Types that could make two tenants
   * equal, such as `char` and `numeric`, are rejected. PostgreSQL reports an error for ids that are no
   * value of the type, so set `identifier.pattern`: `/[1-9][0-9]{0,17}/` for `bigint`.
   * @default 'text'
   */
  readonly type?: string;
  /** Setting that `bindTenant()` sets. @default 'app.tenant_id' */
  readonly setting?: string;
  /** Name of the policy. @default 'tenant_isolation' */
  readonly policy?: string;
  /** `tenant` sets the column of inserted rows to the current tenant. @default 'unchanged' */
  readonly columnDefault?: 'tenant' | 'unchanged';
  /**
   * The application's role. The role gets privileges to read and write rows, but no privilege to
   * TRUNCATE.
   * @default no grants
   */
  readonly grantTo?: string;
  /**
   * `'revoked'` revokes the privilege to call `set_config` from all roles except superusers.
   * Injected SQL then cannot change the tenant with `set_config`. The migration requires a
   * superuser. Transactions must be bound with `{ by: 'SET LOCAL' }`.
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
 * Returns SQL with which PostgreSQL separates the rows of tenants. Run the SQL in a migration, as
 * the owner of the tables. You can run the SQL again.
 *
 * @param tables names such as `note` or `billing.invoice`. They are case-sensitive
 * @throws RlsNameError, TenantOptionError
 */
export function rlsSql(tables: readonly string[], options: RlsSqlOptions = {}): string {
  const read = readOptions(options, OPTIONS, placeOf('rlsSql'));
  const { type, columnDefault, grantTo, setConfig } = read;
  if (setConfig === 'unchanged') requireTables(tables, 'rlsSql');
  const column = quoteIdentifier(read.column, 'column');
  const policy = quoteIdentifier(read.policy, 'policy');
  const setting = checkSettingName(read.setting);
  // An unset setting is null, or empty if the session has used the setting before. Both values must
  // match no row.
  const value = `nullif(current_setting('${setting}', true), '')`;
  const tenant = type === 'text' ? value : `${value}::${checkTypeName(type)}`;
  // In a subquery, the setting is read once per statement instead of once per row.
  // A cast can make two ids equal: '01' and '1'. Only the id that is written like the value matches.
  const isExact = type === 'text' ? '' : ` AND (SELECT ${tenant}::text = ${value})`;
  const own = `(${column} = (SELECT ${tenant})${isExact})`;

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
    // An INSERT needs a privilege on the sequence of a `serial` column. The SQL looks up the name
    // of the sequence. Sequences of identity columns ('i' in pg_depend) need no privilege.
    `DO $fledge$ DECLARE seq regclass; BEGIN ` +
      `FOR seq IN SELECT d.objid FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S' ` +
      `WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass ` +
      `AND d.refobjid = '${literal}'::regclass AND d.deptype = 'a' ` +
      `LOOP EXECUTE 'GRANT USAGE ON SEQUENCE ' || seq || ' TO ${role.replaceAll("'", "''")}'; END LOOP; END $fledge$`,
  ];
}
