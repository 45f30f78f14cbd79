import { findRefusal, type TenantScope } from '../scope/tenant-scope.js';
import { TenantNotResolvedError } from '../tenant.errors.js';
import type { TenantRouteMode } from '../tenant.options.js';

/** Returns undefined if the mode of the route, socket or message accepts the scope. */
export function findModeRefusal(mode: TenantRouteMode, scope: TenantScope | undefined): unknown {
  if (mode === 'central' || scope?.kind === 'tenant') return undefined;
  // A request with a rejected tenant must never run without a tenant. This is true in every mode.
  if (mode === 'universal') return findRefusal(scope);
  return (scope?.kind === 'none' ? scope.error : undefined) ?? new TenantNotResolvedError();
}
