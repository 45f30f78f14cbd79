import { TENANT_SETTING } from '../bind-tenant.js';
import type { RlsQuery } from '../rls-query.js';
import { quoted, settingNameOf, tableNameOf } from '../sql-names.js';
import { type PolicyFacts, readCatalog } from './catalog.js';
import { error, subjectOf } from './finding-of.js';
import { findingsOf } from './findings.js';
import { isOpenPolicy } from './policy-findings.js';
import type { RlsFinding } from './rls-finding.js';

export interface RlsAuditOptions {
  /**
   * The tables to look at, such as `note` or `billing.invoice`.
   * @default each table of the schema that has the column and that the role may use
   */
  readonly tables?: readonly string[];
  /** Where tables without a schema of their own are. @default 'public' */
  readonly schema?: string;
  /** The setting that policies read. @default 'app.tenant_id' */
  readonly setting?: string;
  /** The column that tells whose a row is. @default 'tenant_id' */
  readonly column?: string;
  /** Findings that were looked into and are right as they are, each as `'CODE subject'`. @default [] */
  readonly accept?: readonly string[];
}

/**
 * Looks for ways past the policies, as the role that the query connects as: use the application's
 * own. Reads the catalog only.
 *
 * @example
 * ```ts
 * expect(await auditRls(pgQuery(pool))).toEqual([]);
 * ```
 * @throws RlsNameError
 */
export async function auditRls(
  query: RlsQuery,
  options: RlsAuditOptions = {},
): Promise<RlsFinding[]> {
  const { schema = 'public', accept = [] } = options;
  const tables = options.tables?.map(tableNameOf);
  const names = {
    column: options.column ?? 'tenant_id',
    setting: settingNameOf(options.setting ?? TENANT_SETTING),
  };
  const isOpen = (policy: PolicyFacts) => isOpenPolicy(policy, names);
  const facts = await readCatalog(query, { ...names, schema, tables, isOpen });

  const there = new Set(facts.tables.map((table) => subjectOf(table)));
  const missing = (tables ?? [])
    .map((name) => subjectOf({ ...name, schema: name.schema ?? schema }))
    .filter((subject) => !there.has(subject))
    .map((subject) =>
      error(
        'TABLE_NOT_FOUND',
        subject,
        'There is no such table.',
        'Run the migrations before the application starts, and mind upper and lower case.',
      ),
    );
  const nothing =
    facts.tables.length > 0 || missing.length > 0
      ? []
      : [
          error(
            'NO_TABLES',
            schema,
            `The role may use no table with a column ${quoted(names.column, 'column')} there.`,
            'Run the migrations before the application starts, grant the role what it needs, or name `tables`, `schema` or `column`.',
          ),
        ];
  return [...missing, ...nothing, ...findingsOf(facts, names)].filter(
    ({ code, subject }) => !accept.includes(`${code} ${subject}`),
  );
}
