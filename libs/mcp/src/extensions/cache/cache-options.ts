/** The option of the module and of each endpoint. */
export interface CacheOption {
  /**
   * How long clients of protocol version 2026-07-28 may keep lists of tools, resources and prompts. Results are never
   * kept. An endpoint without this option has that of the module.
   * @default lists are not kept
   */
  readonly cache?: McpCacheOptions;
}

/** How long clients may keep lists. */
export interface McpCacheOptions {
  /** Milliseconds for which a client need not ask again. @default 0 */
  readonly ttlMs?: number;
  /**
   * `public`: a cache may give one list to all callers. Rejected where `visible` or `auth` decide what a caller sees.
   * Endpoints whose lists differ by client, such as those with pages, send `private` anyway.
   * @default 'private'
   */
  readonly cacheScope?: 'private' | 'public';
}
