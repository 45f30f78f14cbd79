import { findRefusal, type TenantScope } from '../scope/tenant-scope.js';
import { TenantNotResolvedError } from '../tenant.errors.js';
import type { TenantRouteMode } from '../tenant.options.js';

/** Returns the error (400) for a request, socket or message without a tenant. */
export function missingTenant(): TenantNotResolvedError {
  return new TenantNotResolvedError();
}

/**
 * Returns the error if a route, socket or message with this mode rejects a scope. Returns undefined
 * if it accepts the scope.
 */
export function findModeRefusal(mode: TenantRouteMode, scope: TenantScope | undefined): unknown {
  if (mode === 'central' || scope?.kind === 'tenant') return undefined;
  // A request with a rejected tenant must not run without a tenant, even if the mode accepts
  // requests without one.
  if (mode === 'universal') return findRefusal(scope);
  return (scope?.kind === 'none' ? scope.error : undefined) ?? missingTenant();
}
