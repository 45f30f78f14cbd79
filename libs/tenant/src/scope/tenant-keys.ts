import { UnsafeTenantPathError } from '../tenant.errors.js';

/** Percent-encodes each part, so different tenants or parts never have the same key. */
export function buildKey(tenantId: string, parts: readonly string[]): string {
  return [tenantId, ...parts].map(encodePart).join(':');
}

/**
 * `encodeURIComponent()` throws for half of a surrogate pair. `%u` is different from all other
 * escapes.
 */
function encodePart(part: string): string {
  if (part.isWellFormed()) return encodeURIComponent(part);
  return part.replace(/\P{Surrogate}+|\p{Surrogate}/gu, (text) =>
    text.isWellFormed() ? encodeURIComponent(text) : `%u${text.charCodeAt(0).toString(16)}`,
  );
}

/** @throws UnsafeTenantPathError */
export function buildPath(tenantId: string, parts: readonly string[]): string {
  return [encodePart(tenantId), ...parts].map(safe).join('/');
}

function safe(part: string): string {
  // Rejects slashes, backslashes, colons and NUL. Windows uses colons for drives and streams, and
  // NUL ends a string in C.
  // oxlint-disable-next-line no-control-regex -- control characters are rejected
  if (/^\.{0,2}$|[/\\:\u0000-\u001f\u007f-\u009f]/.test(part))
    throw new UnsafeTenantPathError(part);
  return part;
}
