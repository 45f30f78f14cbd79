const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Where the metadata of a resource is found: its path stands behind the well-known one (RFC 9728 §3.1). */
export function metadataUrlOf(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}${search}`;
}

/**
 * The paths metadata is served at: at the root, which covers the whole host, and for the resource's
 * own path and the endpoint's, where clients look first (MCP 2025-11-25, Authorization).
 */
export function metadataPathsOf(resource: string, endpoint: string): readonly string[] {
  const { pathname } = new URL(resource);
  const suffixes = ['', endpoint, ...(pathname === '/' ? [] : [pathname.replace(/\/$/, '')])];
  return [...new Set(suffixes)].map((suffix) => `${WELL_KNOWN}${suffix}`);
}
