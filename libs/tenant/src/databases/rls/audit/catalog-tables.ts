// Catalog queries for roles, tables and policies.

/**
 * The role, and each role that it can become. SET ROLE changes to another role, and RESET ROLE
 * changes back to the role that connected.
 */
export const REACHABLE = `reachable as (
  select r.* from pg_roles r, pg_roles login
  where login.rolname = session_user
    and (r.oid = login.oid
      or pg_has_role(r.oid, SETTABLE)
      or (not login.rolsuper and pg_has_role(login.oid, r.oid, SETTABLE))))`
  // Since PostgreSQL 16, SET ROLE can be forbidden for a membership.
  .replaceAll(
    'SETTABLE',
    `case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end`,
  );

/** The tables whose oids are in $1, a JSON list. */
export const WANTED = `wanted as (
  select t.*, n.nspname from jsonb_array_elements_text($1::text::jsonb) e(value)
  join pg_class t on t.oid = e.value::oid join pg_namespace n on n.oid = t.relnamespace)`;

/** True if the role, or a role that it can become, may use the table or view. */
export const usable = (relation: string) => `exists (
  select from reachable me
  where has_any_column_privilege(me.oid, ${relation}, 'SELECT, INSERT, UPDATE')
    or has_table_privilege(me.oid, ${relation}, 'DELETE, TRUNCATE'))`;

export const SESSION = `
select current_user::text as role, session_user::text as login,
  current_setting('server_version_num')::int as "serverVersion",
  exists (
    select from pg_proc p
    -- Includes copies under another name.
    where p.prosrc = 'set_config_by_name' and has_function_privilege(p.oid, 'EXECUTE')) as "setsConfig"`;

export const ROLES = `with ${REACHABLE}, ${WANTED}
select r.rolname as name, pg_has_role(r.oid, 'USAGE') as inherited, r.rolsuper as superuser,
  r.rolbypassrls as bypassrls, r.rolcreaterole as createrole, r.rolreplication as replication,
  r.rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program') as host,
  coalesce(json_agg(t.nspname || '.' || t.relname order by t.nspname, t.relname)
    filter (where not t.relforcerowsecurity), '[]')::text as unforced,
  coalesce(json_agg(t.nspname || '.' || t.relname order by t.nspname, t.relname)
    filter (where t.oid is not null), '[]')::text as owns
from reachable r left join wanted t on t.relowner = r.oid
group by r.oid, r.rolname, r.rolsuper, r.rolbypassrls, r.rolcreaterole, r.rolreplication
order by 1`;

export const PRESETS = `
select case when s.setrole = 0 then 'database ' || d.datname else 'role ' || r.rolname end as place
from pg_db_role_setting s cross join unnest(s.setconfig) c(value)
left join pg_roles r on r.oid = s.setrole
join pg_database d on d.oid = s.setdatabase or (s.setdatabase = 0 and d.datname = current_database())
where d.datname = current_database()
  and lower(split_part(c.value, '=', 1)) = lower($1::text) and substr(c.value, length($1::text) + 2) <> ''
  and (s.setrole = 0 or r.rolname in (current_user, session_user))
union
select 'function ' || p.oid::regprocedure from pg_proc p cross join unnest(p.proconfig) c(value)
where lower(split_part(c.value, '=', 1)) = lower($1::text) and substr(c.value, length($1::text) + 2) not in ('', '""')
  and (has_function_privilege(p.oid, 'EXECUTE') or exists (select from pg_trigger g where g.tgfoid = p.oid))
union
select 'session' where coalesce(current_setting($1::text, true), '') <> ''
order by 1`;

/**
 * An SQL condition. It is true if two different ids can be equal in the column. The row is read as
 * JSON, because PostgreSQL 11 lacks `collisdeterministic`.
 */
const LOOSE = `(
  exists (
    select from pg_collation c
    where c.oid = a.attcollation and to_jsonb(c)->>'collisdeterministic' = 'false')
  or exists (
    with recursive base as (
      select b.* from pg_type b where b.oid = a.atttypid
      -- The type of a domain.
      union all select b.* from base join pg_type b on b.oid = base.typbasetype)
    select from base where typname = 'citext'))`;

const TABLES = (chosen: string, examined: string) => `with recursive ${REACHABLE}, chosen as (
  select t.oid from pg_class t join pg_namespace n on n.oid = t.relnamespace
  where t.relkind in ('r', 'p', 'f') and ${chosen}),
-- Includes parents, partitions and children: each applies its own policies to the shared rows.
children as (
  select oid from chosen
  union select i.inhrelid from children c join pg_inherits i on i.inhparent = c.oid),
parents as (
  select oid from chosen
  union select i.inhparent from parents p join pg_inherits i on i.inhrelid = p.oid)
select t.oid::text, n.nspname as schema, t.relname as table, t.relkind = 'f' as foreign,
  a.attname is not null as "hasColumn", a.attname is not null and ${LOOSE} as loose, t.relrowsecurity as enabled, t.relforcerowsecurity as forced,
  pg_has_role(t.relowner, 'USAGE') as owned, has_table_privilege(t.oid, 'TRUNCATE') as truncates,
  ${examined} or ${usable('t.oid')} as examined
from (select oid from children union select oid from parents) found
join pg_class t on t.oid = found.oid
join pg_namespace n on n.oid = t.relnamespace
left join pg_attribute a on a.attrelid = t.oid and a.attname = $2 and not a.attisdropped
order by 2, 3`;

export const TABLES_NAMED = TABLES(
  `(n.nspname, t.relname) in
    (select e->>'schema', e->>'table' from jsonb_array_elements($1::text::jsonb) e)`,
  't.oid in (select oid from chosen)',
);

export const TABLES_WITH_COLUMN = TABLES(
  `n.nspname = $1 and exists (
    select from pg_attribute a where a.attrelid = t.oid and a.attname = $2 and not a.attisdropped)`,
  'false',
);

export const POLICIES = `with ${REACHABLE}, ${WANTED}
select p.oid::text, t.nspname as schema, t.relname as table, p.polname as name,
  p.polpermissive as permissive, p.polcmd::text as command,
  pg_get_expr(p.polqual, p.polrelid) as using, pg_get_expr(p.polwithcheck, p.polrelid) as check,
  exists (
    select from unnest(p.polroles) r(oid)
    -- 0 is PUBLIC. A policy for a group applies to its members.
    where r.oid = 0
      or exists (select from reachable me where pg_has_role(me.oid, r.oid, 'USAGE'))) as holds
from pg_policy p join wanted t on t.oid = p.polrelid
order by 2, 3, 4`;
