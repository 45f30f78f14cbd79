import { WANTED } from './catalog-tables.js';

// Catalog queries for keys, constraints and indexes. Parameters: $1 are the tables, $2 is the
// column.

export const UNIQUES = `with ${WANTED}, keys as (
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

// If the operator is not =, the constraint compares rows of different tenants.
export const EXCLUSIONS = `with ${WANTED}
select t.nspname as schema, t.relname as table, c.conname as name
from pg_constraint c join wanted t on t.oid = c.conrelid
join pg_attribute a on a.attrelid = t.oid and a.attname = $2
where c.contype = 'x' and not exists (
  select from unnest(c.conkey, c.conexclop) k(att, op) join pg_operator o on o.oid = k.op
  where k.att = a.attnum and o.oprname = '=')
order by 1, 2, 3`;

export const FOREIGN_KEYS = `with ${WANTED}
select t.nspname as schema, t.relname as table, c.conname as name
from pg_constraint c
join wanted t on t.oid = c.conrelid join wanted r on r.oid = c.confrelid
join pg_attribute a on a.attrelid = t.oid and a.attname = $2
where c.contype = 'f' and c.conparentid = 0 and not a.attnum = any(c.conkey)
order by 1, 2, 3`;

// If a table is partitioned by the column, the table needs no index. PostgreSQL then reads only the
// tenant's partition.
export const UNINDEXED = `with ${WANTED}
select t.nspname as schema, t.relname as table
from wanted t join pg_attribute a on a.attrelid = t.oid and a.attname = $2
where t.relkind in ('r', 'p')
  and not exists (
    select from pg_index i
    where i.indrelid = t.oid and i.indisvalid and i.indpred is null and i.indkey[0] = a.attnum)
  and not exists (
    select from pg_partitioned_table p left join pg_inherits h on h.inhparent = p.partrelid
    join pg_attribute c on c.attrelid = p.partrelid and c.attname = $2
    where t.oid in (p.partrelid, h.inhrelid) and p.partattrs[0] = c.attnum)
order by 1, 2`;

// Sequences in default values, such as the sequences of `serial` columns. Sequences of identity
// columns need no privilege.
export const SEQUENCES = `with ${WANTED}
select t.nspname as schema, t.relname as table, s.oid::regclass::text as name
from wanted t
join pg_attrdef f on f.adrelid = t.oid
join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = f.oid and d.refclassid = 'pg_class'::regclass
join pg_class s on s.oid = d.refobjid
where has_any_column_privilege(t.oid, 'INSERT')
  -- A default depends on its table too, of which PostgreSQL would refuse to tell the privilege.
  and case when s.relkind = 'S' then not has_sequence_privilege(s.oid, 'USAGE, UPDATE') else false end
group by t.nspname, t.relname, s.oid
order by 1, 2, 3`;
