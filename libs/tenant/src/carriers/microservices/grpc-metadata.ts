import { METADATA_KEYS } from '../../scope/tenant-metadata.js';

/** The part of grpc-js' `Metadata` that is used here. */
export interface GrpcMetadata {
  get(key: string): readonly unknown[];
  set(key: string, value: string): void;
  clone(): GrpcMetadata;
}

/** A copy that names the tenant. The original may be shared by calls of several tenants. */
export function stampedGrpcMetadata(
  metadata: GrpcMetadata,
  stamp: Readonly<Record<string, string>>,
): GrpcMetadata {
  const copy = metadata.clone();
  // Percent-encoded, because gRPC allows ASCII only.
  for (const [key, value] of Object.entries(stamp)) copy.set(key, encodeURIComponent(value));
  return copy;
}

/** The tenant's entries, as `tenancy.runFrom()` takes them. */
export function tenantInGrpcMetadata(metadata: GrpcMetadata): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const key of METADATA_KEYS) {
    const values = metadata.get(key);
    // Left as a list where there are several, which `runFrom()` refuses.
    if (values.length > 0) found[key] = values.length === 1 ? decoded(values[0]) : values;
  }
  return found;
}

function decoded(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return decodeURIComponent(value);
  } catch {
    // No text that an identifier may have, so that `runFrom()` refuses it.
    return null;
  }
}
