import type { TenantHttpError } from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';

/** What one place of a request says: an identifier as sent, nothing, or why it is refused. */
export type SourceResult = string | undefined | TenantHttpError;

/** One place of a request where tenants are told. */
export interface IdentifierSource {
  /** What `TenantContext.source` says. */
  readonly name: string;
  /** What a client is told about it, such as `The header x-tenant-id`. */
  readonly place: string;
  find(req: TenantRequest): SourceResult | PromiseLike<SourceResult>;
}

/** A value as sent: what is empty or blank says nothing, and nothing is trimmed off the rest. */
export function sentIdentifier(value: string): SourceResult {
  return value.trim() === '' ? undefined : value;
}

/** A percent-encoded text, decoded once; undefined where it is badly encoded. */
export function decodedOnce(encoded: string): string | undefined {
  if (!encoded.includes('%')) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
