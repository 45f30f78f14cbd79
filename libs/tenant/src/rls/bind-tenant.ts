import { currentScope, type TenantScope } from '../scope/tenant-scope.js';
import type { TenantContext } from '../tenant.context.js';
import { TenantContextMissingError, TenantTransactionMismatchError } from '../tenant.errors.js';
import { type RlsQuery, rowsOf } from './rls.query.js';
import { searchPathOf, settingNameOf } from './sql-names.js';

/** The setting that policies read, unless another is named. */
export const TENANT_SETTING = 'app.tenant_id';

/** What a transaction is told of the tenant. */
export interface TenantBinding {
  /** The setting that becomes the tenant's id. @default 'app.tenant_id' */
  readonly setting?: string;
  /**
   * The schemas a transaction of the tenant finds its tables in, besides the setting: for
   * applications that keep each tenant in a schema of its own. Validated and quoted.
   * @default the search path stays as it is
   */
  readonly schemaOf?: (tenant: TenantContext) => string | readonly string[];
}

/** A scope in which a transaction may begin. */
export type BoundScope = Exclude<TenantScope, { kind: 'none' }>;

/**
 * Ties the open transaction to the current tenant until it ends. Inside `runCentral()` it is tied to
 * nobody: policies then find no row. Outside of a transaction it is forgotten at once.
 *
 * @example
 * ```ts
 * await db.transaction(async (tx) => {
 *   await bindTenant(drizzleQuery(tx));
 *   return tx.select().from(notes);
 * });
 * ```
 * @throws TenantContextMissingError where no tenant is known
 * @throws TenantTransactionMismatchError where the transaction belongs to another tenant
 */
export async function bindTenant(query: RlsQuery, binding: TenantBinding = {}): Promise<void> {
  await bindScope(scopeToBind(), query, binding);
}

/** @throws TenantContextMissingError */
export function scopeToBind(): BoundScope {
  const scope = currentScope();
  if (scope === undefined || scope.kind === 'none') {
    throw new TenantContextMissingError('The tenant of a transaction');
  }
  return scope;
}

export async function bindScope(
  scope: BoundScope,
  query: RlsQuery,
  { setting = TENANT_SETTING, schemaOf }: TenantBinding,
): Promise<void> {
  const tenant = scope.kind === 'tenant' ? scope.tenant : undefined;
  const owner = tenant === undefined ? 'central' : `tenant ${tenant.tenantId}`;
  const params = [owner, settingNameOf(setting), tenant?.tenantId ?? ''];
  if (schemaOf !== undefined) {
    params.push(tenant === undefined ? '' : searchPathOf([schemaOf(tenant)].flat()));
  }

  const [row] = rowsOf(await query(schemaOf === undefined ? BIND : BIND_WITH_SCHEMA, params));
  const before = row?.['owner'];
  if (before !== '' && before !== owner) {
    throw new TenantTransactionMismatchError(nameOf(String(before)), nameOf(owner));
  }
}

// In one round trip, and all or nothing: a transaction that has an owner keeps it and its settings,
// also for who swallows the error. The setting of the owner is ours, so what others leave in the
// session of a pooled connection is never taken for it. Being local to the transaction it ends with
// it, and with a savepoint that is rolled back.
const OWNER = 'fledge.transaction_owner';
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

function nameOf(owner: string): string {
  return owner.replace(/^tenant /, '');
}
