import { currentScope, type TenantScope } from '../scope/tenant-scope.js';
import type { TenantContext } from '../tenant-context.js';
import { TenantContextMissingError, TenantTransactionMismatchError } from '../tenant.errors.js';
import { type OwnerValues, ownBySetConfig, ownBySetLocal } from './bind-statements.js';
import { RlsSetConfigError } from './rls.errors.js';
import type { RlsQuery } from './rls-query.js';
import { settingNameOf } from './sql-names.js';

/** The setting that policies read, unless another is named. */
export const TENANT_SETTING = 'app.tenant_id';

/** How a transaction is bound to its tenant. */
export interface TenantBinding {
  /** The setting that becomes the tenant's id. @default 'app.tenant_id' */
  readonly setting?: string;
  /**
   * The statement that sets it. `set_config` takes one round trip. `SET LOCAL` takes three, and is for
   * databases where `rlsSql(tables, { setConfig: 'revoked' })` took the right to call `set_config` away.
   * @default 'set_config'
   */
  readonly by?: 'set_config' | 'SET LOCAL';
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
 * Binds the open transaction to the current tenant until it ends. Inside `runCentral()` it is bound to
 * no tenant, so policies show no rows. Call it inside of a transaction: outside, the binding ends with
 * the statement.
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
 * @throws RlsSetConfigError where the role may not call `set_config`, and `by` does not say `SET LOCAL`
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

/** @throws TenantTransactionMismatchError, RlsSetConfigError */
export async function bindScope(
  scope: BoundScope,
  query: RlsQuery,
  { setting = TENANT_SETTING, by = 'set_config', schemaOf }: TenantBinding,
): Promise<void> {
  const tenant = scope.kind === 'tenant' ? scope.tenant : undefined;
  const owner = tenant === undefined ? 'central' : `tenant ${tenant.tenantId}`;
  const values: OwnerValues = {
    owner,
    setting: settingNameOf(setting),
    tenantId: tenant?.tenantId ?? '',
    schemas: schemaOf && (tenant === undefined ? [] : [schemaOf(tenant)].flat()),
  };
  const before = await (by === 'SET LOCAL'
    ? ownBySetLocal(query, values)
    : ownBySetConfig(query, values).catch(explained));
  if (before !== '' && before !== owner) {
    throw new TenantTransactionMismatchError(nameOf(before), nameOf(owner));
  }
}

/** Names the cure where the role may not call `set_config`. ORMs wrap what PostgreSQL answered. */
function explained(error: unknown): never {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const refused = (at as { code?: unknown }).code === '42501';
    if (refused && at.message.includes('set_config')) throw new RlsSetConfigError(error);
  }
  throw error;
}

function nameOf(owner: string): string {
  return owner.replace(/^tenant /, '');
}
