import { findRefusal, type TenantScope } from '../scope/tenant-scope.js';
import { TenantNotResolvedError } from '../tenant.errors.js';
import type { TenantRouteMode } from '../tenant.options.js';

/** Returns the error (400) for a request, socket or message without a tenant. */
export function missingTenant(): TenantNotResolvedError {
  return new TenantNotResolvedError();
}

/**
 * Returns why a route, socket or message with a mode rejects a scope, or undefined if it accepts
 * the scope.
 */
export function findModeRefusal(mode: TenantRouteMode, scope: TenantScope | undefined): unknown {
  if (mode === 'central' || scope?.kind === 'tenant') return undefined;
  // A request with a rejected tenant must not run without a tenant, because that would be a
  // fallback.
  if (mode === 'universal') return findRefusal(scope);
  return (scope?.kind === 'none' ? scope.error : undefined) ?? missingTenant();
}
