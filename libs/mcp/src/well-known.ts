const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * Returns the URL of a resource's metadata. The resource's path is appended to the well-known path
 * (RFC 9728 §3.1).
 */
export function metadataUrlOf(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}${search}`;
}

/** Returns the path of the metadata for a path. The metadata of `/` covers the whole host. */
export function metadataPathOf(path: string): string {
  return `${WELL_KNOWN}${path.replace(/\/$/, '')}`;
}
