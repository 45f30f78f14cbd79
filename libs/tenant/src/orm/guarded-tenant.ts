import { oneOf } from '@fledge-internal/options';
import { currentScope, missingContext } from '../scope/tenant-scope.js';
import { TenantRowMismatchError } from '../tenant.errors.js';

/** Options shared by the guards of all ORMs. */
export interface TenantGuardOptions {
  /**
   * Effect of `tenancy.runCentral()`: `'refuse'` throws `TenantContextMissingError`, `'all'` reads
   * and writes rows of every tenant, without a filter.
   * @default 'refuse'
   */
  readonly central?: 'refuse' | 'all';
}

export const GUARD_RULES = { central: oneOf('refuse', 'all').default('refuse') };

/**
 * Returns the id of the tenant whose rows may be used now, or undefined for all rows.
 * @param wanted description of the operation, for the error
 * @throws TenantContextMissingError
 */
export function guardedTenantId(
  { central }: Required<TenantGuardOptions>,
  wanted: string,
): string | undefined {
  const scope = currentScope();
  if (scope?.kind === 'tenant') return scope.tenant.tenantId;
  if (scope?.kind === 'central' && central === 'all') return undefined;
  throw missingContext(wanted);
}

/**
 * Checks a value for the tenant's column. Numbers are compared as strings.
 * @throws TenantRowMismatchError
 */
export function checkTenantValue(value: unknown, tenantId: string, place: string): void {
  const isOwn =
    value === tenantId ||
    ((typeof value === 'number' || typeof value === 'bigint') && String(value) === tenantId);
  if (!isOwn) throw new TenantRowMismatchError(place);
}
