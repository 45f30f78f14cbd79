import { type RlsQuery, rowsOf } from '../rls-query.js';
import type { TableName } from '../sql-names.js';
import { EXCLUSIONS, FOREIGN_KEYS, UNIQUES } from './catalog-keys.js';
import {
  POLICIES,
  PRESETS,
  ROLES,
  SESSION,
  TABLES_NAMED,
  TABLES_WITH_COLUMN,
} from './catalog-tables.js';
import { FUNCTIONS, RULES, VIEWS } from './catalog-owner-rights.js';

/** What PostgreSQL's catalog says of a database, as far as the audit goes by it. */
export interface CatalogFacts {
  readonly session: SessionFacts;
  /** The role itself, and each that it can become by SET ROLE. */
  readonly roles: readonly RoleFacts[];
  /** Where the setting has a value before a transaction is bound: `role app`, `database shop`. */
  readonly presets: readonly { readonly place: string }[];
  readonly tables: readonly TableFacts[];
  readonly policies: readonly PolicyFacts[];
  readonly views: readonly ViewFacts[];
  readonly rules: readonly RuleFacts[];
  readonly functions: readonly FunctionFacts[];
  /** Unique indexes without the column, other than of keys that the database makes up. */
  readonly uniques: readonly PartFacts[];
  /** Exclusion constraints that do not compare the column by `=`. */
  readonly exclusions: readonly PartFacts[];
  /** Foreign keys between the tables, without the column. */
  readonly foreignKeys: readonly PartFacts[];
}

export interface SessionFacts {
  /** The role that the query works as. */
  readonly role: string;
  /** The role that it connected as. */
  readonly login: string;
  /** Such as 150014 for 15.14. */
  readonly serverVersion: number;
  /** Whether the role may call `set_config`. */
  readonly setsConfig: boolean;
}

export interface RoleFacts {
  readonly name: string;
  /** Whether its rights are there without SET ROLE. */
  readonly inherited: boolean;
  readonly superuser: boolean;
  readonly bypassrls: boolean;
  readonly createrole: boolean;
  readonly replication: boolean;
  /** A predefined role that reaches files and programs of the server. */
  readonly host: boolean;
  /** The tables it owns for which it is held by no policy, as JSON. */
  readonly unforced: string;
  /** The tables it owns, as JSON. */
  readonly owns: string;
}

export interface TableFacts extends Required<TableName> {
  readonly oid: string;
  readonly schema: string;
  readonly foreign: boolean;
  readonly hasColumn: boolean;
  readonly enabled: boolean;
  readonly forced: boolean;
  /** Whether it was named, or the role may use it. Others matter for what reads them. */
  readonly examined: boolean;
  /** Whether the role is the owner, or has the owner's rights. */
  readonly owned: boolean;
  readonly truncates: boolean;
}

export interface PolicyFacts extends TableName {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  /** Whether it holds for the role, or for one that it can become. */
  readonly holds: boolean;
  readonly permissive: boolean;
  /** As `pg_policy.polcmd` has it: `*` for all, `r`, `a`, `w` or `d`. */
  readonly command: string;
  readonly using: string | null;
  readonly check: string | null;
}

/** A view that the role may use, and that shows rows past the policies. */
export interface ViewFacts extends TableName {
  readonly schema: string;
  readonly materialized: boolean;
}

/** A rule on a table or view that the role may use. */
export interface RuleFacts extends PartFacts {
  /** Whether no policy holds for the owner, in whose name it works. */
  readonly escapes: boolean;
}

/** A function with SECURITY DEFINER that the role may call, of an owner for whom no policy holds. */
export interface FunctionFacts {
  /** With the types of its parameters. */
  readonly name: string;
  readonly owner: string;
  /** A table that its body names. */
  readonly reads: string | null;
}

interface PartFacts extends TableName {
  readonly schema: string;
  readonly name: string;
}

export interface CatalogScope {
  readonly column: string;
  readonly setting: string;
  readonly schema: string;
  /** Undefined for each table of the schema that has the column. */
  readonly tables: readonly TableName[] | undefined;
  /** Whether a policy lets in more than the rows of the tenant. */
  isOpen(policy: PolicyFacts): boolean;
}

/** Asks as the role the application connects as, a statement for each of the facts. */
export async function readCatalog(query: RlsQuery, scope: CatalogScope): Promise<CatalogFacts> {
  const ask = async <T>(sql: string, ...params: string[]) =>
    rowsOf(await query(sql, params)) as readonly T[];

  const { column, setting, schema } = scope;
  const [session] = await ask<SessionFacts>(SESSION);
  const tables = await (scope.tables === undefined
    ? ask<TableFacts>(TABLES_WITH_COLUMN, schema, column)
    : ask<TableFacts>(TABLES_NAMED, JSON.stringify(named(scope.tables, schema)), column));
  const examined = tables.filter((table) => table.examined);

  const all = oidsOf(tables);
  const keyed = oidsOf(examined.filter((table) => table.hasColumn));
  const policies = await ask<PolicyFacts>(POLICIES, all);
  const open = oidsOf(policies.filter((policy) => scope.isOpen(policy)));
  return {
    session: session as SessionFacts,
    roles: await ask<RoleFacts>(ROLES, all),
    presets: await ask<{ place: string }>(PRESETS, setting),
    tables: examined,
    policies: policies.filter(({ holds }) => holds),
    views: await ask<ViewFacts>(VIEWS, all, open),
    rules: await ask<RuleFacts>(RULES, all, open),
    functions: await ask<FunctionFacts>(FUNCTIONS, all, open),
    uniques: await ask<PartFacts>(UNIQUES, keyed, column),
    exclusions: await ask<PartFacts>(EXCLUSIONS, keyed, column),
    foreignKeys: await ask<PartFacts>(FOREIGN_KEYS, keyed, column),
  };
}

function named(tables: readonly TableName[], schema: string): Required<TableName>[] {
  return tables.map((name) => ({ schema: name.schema ?? schema, table: name.table }));
}

/** Lists travel as JSON: the drivers do not agree on arrays. */
function oidsOf(list: readonly { readonly oid: string }[]): string {
  return JSON.stringify(list.map(({ oid }) => oid));
}
