/**
 * Keeps idempotency keys and used confirmations. `redisWrites()` of `@fledge/mcp/redis` returns one that several processes
 * share.
 */
export interface McpWriteStore {
  /** Called at boot, once for each endpoint. Keys of two endpoints are kept apart. */
  connect(endpoint: { readonly path: string }): Promise<McpWrites>;
}

/** A call with an idempotency key. JSON. */
export interface McpWrite {
  /** Digests of its arguments, by name. */
  readonly args: Readonly<Record<string, string>>;
  /** Its response. Undefined while it runs, and if nobody knows how it ended. */
  readonly answer?: object;
}

/** What a store knows of a key. */
export interface McpKnownWrite {
  readonly write: McpWrite;
  /** True while the process that runs the call renews it. */
  readonly isRunning: boolean;
}

/**
 * The keys of one endpoint, which its processes may share. Each operation is atomic, and rejects if the store cannot be
 * reached.
 */
export interface McpWrites {
  /** Undefined if there is no such key. */
  find(key: string): Promise<McpKnownWrite | undefined>;
  /**
   * Adds a call that runs in this process, unless the key is known.
   * @returns what is known of the key; undefined: the call was added
   */
  begin(key: string, write: McpWrite, ttlMs: number): Promise<McpKnownWrite | undefined>;
  /** The call still runs. Called every 10 seconds. After 30 seconds without it, its process is taken for dead. */
  renew(key: string): Promise<void>;
  /** The call is over. Without an answer: nobody knows how it ended. */
  end(key: string, write: McpWrite, ttlMs: number): Promise<void>;
  /** The call changed nothing: the key is unknown again. */
  free(key: string): Promise<void>;
  /** Uses something that may be used once. False if it was used before. */
  useUp(name: string, ttlMs: number): Promise<boolean>;
  /** What tokens are signed with, in all processes. */
  secret(): Promise<string>;
  close(): Promise<void>;
}
