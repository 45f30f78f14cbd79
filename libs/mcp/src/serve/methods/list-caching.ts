/** How long clients of MCP 2026-07-28 may cache lists (SEP-2549). */
export interface ListCaching {
  readonly ttlMs: number;
  /** `public`: caches may share a list between callers. */
  readonly cacheScope: 'private' | 'public';
}

/** Disables caching by clients. */
export const NOT_CACHED: ListCaching = { ttlMs: 0, cacheScope: 'private' };
