import { TenantProgrammingError } from '../tenant.errors.js';

/** A part of a path leaves the tenant's folder, or is none. */
export class UnsafeTenantPathError extends TenantProgrammingError {
  readonly code = 'TENANT_UNSAFE_PATH';

  constructor(part: string) {
    super(
      `${JSON.stringify(part)} is no name of a file or folder below the tenant's. Give each part of ` +
        `the path on its own: tenancy.path('invoices', name).`,
    );
  }
}

/**
 * A key for caches, locks and queues that no other tenant and no other parts make:
 * `acme:invoice:7`, each part percent-encoded.
 */
export function keyOf(tenantId: string, parts: readonly string[]): string {
  return [tenantId, ...parts].map(encodeURIComponent).join(':');
}

/**
 * A relative path below the tenant's folder: `acme/invoices/7.pdf`.
 * @throws UnsafeTenantPathError
 */
export function pathOf(tenantId: string, parts: readonly string[]): string {
  return [encodeURIComponent(tenantId), ...parts].map(safe).join('/');
}

function safe(part: string): string {
  // Slashes of both worlds, drive letters and streams of Windows, and what ends a string in C.
  // eslint-disable-next-line no-control-regex -- NUL and its like are what is refused
  if (/^\.{0,2}$|[/\\:\u0000-\u001f]/.test(part)) throw new UnsafeTenantPathError(part);
  return part;
}
