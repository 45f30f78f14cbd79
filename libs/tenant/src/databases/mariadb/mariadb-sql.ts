import { createHash } from 'node:crypto';
import {
  groupIfGiven,
  oneOf,
  type OptionTable,
  type ReadOptions,
  readOptions,
  text,
} from '@fledge-internal/options';
import { placeOf, requireTables } from '../../option-rules.js';
import { TenantOptionError } from '../../tenant.errors.js';

/** Options of `mariadbSql()`. */
export interface MariadbSqlOptions {
  /** Database of the tables. The application must have no privileges in this database. */
  readonly tablesIn: string;
  /** Database of the views. The application connects to this database. */
  readonly viewsIn: string;
  /** Column with the tenant's id. @default 'tenant_id' */
  readonly column?: string;
  /** `tenant` sets the column of inserted rows to the current tenant. @default 'unchanged' */
  readonly columnDefault?: 'tenant' | 'unchanged';
  /**
   * The application's user. This user gets privileges to read and write rows of the views.
   * @default no grants
   */
  readonly grantTo?: { readonly user: string; readonly host?: string };
}

type Account = NonNullable<MariadbSqlOptions['grantTo']>;

const ACCOUNT = { user: text.required, host: text.default('%') } satisfies OptionTable<Account>;

const OPTIONS = {
  tablesIn: text.required,
  viewsIn: text.required,
  column: text.default('tenant_id'),
  columnDefault: oneOf('tenant', 'unchanged').default('unchanged'),
  grantTo: groupIfGiven<Account, typeof ACCOUNT>(ACCOUNT),
} satisfies OptionTable<MariadbSqlOptions>;

type Options = ReadOptions<typeof OPTIONS>;

/** The function that returns the current tenant. Views call it. */
export const TENANT_FUNCTION = 'fledge_tenant_id';

/** `auditMariadb()` reads this view, because the account cannot see triggers. */
export const TRIGGER_VIEW = 'fledge_triggers';

/**
 * Returns SQL that creates a view for each table. A view contains only the rows of the current
 * tenant. Run the statements one by one in a migration, as the owner of the tables. Run them again
 * after you add a column to a table, and after an update of this package.
 *
 * @throws TenantOptionError
 */
export function mariadbSql(tables: readonly string[], options: MariadbSqlOptions): string[] {
  requireTables(tables, 'mariadbSql');
  const read = readOptions(options, OPTIONS, placeOf('mariadbSql'));
  if (read.tablesIn === read.viewsIn) {
    throw new TenantOptionError(
      `mariadbSql() has the database "${read.tablesIn}" in both tablesIn and viewsIn. ` +
        `Use a different database for the views.`,
    );
  }
  const tablesIn = quoteMariadbName(read.tablesIn, 'database');
  const tenant = `${tablesIn}.${quoteMariadbName(TENANT_FUNCTION, 'function')}`;
  return [
    // A view cannot read a variable, so views call this function. DETERMINISTIC allows the use of
    // an index. The value does not change within a statement.
    `CREATE OR REPLACE FUNCTION ${tenant}() RETURNS varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin ` +
      `DETERMINISTIC NO SQL SQL SECURITY INVOKER RETURN nullif(@tenant_id, '')`,
    ...triggerView(read),
    ...tables.flatMap((name) => tableStatements(name, tenant, read)),
  ];
}

function tableStatements(name: string, tenant: string, options: Options): string[] {
  const tablesIn = quoteMariadbName(options.tablesIn, 'database');
  const column = quoteMariadbName(options.column, 'column');
  const table = `${tablesIn}.${quoteMariadbName(name, 'table')}`;
  const view = `${quoteMariadbName(options.viewsIn, 'database')}.${quoteMariadbName(name, 'table')}`;
  return [
    // The second comparison distinguishes 'A' and 'a ' from 'a'. The column's collation may treat
    // them as equal.
    `CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW ${view} AS SELECT * FROM ${table} ` +
      `WHERE ${column} = ${tenant}() AND cast(${textOfColumn(column)} AS binary) = cast(${tenant}() AS binary) ` +
      `WITH CASCADED CHECK OPTION`,
    // REPLACE deletes, and ON DUPLICATE KEY UPDATE changes, the existing row with the same key. The
    // check option only looks at the new row.
    ...GUARDED_EVENTS.map(([event, kind]) => {
      const trigger = `${tablesIn}.${quoteMariadbName(triggerOf(kind, name), 'trigger')}`;
      return (
        `CREATE OR REPLACE TRIGGER ${trigger} BEFORE ${event} ON ${table} FOR EACH ROW ` +
        refusalOfOtherTenants(textOfColumn(`old.${column}`))
      );
    }),
    ...(options.columnDefault === 'tenant' ? [stamping(tablesIn, name, column, tenant)] : []),
    ...grants(view, options.grantTo),
  ];
}

/** Statements of MariaDB for which a table needs a trigger, and the word in the trigger's name. */
export const GUARDED_EVENTS = [
  ['DELETE', 'own'],
  ['UPDATE', 'update'],
] as const;

/**
 * Without the conversion, `cast(... AS binary)` returns the stored bytes. They differ from the text
 * in columns of the type `uuid`, and in columns with another character set.
 * @param column the quoted name
 */
export function textOfColumn(column: string): string {
  return `convert(${column} using utf8mb4)`;
}

/** The body of a trigger. @param value the SQL of the row's tenant */
export function refusalOfOtherTenants(value: string): string {
  return (
    `IF nullif(@tenant_id, '') IS NOT NULL AND ` +
    `NOT (cast(${value} AS binary) <=> cast(@tenant_id AS binary)) THEN ` +
    `SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'The row belongs to another tenant'; END IF`
  );
}

function triggerView({ tablesIn, viewsIn, grantTo }: Options): string[] {
  const view = `${quoteMariadbName(viewsIn, 'database')}.${quoteMariadbName(TRIGGER_VIEW, 'table')}`;
  return [
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW ${view} AS SELECT event_object_table AS name, ` +
      `event_manipulation AS event, action_timing AS timing, action_statement AS body ` +
      `FROM information_schema.triggers WHERE trigger_schema = ${quoteMariadbText(tablesIn)}`,
    ...grants(view, grantTo, 'SELECT'),
  ];
}

/** A trigger, because MariaDB does not allow functions in DEFAULT. */
function stamping(tablesIn: string, name: string, column: string, tenant: string): string {
  const trigger = `${tablesIn}.${quoteMariadbName(triggerOf('new', name), 'trigger')}`;
  return (
    `CREATE OR REPLACE TRIGGER ${trigger} BEFORE INSERT ON ${tablesIn}.${quoteMariadbName(name, 'table')} FOR EACH ROW ` +
    `SET new.${column} = coalesce(nullif(new.${column}, ''), ${tenant}())`
  );
}

/** Long names end with a hash, because triggers of a database need different names. */
function triggerOf(what: string, table: string): string {
  const name = `fledge_${what}_${table}`;
  if (name.length <= MAX_LENGTH) return name;
  const hash = createHash('sha256').update(table).digest('hex').slice(0, 8);
  return `${name.slice(0, MAX_LENGTH - 9)}_${hash}`;
}

function grants(
  view: string,
  to: Required<Account> | undefined,
  privileges = 'SELECT, INSERT, UPDATE, DELETE',
): string[] {
  if (to === undefined) return [];
  const account = `${quoteMariadbName(to.user, 'user')}@${quoteMariadbName(to.host, 'host')}`;
  // The audit needs SHOW VIEW.
  return [`GRANT ${privileges}, SHOW VIEW ON ${view} TO ${account}`];
}

/** An empty id means that there is no tenant. */
export function tenantStatement(tenantId: string): string {
  return `SET @tenant_id = ${quoteMariadbText(tenantId)}`;
}

/** MariaDB's length limit for names. */
const MAX_LENGTH = 64;

/**
 * @param what the kind of name for error messages, such as `table`
 * @throws TenantOptionError
 */
export function quoteMariadbName(name: string, what: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are rejected
  if (name.length > MAX_LENGTH || /^$|[\u0000-\u001f\u007f]| $/.test(name)) {
    throw new TenantOptionError(
      `${JSON.stringify(name)} cannot be used as a ${what} name in MariaDB. A name must have 1 ` +
        `to ${MAX_LENGTH} characters, no control characters and no space at the end.`,
    );
  }
  return `\`${name.replaceAll('`', '``')}\``;
}

/** The literal is hexadecimal, so it has the same meaning in every `sql_mode`. */
export function quoteMariadbText(text: string): string {
  return `_utf8mb4 X'${Buffer.from(text, 'utf8').toString('hex')}'`;
}
