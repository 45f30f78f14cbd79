import {
  callback,
  oneOf,
  type OptionTable,
  type ReadOptions,
  readOptions,
  text,
} from '@fledge-internal/options';
import { placeOf } from '../../option-rules.js';
import { type KnownScope, requiredScope } from '../../scope/tenant-scope.js';
import type { TenantContext } from '../../tenant-context.js';
import { TenantTransactionMismatchError } from '../../tenant.errors.js';
import { type OwnerValues, ownBySetConfig, ownBySetLocal } from './bind-statements.js';
import type { RlsQuery } from './rls-query.js';
import { RlsSetConfigError } from './rls.errors.js';
import { checkSettingName, TENANT_SETTING } from './sql-names.js';

/** Options for binding a transaction to a tenant. */
export interface TenantBinding {
  /** The setting that receives the tenant's id. @default 'app.tenant_id' */
  readonly setting?: string;
  /**
   * The statement that sets the tenant. `set_config` takes one round trip, and `SET LOCAL` takes
   * three. Use `SET LOCAL` if `rlsSql(tables, { setConfig: 'revoked' })` revoked the privilege to
   * call `set_config`.
   * @default 'set_config'
   */
  readonly by?: 'set_config' | 'SET LOCAL';
  /**
   * Returns the tenant's schemas, for applications with a schema per tenant. The schemas become the
   * search path of the transaction. Their names are validated and quoted.
   * @default an unchanged search path
   */
  readonly schemaOf?: (tenant: TenantContext) => string | readonly string[];
}

const BINDING = {
  setting: text.default(TENANT_SETTING),
  by: oneOf('set_config', 'SET LOCAL').default('set_config'),
  schemaOf: callback<NonNullable<TenantBinding['schemaOf']>>().optional,
} satisfies OptionTable<TenantBinding>;

export type ResolvedBinding = ReadOptions<typeof BINDING>;

/** @throws TenantOptionError, RlsNameError */
export function readBinding(given: TenantBinding | undefined, call: string): ResolvedBinding {
  const binding = readOptions(given ?? {}, BINDING, placeOf(call));
  checkSettingName(binding.setting);
  return binding;
}

/**
 * Binds the open transaction to the current tenant. The binding lasts until the end of the
 * transaction. Call this function inside a transaction. Otherwise, the binding ends with the
 * statement. Inside `runCentral()`, policies show no rows.
 *
 * @example
 * ```ts
 * await db.transaction(async (tx) => {
 *   await bindTenant(drizzleQuery(tx));
 *   return tx.select().from(notes);
 * });
 * ```
 * @throws TenantOptionError if an option is invalid
 * @throws TenantContextMissingError if there is no tenant
 * @throws TenantTransactionMismatchError if another tenant owns the transaction
 * @throws RlsSetConfigError if the role is not allowed to call `set_config` and the option `by` is
 * not `SET LOCAL`
 */
export async function bindTenant(query: RlsQuery, binding?: TenantBinding): Promise<void> {
  const checked = readBinding(binding, 'bindTenant');
  await bindScope(scopeToBind(), query, checked);
}

/** @throws TenantContextMissingError */
export function scopeToBind(): KnownScope {
  return requiredScope('A transaction');
}

/** @throws TenantTransactionMismatchError, RlsSetConfigError */
export async function bindScope(
  scope: KnownScope,
  query: RlsQuery,
  { setting, by, schemaOf }: ResolvedBinding,
): Promise<void> {
  const tenant = scope.kind === 'tenant' ? scope.tenant : undefined;
  const owner = tenant === undefined ? 'central' : `tenant ${tenant.tenantId}`;
  const values: OwnerValues = {
    owner,
    setting,
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

/** Also finds PostgreSQL's rejection of `set_config` inside errors of ORMs. */
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
