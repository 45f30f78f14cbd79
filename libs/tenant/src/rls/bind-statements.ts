import { rowsOf, type RlsQuery } from './rls-query.js';
import { literal, quotedSetting, searchPathOf } from './sql-names.js';

/** What a transaction gets, if it has no owner yet or has the same one. */
export interface OwnerValues {
  readonly owner: string;
  readonly setting: string;
  readonly tenantId: string;
  /** Undefined leaves the search path as it is. */
  readonly schemas: readonly string[] | undefined;
}

/**
 * Gives the open transaction its owner and the owner's settings, and returns the owner it had before:
 * `''` for none. A transaction of another owner keeps that owner and its settings. Everything is local
 * to the transaction, so it ends with it, and with a savepoint that is rolled back.
 */
export type OwnTransaction = (query: RlsQuery, values: OwnerValues) => Promise<string>;

// A setting of ours: what others left in the session of a pooled connection is not taken for it.
const OWNER = 'fledge.transaction_owner';

/** One statement with parameters, in one round trip. Needs the right to call `set_config`. */
export const ownBySetConfig: OwnTransaction = async (query, values) => {
  const { owner, setting, tenantId, schemas } = values;
  const params = [owner, setting, tenantId];
  if (schemas !== undefined) params.push(searchPathOf(schemas));
  const [row] = rowsOf(await query(schemas === undefined ? BIND : BIND_WITH_SCHEMA, params));
  return String(row?.['owner']);
};

const bind = (schema: string) => `
with before as materialized (select coalesce(current_setting('${OWNER}', true), '') as owner)
select owner,
  set_config('${OWNER}', case when owner = '' then $1 else owner end, true) as bound,
  set_config($2, case when owner in ('', $1) then $3 else current_setting($2, true) end, true) as tenant${schema}
from before`;
const BIND = bind('');
const BIND_WITH_SCHEMA = bind(`,
  set_config('search_path',
    case when owner in ('', $1) then $4 else current_setting('search_path') end, true) as schema`);

/** `SET LOCAL` with quoted values, in three or four round trips. Works where `set_config` is revoked. */
export const ownBySetLocal: OwnTransaction = async (query, values) => {
  const { owner, setting, tenantId, schemas } = values;
  // Checks the names before the first statement.
  if (schemas !== undefined) searchPathOf(schemas);

  const [row] = rowsOf(
    await query(`select coalesce(current_setting('${OWNER}', true), '') as owner`, []),
  );
  const before = String(row?.['owner']);
  if (before !== '' && before !== owner) return before;
  await query(setLocal(OWNER, owner), []);
  await query(setLocal(setting, tenantId), []);
  if (schemas !== undefined) await query(setLocal('search_path', ...schemas), []);
  return before;
};

function setLocal(setting: string, ...values: string[]): string {
  // PostgreSQL takes no list of none, and finds nothing in a schema without a name.
  const list = values.length === 0 ? [''] : values;
  return `set local ${quotedSetting(setting)} = ${list.map(literal).join(', ')}`;
}
