import { type OptionTable, readOptions, text, texts } from '@fledge-internal/options';
import { placeOf } from '../../option-rules.js';
import {
  auditGrants,
  type AuditedDatabases,
  type MariadbFinding,
  type MariadbQuery,
} from './grant-findings.js';
import { error, warning } from '../finding.js';
import {
  quoteMariadbText,
  quoteMariadbName,
  TENANT_FUNCTION,
  textOfColumn,
} from './mariadb-sql.js';
import { auditTriggers } from './trigger-findings.js';

/** Options of `auditMariadb()`. */
export interface MariadbAuditOptions extends AuditedDatabases {
  /** Column with the tenant's id. @default 'tenant_id' */
  readonly column?: string;
  /** Findings to ignore. Each is `'CODE subject'`. @default [] */
  readonly accept?: readonly string[];
}

const OPTIONS = {
  tablesIn: text.required,
  viewsIn: text.required,
  column: text.default('tenant_id'),
  accept: texts.default([]),
} satisfies OptionTable<MariadbAuditOptions>;

/**
 * Audits the views of `mariadbSql()`. Returns ways in which the user of the query can bypass the
 * views. Connect as the application's user. The audit reads grants and the information schema. It
 * also checks that views are empty if no tenant is set.
 *
 * @throws TenantOptionError if an option is invalid, or if MariaDB does not accept a name
 */
export async function auditMariadb(
  query: MariadbQuery,
  options: MariadbAuditOptions,
): Promise<MariadbFinding[]> {
  const read = readOptions(options, OPTIONS, placeOf('auditMariadb'));
  const { column, accept } = read;
  const [session] = await query('select current_user() as account, @tenant_id as preset');
  const account = String(session?.['account']);
  const grants = await query('show grants');
  const lines = grants.map((row) => String(Object.values(row)[0]));
  const all = [
    ...auditGrants(lines, account, read),
    ...presetFindings(session?.['preset'], account),
    ...(await viewFindings(query, read, column)),
    ...(await routineFindings(query)),
  ];
  return all.filter(({ code, subject }) => !accept.includes(`${code} ${subject}`));
}

function presetFindings(preset: unknown, account: string): MariadbFinding[] {
  if (preset === null || preset === undefined || preset === '') return [];
  const message = `A new connection already has the tenant ${JSON.stringify(preset)}.`;
  const cure =
    'Remove @tenant_id from `init_connect`, and use connections through withTenantConnection().';
  return [error('TENANT_PRESET', account, message, cure)];
}

/**
 * Checks a readable view or table if it has the column, if it uses the database of the tables, or
 * if it cannot be inspected.
 */
async function viewFindings(
  query: MariadbQuery,
  { tablesIn, viewsIn }: AuditedDatabases,
  column: string,
): Promise<MariadbFinding[]> {
  // Compared as binary, because the information schema ignores the case of names.
  const found = await query(`
    select t.table_schema as \`schema\`, t.table_name as name, t.table_type as type, v.security_type as security,
      v.check_option as checked, v.view_definition as definition
    from information_schema.tables t
    left join information_schema.views v on binary v.table_schema = t.table_schema
      and binary v.table_name = t.table_name
    where t.table_schema not in ('information_schema', 'mysql', 'performance_schema', 'sys')
      and binary t.table_schema <> ${quoteMariadbText(tablesIn)}
    order by 1, 2`);
  const findings: MariadbFinding[] = [];
  const from = quoteMariadbName(tablesIn, 'database');
  const views = found.map(factsOf);
  const listed = new Set(views.map(({ schema, name }) => `${schema}.${name}`));
  let own = 0;
  const recognized: string[] = [];
  for (const view of views) {
    const hasColumn = await canRead(query, view, quoteMariadbName(column, 'column'));
    const reads = view.definition.toLowerCase().includes(`${from.toLowerCase()}.`);
    const hidden = reads ? undefined : hiddenIn(view, listed);
    if (!hasColumn && !reads && hidden === undefined) continue;
    if (hasColumn && view.schema === viewsIn) own++;
    if (view.schema === viewsIn && isRecognized(view, tablesIn, column)) recognized.push(view.name);
    if (hidden !== undefined) findings.push(unreadable(view, hidden));
    else findings.push(...judged(view, tablesIn, column));
    findings.push(...(await rowsWithoutTenant(query, view)));
  }
  if (own === 0) {
    const message = `The account cannot use a view with the column \`${column}\` in this database.`;
    const cure = 'Set grantTo in mariadbSql(), and run its statements as the owner of the tables.';
    findings.push(error('NO_VIEWS', viewsIn, message, cure));
  }
  return [...findings, ...(await auditTriggers(query, recognized, { tablesIn, viewsIn, column }))];
}

const FACTS = ['schema', 'name', 'type', 'security', 'checked', 'definition'] as const;
type ViewFacts = Readonly<Record<(typeof FACTS)[number], string>>;

function factsOf(row: Readonly<Record<string, unknown>>): ViewFacts {
  const texts = FACTS.map(
    (name) => [name, typeof row[name] === 'string' ? row[name] : ''] as const,
  );
  return Object.fromEntries(texts) as ViewFacts;
}

/** MariaDB stores every kind of join as `join`, and writes the database before each source. */
const SOURCES = /\b(?:from|join) *\(*`((?:[^`]|``)+)`\.`((?:[^`]|``)+)`/gi;

/**
 * Returns a view with a definition that the account cannot read: this view, or a view that this
 * view reads. Returns undefined if there is none.
 */
function hiddenIn(view: ViewFacts, listed: ReadonlySet<string>): string | undefined {
  if (view.type !== 'VIEW') return undefined;
  if (view.definition === '') return `${view.schema}.${view.name}`;
  return [...view.definition.matchAll(SOURCES)]
    .map(([, schema = '', name = '']) => `${schema}.${name}`.replaceAll('``', '`'))
    .find((source) => !listed.has(source) && !source.startsWith('information_schema.'));
}

function unreadable({ schema, name }: ViewFacts, hidden: string): MariadbFinding {
  const subject = `${schema}.${name}`;
  const message =
    subject === hidden
      ? 'The audit cannot read the definition of the view.'
      : `The view reads ${hidden}. The audit cannot read the definition of ${hidden}.`;
  return error('VIEW_UNREADABLE', subject, message, `GRANT SHOW VIEW ON ${hidden} TO the account;`);
}

function* judged(view: ViewFacts, tablesIn: string, column: string): Generator<MariadbFinding> {
  const subject = `${view.schema}.${view.name}`;
  const again = `Run the statements of mariadbSql(['${view.name}'], ...) as the owner of the table.`;
  if (view.type !== 'VIEW') {
    const message = 'This is a table, so the account can read the rows of all tenants.';
    yield error('NOT_A_VIEW', subject, message, again);
    return;
  }
  if (view.security !== 'DEFINER') {
    const message =
      'The view has SQL SECURITY INVOKER, so each account that uses the view needs privileges on ' +
      'the table.';
    yield error('VIEW_INVOKER', subject, message, again);
  }
  if (view.checked !== 'CASCADED') {
    const message =
      'The view lacks WITH CASCADED CHECK OPTION, so a tenant can write rows for other tenants.';
    yield error('VIEW_WITHOUT_CHECK', subject, message, again);
  }
  if (!isRecognized(view, tablesIn, column)) {
    yield error('VIEW_UNRECOGNIZED', subject, 'The view may show rows of other tenants.', again);
  }
}

const NAME = '`(?:[^`]|``)+`';
const COLUMN = `${NAME}\\.${NAME}\\.${NAME} AS ${NAME}`;
const ONLY_COLUMNS = new RegExp(`^select ${COLUMN}(?:,${COLUMN})*$`);

/**
 * A definition of `mariadbSql()` has our WHERE condition and only columns of the table. Older
 * versions of this package compared the column without a conversion.
 */
function isRecognized({ name, definition }: ViewFacts, tablesIn: string, column: string): boolean {
  const table = `${quoteMariadbName(tablesIn, 'database')}.${quoteMariadbName(name, 'table')}`;
  const own = `${table}.${quoteMariadbName(column, 'column')}`;
  const tenant = `${quoteMariadbName(tablesIn, 'database')}.${quoteMariadbName(TENANT_FUNCTION, 'function')}()`;
  return [textOfColumn(own), own].some((value) => {
    const end = ` from ${table} where ${own} = ${tenant} and cast(${value} as char charset binary) = cast(${tenant} as char charset binary)`;
    return definition.endsWith(end) && ONLY_COLUMNS.test(definition.slice(0, -end.length));
  });
}

/** The information schema omits columns of a view if the user may not call the view's function. */
async function canRead(query: MariadbQuery, view: ViewFacts, column: string): Promise<boolean> {
  return query(`select ${column} from ${quotedView(view)} limit 0`).then(
    () => true,
    () => false,
  );
}

function quotedView({ schema, name }: ViewFacts): string {
  return `${quoteMariadbName(schema, 'database')}.${quoteMariadbName(name, 'table')}`;
}

async function rowsWithoutTenant(query: MariadbQuery, found: ViewFacts): Promise<MariadbFinding[]> {
  const view = quotedView(found);
  const [row] = await query(`select exists (select 1 from ${view}) as seen`).catch(() => []);
  if (Number(row?.['seen'] ?? 0) === 0) return [];
  const cure = `REVOKE SELECT ON ${view} FROM the account; or run the statements of mariadbSql().`;
  return [
    error(
      'ROWS_WITHOUT_TENANT',
      `${found.schema}.${found.name}`,
      'The view shows rows even if no tenant is set.',
      cure,
    ),
  ];
}

async function routineFindings(query: MariadbQuery): Promise<MariadbFinding[]> {
  const found = await query(`
    select routine_schema as \`schema\`, routine_name as name, definer from information_schema.routines
    where security_type = 'DEFINER' and routine_schema not in ('mysql', 'sys') order by 1, 2`);
  return found.map(({ schema, name, definer }) => {
    const subject = `${String(schema)}.${String(name)}`;
    const message =
      `The routine runs with the privileges of ${String(definer)}. ` +
      `Check what the routine reads and writes.`;
    return warning(
      'DEFINER_ROUTINE',
      subject,
      message,
      `REVOKE EXECUTE on the routine, or add the finding to the option \`accept\`.`,
    );
  });
}
