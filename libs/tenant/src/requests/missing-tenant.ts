import { findRefusal, type TenantScope } from '../scope/tenant-scope.js';
import { TenantNotResolvedError } from '../tenant.errors.js';
import type { TenantRouteMode } from '../tenant.options.js';

/** The 400 for a request, socket or message that names no tenant. */
export function missingTenant(): TenantNotResolvedError {
  return new TenantNotResolvedError();
}

/** Why a route, socket or message with a mode does not serve a scope. Undefined if it does. */
export function findModeRefusal(mode: TenantRouteMode, scope: TenantScope | undefined): unknown {
  if (mode === 'central' || scope?.kind === 'tenant') return undefined;
  // A request that names a refused tenant must not run without a tenant: that would be a fallback.
  if (mode === 'universal') return findRefusal(scope);
  return (scope?.kind === 'none' ? scope.error : undefined) ?? missingTenant();
}
