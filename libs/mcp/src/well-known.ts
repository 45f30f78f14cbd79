const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** URL of a resource's metadata. The resource's path is appended to the well-known path (RFC 9728 §3.1). */
export function metadataUrlOf(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}${search}`;
}

/**
 * Paths that serve the metadata: the root path, which covers the whole host, and those of the endpoint and
 * the resource, which clients try first (MCP 2025-11-25, Authorization).
 */
export function metadataPathsOf(resource: string, endpoint: string): readonly string[] {
  const { pathname } = new URL(resource);
  const suffixes = ['', endpoint, ...(pathname === '/' ? [] : [pathname.replace(/\/$/, '')])];
  return [...new Set(suffixes)].map((suffix) => `${WELL_KNOWN}${suffix}`);
}
