import { UnsafeTenantPathError } from '../tenant.errors.js';

/**
 * Returns a key for caches, locks and queues: `acme:invoice:7`. Each part is percent-encoded. Two
 * different tenants or parts therefore never have the same key.
 */
export function buildKey(tenantId: string, parts: readonly string[]): string {
  return [tenantId, ...parts].map(encodeURIComponent).join(':');
}

/**
 * Returns a relative path in the tenant's folder: `acme/invoices/7.pdf`.
 * @throws UnsafeTenantPathError
 */
export function buildPath(tenantId: string, parts: readonly string[]): string {
  return [encodeURIComponent(tenantId), ...parts].map(safe).join('/');
}

function safe(part: string): string {
  // Rejects slashes, backslashes, colons and NUL. Windows uses colons for drives and streams, and
  // NUL ends a string in C.
  // oxlint-disable-next-line no-control-regex -- control characters are rejected
  if (/^\.{0,2}$|[/\\:\u0000-\u001f]/.test(part)) throw new UnsafeTenantPathError(part);
  return part;
}
