import type { TenantHttpError } from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';

/** The identifier that the client sent, nothing, or the error that rejects the request. */
export type SourceResult = string | undefined | TenantHttpError;

interface Source {
  /** Used as `TenantContext.source`. */
  readonly name: string;
  /** Description of the source for error messages, such as `The header x-tenant-id`. */
  readonly place: string;
}

/** A part of the request that can contain the tenant. */
export interface ImmediateSource extends Source {
  readonly isImmediate: true;
  find(req: TenantRequest): SourceResult;
}

export interface FunctionSource extends Source {
  readonly isImmediate: false;
  find(req: TenantRequest): Promise<SourceResult>;
}

export type IdentifierSource = ImmediateSource | FunctionSource;

/** Returns undefined for an empty or blank value. Other values are not trimmed. */
export function sentIdentifier(value: string): SourceResult {
  return value.trim() === '' ? undefined : value;
}

/** Decodes percent-encoding once. Returns undefined if the encoding is invalid. */
export function decodeOnce(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
