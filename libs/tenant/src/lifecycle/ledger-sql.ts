// The SQL statements of the ledger. All parameters are strings.
import { quoteIdentifier } from '../databases/rls/sql-names.js';

export const TABLE = 'fledge_tenant_step';

export const CREATE_TABLE = `
create table if not exists ${TABLE} (
  tenant_id text not null,
  step text not null,
  target text not null,
  status text not null check (status in ('running', 'done', 'failed')),
  attempt int not null,
  run_id uuid not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  error_code text,
  error text,
  primary key (tenant_id, step)
)`;

/**
 * Returns SQL that creates the ledger's table. Run the SQL in a migration if the role of `ledger`
 * is not allowed to create tables. You can run the SQL again.
 * @param options `grantTo` is the role of `ledger`. This role gets privileges to read and write the
 * table. By default, no privileges are granted
 * @throws RlsNameError
 */
export function ledgerSql({ grantTo }: { readonly grantTo?: string } = {}): string {
  const create = `${CREATE_TABLE.trim()};\n`;
  if (grantTo === undefined) return create;
  return `${create}GRANT SELECT, INSERT, UPDATE, DELETE ON ${TABLE} TO ${quoteIdentifier(grantTo, 'role')};\n`;
}

const iso = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// pg_locks splits the 64 bits of a lock into two columns.
export const SELECT = `
with held as (
  select (l.classid::bigint << 32) | l.objid::bigint as key from pg_locks l
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
)
select s.tenant_id, s.step, s.target, s.attempt::text as attempt, s.error_code, s.error,
  ${iso('s.started_at')} as started_at, ${iso('s.finished_at')} as finished_at,
  case when s.status = 'running'
    and hashtextextended('fledge:tenant:' || s.tenant_id, 0) not in (select key from held)
    then 'interrupted' else s.status end as status
from ${TABLE} s`;

export const BEGIN = `
insert into ${TABLE} as s (tenant_id, step, target, status, attempt, run_id, started_at)
values ($1, $2, $3, 'running', 1, $4::uuid, clock_timestamp())
on conflict (tenant_id, step) do update set
  attempt = case when s.target = excluded.target and s.status <> 'done' then s.attempt + 1 else 1 end,
  target = excluded.target, status = 'running', run_id = excluded.run_id,
  started_at = excluded.started_at, finished_at = null, error_code = null, error = null
returning attempt::text as attempt`;

// Changes the entry only while the entry belongs to this run. Sent by the session that holds the
// lock.
export const FINISH = `
update ${TABLE} set status = $5, finished_at = clock_timestamp(),
  error_code = nullif($6, ''), error = nullif($7, '')
where tenant_id = $1 and step = $2 and run_id = $3::uuid and status = 'running'
  and pg_backend_pid() = $4::int
returning tenant_id`;
