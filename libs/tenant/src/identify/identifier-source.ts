import type { TenantHttpError } from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';

/** What a source found: the identifier as sent, nothing, or the error that refuses the request. */
export type SourceResult = string | undefined | TenantHttpError;

interface Source {
  /** Becomes `TenantContext.source`. */
  readonly name: string;
  /** Names the source in errors, such as `The header x-tenant-id`. */
  readonly place: string;
}

/** A place in the request that can name the tenant. */
export interface ImmediateSource extends Source {
  readonly isImmediate: true;
  find(req: TenantRequest): SourceResult;
}

/** A function of the application that can name the tenant. */
export interface FunctionSource extends Source {
  readonly isImmediate: false;
  find(req: TenantRequest): Promise<SourceResult>;
}

export type IdentifierSource = ImmediateSource | FunctionSource;

/** Treats an empty or blank value as absent. Other values are not trimmed. */
export function sentIdentifier(value: string): SourceResult {
  return value.trim() === '' ? undefined : value;
}

/** Percent-decodes a text once. Returns undefined if it is badly encoded. */
export function decodeOnce(encoded: string): string | undefined {
  if (!encoded.includes('%')) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
