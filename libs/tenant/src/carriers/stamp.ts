import { METADATA_KEYS } from '../scope/tenant-metadata.js';

/**
 * Returns a copy of job options or headers with the current tenant. Removes the tenant and the
 * support person of an earlier message from which the application copied the headers. Returns the
 * argument itself if there is no current tenant.
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
