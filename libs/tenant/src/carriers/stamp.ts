import { METADATA_KEYS } from '../scope/tenant-metadata.js';

/**
 * Replaces the tenant in a copy of job options or headers. They may be copied from a job or message
 * of another tenant, or of a support person. Without a current tenant, returns them unchanged.
 */
export function stamped<T extends object>(
  carrier: T | undefined,
  marks: ReturnType<Stamp>,
): T | undefined {
  if (Object.keys(marks).length === 0) return carrier;
  const copy: Record<string, unknown> = { ...carrier };
  for (const key of METADATA_KEYS) delete copy[key];
  return Object.assign(copy, marks) as object as T;
}

/** A function that returns the current tenant as metadata: `tenancy.metadata()`. */
export type Stamp = () => Readonly<Record<string, string>>;
