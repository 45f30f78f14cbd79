import { type OptionTable, readOptions, text, texts } from '@fledge-internal/options';
import { placeOf } from '../../../option-rules.js';
import { error } from '../../finding.js';
import type { RlsQuery } from '../rls-query.js';
import { TENANT_SETTING, quoteIdentifier, checkSettingName, parseTableName } from '../sql-names.js';
import { type PolicyFacts, readCatalog, type CatalogFacts } from './catalog.js';
import { auditOwnerRights } from './owner-rights-findings.js';
import type { AuditedNames } from './policy-condition.js';
import { isOpenPolicy, auditPolicies } from './policy-findings.js';
import { subjectOf } from './finding-subject.js';
import type { RlsFinding } from './rls-finding.js';
import { auditRoles } from './role-findings.js';
import { auditIndexes, auditKeys, auditSequences, auditTable } from './table-findings.js';

/** Options of `auditRls()`. */
export interface RlsAuditOptions {
  /**
   * Tables to audit, such as `note` or `billing.invoice`. By default, a table is audited if it is
   * in `schema`, if it has the column, and if the role may use the table.
   * @default the tables with the column
   */
  readonly tables?: readonly string[];
  /** Schema of the tables, if the table names contain no schema. @default 'public' */
  readonly schema?: string;
  /** The setting that policies read. @default 'app.tenant_id' */
  readonly setting?: string;
  /** Column with the tenant's id. @default 'tenant_id' */
  readonly column?: string;
  /** Findings to ignore. Each is `'CODE subject'`. @default [] */
  readonly accept?: readonly string[];
}

export const AUDIT_RULES = {
  tables: texts.optional,
  schema: text.default('public'),
  setting: text.default(TENANT_SETTING),
  column: text.default('tenant_id'),
  accept: texts.default([]),
} satisfies OptionTable<RlsAuditOptions>;

/**
 * Audits row-level security. Returns ways in which the role of the query can bypass the policies.
 * Connect as the application's role. The audit reads only PostgreSQL's catalog.
 *
 * @example
 * ```ts
 * expect(await auditRls(pgQuery(pool))).toEqual([]);
 * ```
 * @throws RlsNameError, TenantOptionError
 */
export async function auditRls(
  query: RlsQuery,
  options: RlsAuditOptions = {},
): Promise<RlsFinding[]> {
  const read = readOptions(options, AUDIT_RULES, placeOf('auditRls'));
  const { schema, accept, column } = read;
  const tables = read.tables?.map(parseTableName);
  const names = { column, setting: checkSettingName(read.setting) };
  const isOpen = (policy: PolicyFacts) => isOpenPolicy(policy, names);
  const facts = await readCatalog(query, { ...names, schema, tables, isOpen });

  const found = new Set(facts.tables.map((table) => subjectOf(table)));
  const missing = (tables ?? [])
    .map((name) => subjectOf({ ...name, schema: name.schema ?? schema }))
    .filter((subject) => !found.has(subject))
    .map(tableNotFound);
  const isEmpty = found.size === 0 && missing.length === 0;
  const all = [
    ...missing,
    ...(isEmpty ? [noTables(schema, names.column)] : []),
    ...findingsOf(facts, names),
  ];
  return all.filter(({ code, subject }) => !accept.includes(`${code} ${subject}`));
}

function tableNotFound(subject: string): RlsFinding {
  const cure = 'Run the migrations before the application starts. Table names are case-sensitive.';
  return error('TABLE_NOT_FOUND', subject, 'The table does not exist.', cure);
}

function noTables(schema: string, column: string): RlsFinding {
  const name = quoteIdentifier(column, 'column');
  const message = `The role cannot use any table with the column ${name} in this schema.`;
  const cure =
    'Run the migrations before the application starts, grant privileges on the tables to the ' +
    'role, or set `tables`, `schema` or `column`.';
  return error('NO_TABLES', schema, message, cure);
}

function findingsOf(facts: CatalogFacts, names: AuditedNames): RlsFinding[] {
  const { tables, policies, session } = facts;
  const secured = tables.filter(({ enabled, foreign }) => enabled && !foreign);
  return [
    ...auditRoles(facts),
    ...tables.flatMap((table) => auditTable(table, session.role, names.column)),
    ...secured.flatMap((table) => auditPolicies(table, policies, names)),
    ...auditOwnerRights(facts),
    ...auditKeys(facts, names.column),
    ...auditIndexes(facts, names.column),
    ...auditSequences(facts),
  ];
}
