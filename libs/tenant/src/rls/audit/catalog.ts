import { type RlsQuery, rowsOf } from '../rls.query.js';
import type { TableName } from '../sql-names.js';

/** What PostgreSQL's catalog says of a database, as far as the audit goes by it. */
export interface CatalogFacts {
  readonly role: RoleFacts;
  readonly tables: readonly TableFacts[];
  readonly policies: readonly PolicyFacts[];
  readonly views: readonly ViewFacts[];
  /** Unique indexes without the column, other than of keys that the database makes up. */
  readonly uniques: readonly PartFacts[];
  /** Foreign keys between the tables, without the column. */
  readonly foreignKeys: readonly PartFacts[];
}

export interface RoleFacts {
  readonly name: string;
  readonly superuser: boolean;
  readonly bypassrls: boolean;
  /** Such as 150014 for 15.14. */
  readonly serverVersion: number;
}

export interface TableFacts extends Required<TableName> {
  readonly schema: string;
  readonly hasColumn: boolean;
  readonly enabled: boolean;
  readonly forced: boolean;
  /** Whether the role is the owner, or has the owner's rights. */
  readonly owned: boolean;
  readonly truncates: boolean;
}

/** Of the policies that hold for the role. */
export interface PolicyFacts extends TableName {
  readonly schema: string;
  readonly name: string;
  readonly permissive: boolean;
  /** As `pg_policy.polcmd` has it: `*` for all, `r`, `a`, `w` or `d`. */
  readonly command: string;
  readonly using: string | null;
  readonly check: string | null;
}

/** Of the views over the tables that the role may use. */
interface ViewFacts extends TableName {
  readonly schema: string;
  readonly materialized: boolean;
  readonly invoker: boolean;
  /** Whether no policy holds for its owner, in whose name it reads. */
  readonly ownerEscapes: boolean;
}

interface PartFacts extends TableName {
  readonly schema: string;
  readonly name: string;
}

export interface CatalogScope {
  readonly column: string;
  readonly schema: string;
  /** Undefined for each table of the schema that has the column and that the role may use. */
  readonly tables: readonly TableName[] | undefined;
}

/** Asks as the role the application connects as, in six statements. */
export async function readCatalog(query: RlsQuery, scope: CatalogScope): Promise<CatalogFacts> {
  const ask = async <T>(sql: string, ...params: string[]) =>
    rowsOf(await query(sql, params)) as readonly T[];

  const { column, schema } = scope;
  const [role] = await ask<RoleFacts>(ROLE);
  const tables = await (scope.tables === undefined
    ? ask<Identified>(TABLES_WITH_COLUMN, schema, column)
    : ask<Identified>(TABLES_NAMED, JSON.stringify(named(scope.tables, schema)), column));
  const all = JSON.stringify(tables.map(({ oid }) => oid));
  const keyed = JSON.stringify(tables.filter((table) => table.hasColumn).map(({ oid }) => oid));
  return {
    role: role as RoleFacts,
    tables,
    policies: await ask<PolicyFacts>(POLICIES, all),
    views: await ask<ViewFacts>(VIEWS, all),
    uniques: await ask<PartFacts>(UNIQUES, keyed, column),
    foreignKeys: await ask<PartFacts>(FOREIGN_KEYS, keyed, column),
  };
}

type Identified = TableFacts & { readonly oid: string };

function named(tables: readonly TableName[], schema: string): Required<TableName>[] {
  return tables.map((name) => ({ schema: name.schema ?? schema, table: name.table }));
}

// Lists travel as JSON: the drivers do not agree on arrays.

const ROLE = `
select rolname as name, rolsuper as superuser, rolbypassrls as bypassrls,
  current_setting('server_version_num')::int as "serverVersion"
from pg_roles where rolname = current_user`;

const TABLE = `
select t.oid::text, n.nspname as schema, t.relname as table, a.attname is not null as "hasColumn",
  t.relrowsecurity as enabled, t.relforcerowsecurity as forced,
  pg_has_role(t.relowner, 'USAGE') as owned, has_table_privilege(t.oid, 'TRUNCATE') as truncates
from pg_class t
join pg_namespace n on n.oid = t.relnamespace
left join pg_attribute a on a.attrelid = t.oid and a.attname = $2 and not a.attisdropped
where t.relkind in ('r', 'p')`;

const TABLES_NAMED = `${TABLE}
  and (n.nspname, t.relname) in
    (select e->>'schema', e->>'table' from jsonb_array_elements($1::text::jsonb) e)
order by 2, 3`;

const TABLES_WITH_COLUMN = `${TABLE}
  and n.nspname = $1 and a.attname is not null
  and (has_any_column_privilege(t.oid, 'SELECT, INSERT, UPDATE')
    or has_table_privilege(t.oid, 'DELETE, TRUNCATE'))
order by 2, 3`;

const WANTED = `wanted as (
  select t.*, n.nspname from jsonb_array_elements_text($1::text::jsonb) e(value)
  join pg_class t on t.oid = e.value::oid join pg_namespace n on n.oid = t.relnamespace)`;

const POLICIES = `with ${WANTED}
select t.nspname as schema, t.relname as table, p.polname as name, p.polpermissive as permissive,
  p.polcmd::text as command, pg_get_expr(p.polqual, p.polrelid) as using,
  pg_get_expr(p.polwithcheck, p.polrelid) as check
from pg_policy p join wanted t on t.oid = p.polrelid
where exists (
  select from unnest(p.polroles) r(oid)
  -- Nought is PUBLIC.
  where case r.oid when 0 then true else pg_has_role(r.oid, 'USAGE') end)
order by 1, 2, 3`;

// A view reads in the name of its owner, also through other views.
const VIEWS = `with recursive ${WANTED}, readers(oid) as (
  select r.ev_class from pg_rewrite r join pg_depend d on d.objid = r.oid
  join wanted t on t.oid = d.refobjid
  where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
  union
  select r.ev_class from readers v join pg_depend d on d.refobjid = v.oid
  join pg_rewrite r on r.oid = d.objid
  where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass)
select n.nspname as schema, v.relname as table, v.relkind = 'm' as materialized,
  coalesce((select o.option_value::boolean from pg_options_to_table(v.reloptions) o
    where o.option_name = 'security_invoker'), false) as invoker,
  o.rolsuper or o.rolbypassrls or exists (
    select from wanted t
    where not t.relforcerowsecurity and pg_has_role(o.oid, t.relowner, 'USAGE')) as "ownerEscapes"
from readers join pg_class v on v.oid = readers.oid
join pg_namespace n on n.oid = v.relnamespace join pg_roles o on o.oid = v.relowner
where v.relkind in ('v', 'm') and has_table_privilege(v.oid, 'SELECT, INSERT, UPDATE, DELETE')
order by 1, 2`;

const UNIQUES = `with ${WANTED}, keys as (
  select t.oid as relid, t.nspname, t.relname, i.indexrelid,
    unnest((i.indkey::int2[])[0:i.indnkeyatts - 1]) as attnum
  from pg_index i join wanted t on t.oid = i.indrelid where i.indisunique)
select k.nspname as schema, k.relname as table, k.indexrelid::regclass::text as name
from keys k
left join pg_attribute a on a.attrelid = k.relid and a.attnum = k.attnum
left join pg_attrdef d on d.adrelid = k.relid and d.adnum = k.attnum
group by k.nspname, k.relname, k.indexrelid
having not coalesce(bool_or(a.attname = $2), false) and not bool_and(
  coalesce(a.attidentity <> '', false)
  or coalesce(pg_get_expr(d.adbin, d.adrelid) ~ '(nextval|uuid[a-z0-9_]*)\\(', false))
order by 1, 2, 3`;

const FOREIGN_KEYS = `with ${WANTED}
select t.nspname as schema, t.relname as table, c.conname as name
from pg_constraint c
join wanted t on t.oid = c.conrelid join wanted r on r.oid = c.confrelid
join pg_attribute a on a.attrelid = t.oid and a.attname = $2
where c.contype = 'f' and c.conparentid = 0 and not a.attnum = any(c.conkey)
order by 1, 2, 3`;
