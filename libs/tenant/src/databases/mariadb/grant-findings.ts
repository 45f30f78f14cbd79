import { error, type Finding, warning } from '../finding.js';

/**
 * Sends one statement and returns the rows of the result. Send all statements over one connection.
 * Connect as the application's user.
 */
export type MariadbQuery = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/**
 * A finding of `auditMariadb()`. `error` means that a tenant could read or write rows of another
 * tenant, or that the tables are unusable.
 */
export interface MariadbFinding extends Finding<MariadbFindingCode> {
  /** The account, or a view or table in the form `database.name`. */
  readonly subject: string;
}

/** Stable codes. The documentation of the audit explains them. */
export type MariadbFindingCode =
  | 'GLOBAL_PRIVILEGE'
  | 'TABLE_PRIVILEGE'
  | 'VIEW_PRIVILEGE'
  | 'ROLE_GRANTED'
  | 'NO_VIEWS'
  | 'NOT_A_VIEW'
  | 'VIEW_UNREADABLE'
  | 'VIEW_INVOKER'
  | 'VIEW_WITHOUT_CHECK'
  | 'VIEW_UNRECOGNIZED'
  | 'TRIGGER_MISSING'
  | 'DEFINER_ROUTINE'
  | 'TENANT_PRESET'
  | 'ROWS_WITHOUT_TENANT';

/** Databases to audit. */
export interface AuditedDatabases {
  readonly tablesIn: string;
  readonly viewsIn: string;
}

/** The application needs these privileges on a view. */
const OF_ROWS = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'SHOW VIEW']);

/** Returns findings about the lines of `SHOW GRANTS`. */
export function auditGrants(
  lines: readonly string[],
  account: string,
  databases: AuditedDatabases,
): MariadbFinding[] {
  return lines.flatMap((line) => {
    // If privileges are for columns, the columns are in parentheses.
    const [, list, target = ''] =
      /^GRANT (.+?) ON (?:TABLE |FUNCTION |PROCEDURE |PACKAGE (?:BODY )?)?(\S.*?) TO /.exec(line) ??
      [];
    if (list === undefined) return [roleFinding(line, account)];
    const privileges = list
      .replaceAll(/ \([^)]*\)/g, '')
      .split(', ')
      .filter((privilege) => privilege !== 'USAGE');
    return privilegeFindings(privileges, target, account, databases);
  });
}

function privilegeFindings(
  privileges: readonly string[],
  target: string,
  account: string,
  { tablesIn, viewsIn }: AuditedDatabases,
): MariadbFinding[] {
  if (privileges.length === 0) return [];
  const what = privileges.join(', ');
  if (target === '*.*') {
    const message =
      `The account has ${what} on every database, including the tables, so the account can ` +
      `bypass the views.`;
    return [error('GLOBAL_PRIVILEGE', account, message, `REVOKE ${what} ON *.* FROM the account;`)];
  }
  const revoke = (names: string) => `REVOKE ${names} ON ${target} FROM the account;`;
  if (covers(target, tablesIn)) {
    const message = `The account has ${what} on ${target}, so the account can bypass the views.`;
    return [error('TABLE_PRIVILEGE', account, message, revoke(what))];
  }
  const more = privileges.filter((privilege) => !OF_ROWS.has(privilege)).join(', ');
  if (!covers(target, viewsIn) || more === '') return [];
  const message = `The account has ${more} on ${target}, so the account may replace views.`;
  return [warning('VIEW_PRIVILEGE', account, message, revoke(more))];
}

function roleFinding(line: string, account: string): MariadbFinding {
  const message = `The account also has the privileges of another account or role: ${line}.`;
  return warning(
    'ROLE_GRANTED',
    account,
    message,
    'Also run the audit as that account or role, or revoke that role.',
  );
}

/** The grant is for `db`.* or `db`.`table`. `db` may be a LIKE pattern. */
function covers(target: string, database: string): boolean {
  const [, name = ''] = /^`((?:[^`]|``)*)`\./.exec(target) ?? [];
  const pattern = name
    .replaceAll('``', '`')
    .replace(
      /\\([%_])|[%_]|[\\^$.*+?()[\]{}|]/g,
      (found, escaped?: string) =>
        escaped ?? (found === '%' ? '.*' : found === '_' ? '.' : `\\${found}`),
    );
  return new RegExp(`^${pattern}$`, 'i').test(database);
}
