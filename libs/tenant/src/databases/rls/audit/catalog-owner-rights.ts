import { REACHABLE, usable, WANTED } from './catalog-tables.js';

// Catalog queries for views, rules and functions. They run with the privileges of their owner.
// Parameters: $1 are the tables, $2 are policies that allow rows of other tenants.

/** Pairs of owner and table. The owner can read the rows of all tenants in the table. */
const ESCAPES = `open as (
  select p.* from jsonb_array_elements_text($2::text::jsonb) e(value)
  join pg_policy p on p.oid = e.value::oid),
owners as (
  select relowner as oid from pg_class where relkind in ('r', 'p', 'v', 'm')
  union select proowner from pg_proc where prosecdef),
escapes as (
  select o.oid as owner, t.oid as rel
  from owners join pg_roles o on o.oid = owners.oid cross join wanted t
  -- Objects of the role itself are subject to the role's own policies.
  where o.rolname <> current_user and (
    o.rolsuper or o.rolbypassrls or not t.relrowsecurity
    or (not t.relforcerowsecurity and pg_has_role(o.oid, t.relowner, 'USAGE'))
    or exists (
      select from open p, unnest(p.polroles) r(oid)
      where p.polrelid = t.oid and case r.oid when 0 then true else pg_has_role(o.oid, r.oid, 'USAGE') end)))`;

const READS = `d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass`;

// A view reads with the privileges of its owner, even if another view reads it. A view with
// security_invoker reads with the privileges of the role, even if another view reads it.
const ESCAPING = `coalesce((select o.option_value::boolean from pg_options_to_table(v.reloptions) o
  where o.option_name = 'security_invoker'), false) = false`;

const READERS = `readers(oid, escapes) as (
  select v.oid, v.relkind = 'm' or (${ESCAPING}
    and exists (select from escapes e where e.owner = v.relowner and e.rel = t.oid))
  from wanted t join pg_depend d on d.refobjid = t.oid join pg_rewrite r on r.oid = d.objid
  join pg_class v on v.oid = r.ev_class
  where ${READS} and r.ev_type = '1' and v.relkind in ('v', 'm')
  union
  select v.oid, v.relkind = 'm' or (${ESCAPING} and p.escapes)
  from readers p join pg_depend d on d.refobjid = p.oid join pg_rewrite r on r.oid = d.objid
  join pg_class v on v.oid = r.ev_class
  where ${READS} and r.ev_type = '1' and v.relkind in ('v', 'm'))`;

const START = `with recursive ${REACHABLE}, ${WANTED}, ${ESCAPES}`;

export const VIEWS = `${START}, ${READERS}
select n.nspname as schema, v.relname as table, v.relkind = 'm' as materialized
from pg_class v join pg_namespace n on n.oid = v.relnamespace
where v.oid in (select oid from readers where escapes) and ${usable('v.oid')}
order by 1, 2`;

// The owner of a rule is the owner of its table.
export const RULES = `${START}, ${READERS}
select distinct n.nspname as schema, c.relname as table, r.rulename as name,
  exists (select from escapes e where e.owner = c.relowner) as escapes
from (select oid from wanted union select oid from readers) about
join pg_depend d on d.refobjid = about.oid
join pg_rewrite r on r.oid = d.objid join pg_class c on c.oid = r.ev_class
join pg_namespace n on n.oid = c.relnamespace
where ${READS} and r.ev_type <> '1' and ${usable('c.oid')}
order by 1, 2, 3`;

// A function that the role can execute also counts if the role cannot name it, but another object
// may call it: a view, a default, an operator, a function. Functions of triggers and of aggregates
// run even without the EXECUTE privilege.
export const FUNCTIONS = `${START}
select p.oid::regprocedure::text as name, o.rolname as owner, (
    select t.nspname || '.' || t.relname from wanted t
    where p.prosrc ~* ('\\m' || regexp_replace(t.relname, '(\\W)', '\\\\\\1', 'g') || '\\M')
      or exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid
        and d.refclassid = 'pg_class'::regclass and d.refobjid = t.oid)
    order by 1 limit 1) as reads
from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_roles o on o.oid = p.proowner
where p.prosecdef and p.proowner in (select owner from escapes)
  and n.nspname !~ '^(pg_|information_schema$)'
  and not exists (
    select from pg_depend d
    where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  and (exists (
      select from reachable me where has_function_privilege(me.oid, p.oid, 'EXECUTE')
        and (has_schema_privilege(me.oid, n.oid, 'USAGE') or exists (
          select from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid)))
    or exists (
      select from pg_trigger g where g.tgfoid = p.oid
        and (g.tgrelid in (select oid from wanted) or ${usable('g.tgrelid')}))
    or exists (
      select from pg_aggregate a, reachable me
      where p.oid in (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn, a.aggdeserialfn,
          a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
        and has_function_privilege(me.oid, a.aggfnoid, 'EXECUTE')))
order by 1`;
