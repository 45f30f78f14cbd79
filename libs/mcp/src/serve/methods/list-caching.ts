/** The cache settings of lists, for clients of MCP 2026-07-28 (SEP-2549). */
export interface ListCaching {
  readonly ttlMs: number;
  /** `public`: a cache may use the same list for several callers. */
  readonly cacheScope: 'private' | 'public';
}

export const NOT_CACHED: ListCaching = { ttlMs: 0, cacheScope: 'private' };
