/** How long clients of 2026-07-28 may keep lists (SEP-2549). */
export interface ListCaching {
  readonly ttlMs: number;
  /** `public`: caches may share a list between callers. */
  readonly cacheScope: 'private' | 'public';
}

/** Clients may not keep what they get. */
export const NOT_CACHED: ListCaching = { ttlMs: 0, cacheScope: 'private' };
