import { oneOf } from '@fledge-internal/options';
import { currentScope, missingContext } from '../scope/tenant-scope.js';
import { TenantRowMismatchError } from '../tenant.errors.js';

/** What the guards of ORMs have in common. */
export interface TenantGuardOptions {
  /**
   * What `tenancy.runCentral()` may do: `'refuse'` throws `TenantContextMissingError`, `'all'` reads and writes rows of
   * every tenant, without a filter.
   * @default 'refuse'
   */
  readonly central?: 'refuse' | 'all';
}

export const GUARD_RULES = { central: oneOf('refuse', 'all').default('refuse') };

/**
 * The id of the tenant whose rows code may use now. Undefined for all rows.
 * @param wanted what needs it, for the error
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
 * Checks a value for the tenant's column. Numbers count as their text.
 * @throws TenantRowMismatchError
 */
export function checkTenantValue(value: unknown, tenantId: string, place: string): void {
  const isOwn =
    value === tenantId ||
    ((typeof value === 'number' || typeof value === 'bigint') && String(value) === tenantId);
  if (!isOwn) throw new TenantRowMismatchError(place);
}
