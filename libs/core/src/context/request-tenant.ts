import { openContextOf } from './open-context.js';
import type { ContextRequest } from './platform.js';
import { TENANT_SCOPE } from './request-context.js';

interface Scoped {
  readonly [TENANT_SCOPE]?: {
    readonly kind: string;
    readonly tenant?: { readonly tenantId: string; readonly source?: string };
  };
}

/**
 * Returns the tenant that `@fledge/tenant` found for a request, and how it was found. Returns
 * undefined if the request has no tenant.
 */
export function tenantOfRequest(
  request: object,
): { readonly id: string; readonly source: string | undefined } | undefined {
  const scope = (openContextOf(request as ContextRequest) as Scoped | undefined)?.[TENANT_SCOPE];
  if (scope?.kind !== 'tenant' || scope.tenant === undefined) return undefined;
  return { id: scope.tenant.tenantId, source: scope.tenant.source };
}
