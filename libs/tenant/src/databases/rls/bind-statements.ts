import { readRows, type RlsQuery } from './rls-query.js';
import { quoteText, quoteSetting, buildSearchPath } from './sql-names.js';

/** Values for a transaction. The transaction has no owner yet, or already has this owner. */
export interface OwnerValues {
  readonly owner: string;
  readonly setting: string;
  readonly tenantId: string;
  /** If undefined, the search path is not changed. */
  readonly schemas: readonly string[] | undefined;
}

/**
 * Sets the owner of the open transaction and the owner's settings. Returns the previous owner, or
 * `''`. If another tenant owns the transaction, nothing changes. All settings end with the
 * transaction, or with the rollback of a savepoint.
 */
export type OwnTransaction = (query: RlsQuery, values: OwnerValues) => Promise<string>;

// Only Fledge uses this setting. A pooled connection may still have an old `app.tenant_id`. The old
// value must not count as an owner.
const OWNER = 'fledge.transaction_owner';

/** One parameterized statement (one round trip). Requires the privilege to call `set_config`. */
export const ownBySetConfig: OwnTransaction = async (query, values) => {
  const { owner, setting, tenantId, schemas } = values;
  const params = [owner, setting, tenantId];
  if (schemas !== undefined) params.push(buildSearchPath(schemas));
  const [row] = readRows(await query(schemas === undefined ? BIND : BIND_WITH_SCHEMA, params));
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

/** Quoted values (three or four round trips). Requires no privilege to call `set_config`. */
export const ownBySetLocal: OwnTransaction = async (query, values) => {
  const { owner, setting, tenantId, schemas } = values;
  // All names are validated before the first statement is sent.
  if (schemas !== undefined) buildSearchPath(schemas);

  const [row] = readRows(
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
  // SET requires a value. A schema named '' contains nothing.
  const list = values.length === 0 ? [''] : values;
  return `set local ${quoteSetting(setting)} = ${list.map(quoteText).join(', ')}`;
}
