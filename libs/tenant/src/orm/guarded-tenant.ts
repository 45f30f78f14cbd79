import { oneOf } from '@fledge-internal/options';
import { currentScope, missingContext } from '../scope/tenant-scope.js';
import { TenantRowMismatchError } from '../tenant.errors.js';

/** Options that the guards of all ORMs have. */
export interface TenantGuardOptions {
  /**
   * The behavior inside `tenancy.runCentral()`. `'refuse'` throws `TenantContextMissingError`.
   * `'all'` reads and writes the rows of every tenant, without a filter.
   * @default 'refuse'
   */
  readonly central?: 'refuse' | 'all';
}

export const GUARD_RULES = { central: oneOf('refuse', 'all').default('refuse') };

/**
 * Returns the id of the current tenant. Returns undefined if the rows of all tenants may be used.
 * @param wanted a description of the operation, for the error
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

/** Numbers are compared as strings. @throws TenantRowMismatchError */
export function checkTenantValue(value: unknown, tenantId: string, place: string): void {
  const isOwn =
    value === tenantId ||
    ((typeof value === 'number' || typeof value === 'bigint') && String(value) === tenantId);
  if (!isOwn) throw new TenantRowMismatchError(`The value of \`${place}\``);
}
