const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * Returns the URL of a resource's metadata: the well-known path, followed by the resource's path
 * (RFC 9728 §3.1).
 */
export function metadataUrlOf(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}${search}`;
}

/**
 * Returns the metadata path for the path of an endpoint. The metadata path of `/` is for the whole
 * host.
 */
export function metadataPathOf(path: string): string {
  return `${WELL_KNOWN}${path.replace(/\/$/, '')}`;
}
