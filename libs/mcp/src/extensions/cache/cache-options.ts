/** Option of the module and of each endpoint for cached lists. */
export interface CacheOption {
  /**
   * Allows clients of MCP 2026-07-28 to cache the lists of tools, resources and prompts for a
   * limited time. Results are never cached. An endpoint without this option uses the module's
   * option.
   * @default lists are not cached; at an endpoint, the module's option
   */
  readonly cache?: McpCacheOptions;
}

/** The options for lists that clients may cache. */
export interface McpCacheOptions {
  /** Milliseconds for which a client may reuse a list. @default 0 */
  readonly ttlMs?: number;
  /**
   * `public`: a shared cache may give one list to all callers. `public` is rejected at startup if
   * `visible` or `auth` is used, because the list then depends on the caller. Endpoints whose lists
   * differ by client, for example because of pages, always send `private`.
   * @default 'private'
   */
  readonly cacheScope?: 'private' | 'public';
}
