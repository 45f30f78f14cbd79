import { type RlsQuery, readRows } from '../rls-query.js';
import type { TableName } from '../sql-names.js';
import { EXCLUSIONS, FOREIGN_KEYS, SEQUENCES, UNINDEXED, UNIQUES } from './catalog-keys.js';
import {
  POLICIES,
  PRESETS,
  ROLES,
  SESSION,
  TABLES_NAMED,
  TABLES_WITH_COLUMN,
} from './catalog-tables.js';
import { FUNCTIONS, RULES, VIEWS } from './catalog-owner-rights.js';

export interface CatalogFacts {
  readonly session: SessionFacts;
  /** The role, and each role that it can become with SET ROLE. */
  readonly roles: readonly RoleFacts[];
  /** Places that set the setting: `role app`, `database shop`, `function f()`. */
  readonly presets: readonly { readonly place: string }[];
  readonly tables: readonly TableFacts[];
  readonly policies: readonly PolicyFacts[];
  readonly views: readonly ViewFacts[];
  readonly rules: readonly RuleFacts[];
  readonly functions: readonly FunctionFacts[];
  /** Unique indexes that do not contain the column. Indexes of generated keys are excluded. */
  readonly uniques: readonly PartFacts[];
  /** Exclusion constraints that do not compare the column with `=`. */
  readonly exclusions: readonly PartFacts[];
  /** Foreign keys that do not contain the column. They connect two of the audited tables. */
  readonly foreignKeys: readonly PartFacts[];
  /** Tables with row-level security, but without an index that starts with the column. */
  readonly unindexed: readonly QualifiedName[];
  /** Sequences that an INSERT needs, but that the role is not allowed to use. */
  readonly sequences: readonly PartFacts[];
}

export interface SessionFacts {
  /** The role of the query. */
  readonly role: string;
  /** The role that opened the connection. */
  readonly login: string;
  /** `server_version_num`, such as 150014 for 15.14. */
  readonly serverVersion: number;
  /** True if the role may call `set_config`. */
  readonly setsConfig: boolean;
}

export interface RoleFacts {
  readonly name: string;
  /** True if the connected role has the privileges of this role without SET ROLE. */
  readonly inherited: boolean;
  readonly superuser: boolean;
  readonly bypassrls: boolean;
  readonly createrole: boolean;
  readonly replication: boolean;
  /** True for a predefined role that can use files and programs of the server. */
  readonly host: boolean;
  /** As JSON. Policies do not apply to the owner of a table without FORCE ROW LEVEL SECURITY. */
  readonly unforced: string;
  /** The tables that the role owns, as JSON. */
  readonly owns: string;
}

/** A table with its schema. */
interface QualifiedName extends TableName {
  readonly schema: string;
}

export interface TableFacts extends QualifiedName {
  readonly oid: string;
  readonly foreign: boolean;
  readonly hasColumn: boolean;
  /** True if two different ids can be equal in the column. */
  readonly loose: boolean;
  readonly enabled: boolean;
  readonly forced: boolean;
  /**
   * True if the table was listed, or if the role may use it. Other tables matter only if a view
   * reads them.
   */
  readonly examined: boolean;
  /** True if the role is the owner, or has the owner's privileges. */
  readonly owned: boolean;
  readonly truncates: boolean;
}

export interface PolicyFacts extends QualifiedName {
  readonly oid: string;
  readonly name: string;
  /** True if the policy applies to the role, or to a role that it can become. */
  readonly holds: boolean;
  readonly permissive: boolean;
  /** Value of `pg_policy.polcmd`: `*`, `r`, `a`, `w` or `d`. `*` means all commands. */
  readonly command: string;
  readonly using: string | null;
  readonly check: string | null;
}

/** A view that the role may use and that bypasses policies. */
export interface ViewFacts extends QualifiedName {
  readonly materialized: boolean;
}

/** A rule on a table or view that the role may use. */
export interface RuleFacts extends PartFacts {
  /** True if policies do not apply to the owner. The rule runs with the owner's privileges. */
  readonly escapes: boolean;
}

/** A SECURITY DEFINER function that the role may call. Policies do not apply to its owner. */
export interface FunctionFacts {
  /** The function's name with the types of its parameters. */
  readonly name: string;
  readonly owner: string;
  /** A table that is mentioned in the function's body. */
  readonly reads: string | null;
}

interface PartFacts extends QualifiedName {
  readonly name: string;
}

export interface CatalogScope {
  readonly column: string;
  readonly setting: string;
  readonly schema: string;
  /** If undefined, each table of the schema is audited if it has the column. */
  readonly tables: readonly TableName[] | undefined;
  /** Returns true if a policy allows rows of other tenants. */
  isOpen(policy: PolicyFacts): boolean;
}

/** Each fact is one statement, sent as the application's role. */
export async function readCatalog(query: RlsQuery, scope: CatalogScope): Promise<CatalogFacts> {
  const read = async <T>(sql: string, ...params: string[]) =>
    readRows(await query(sql, params)) as readonly T[];

  const { column, setting, schema } = scope;
  const [session] = await read<SessionFacts>(SESSION);
  const tables = await (scope.tables === undefined
    ? read<TableFacts>(TABLES_WITH_COLUMN, schema, column)
    : read<TableFacts>(TABLES_NAMED, JSON.stringify(named(scope.tables, schema)), column));
  const examined = tables.filter((table) => table.examined);

  const all = oidsOf(tables);
  const keyed = examined.filter((table) => table.hasColumn);
  const secured = keyed.filter(({ enabled, foreign }) => enabled && !foreign);
  const policies = await read<PolicyFacts>(POLICIES, all);
  const open = oidsOf(policies.filter((policy) => scope.isOpen(policy)));
  return {
    session: session as SessionFacts,
    roles: await read<RoleFacts>(ROLES, all),
    presets: await read<{ place: string }>(PRESETS, setting),
    tables: examined,
    policies: policies.filter(({ holds }) => holds),
    views: await read<ViewFacts>(VIEWS, all, open),
    rules: await read<RuleFacts>(RULES, all, open),
    functions: await read<FunctionFacts>(FUNCTIONS, all, open),
    uniques: await read<PartFacts>(UNIQUES, oidsOf(keyed), column),
    exclusions: await read<PartFacts>(EXCLUSIONS, oidsOf(keyed), column),
    foreignKeys: await read<PartFacts>(FOREIGN_KEYS, oidsOf(keyed), column),
    unindexed: await read<QualifiedName>(UNINDEXED, oidsOf(secured), column),
    sequences: await read<PartFacts>(SEQUENCES, oidsOf(examined)),
  };
}

function named(tables: readonly TableName[], schema: string): QualifiedName[] {
  return tables.map((name) => ({ schema: name.schema ?? schema, table: name.table }));
}

/** Returns oids as JSON. Drivers pass arrays in different ways. */
function oidsOf(list: readonly { readonly oid: string }[]): string {
  return JSON.stringify(list.map(({ oid }) => oid));
}
