/**
 * Stores idempotency keys and used confirmations. `redisWrites()` of `@fledge/mcp/redis` returns a
 * store that several processes share.
 */
export interface McpWriteStore {
  /**
   * Connects an endpoint. Called at startup, once for each endpoint. The keys of different
   * endpoints are separate.
   */
  connect(endpoint: { readonly path: string }): Promise<McpWrites>;
}

/** A call with an idempotency key. Stored as JSON. */
export interface McpWrite {
  /** Digests of the arguments, by name. */
  readonly args: Readonly<Record<string, string>>;
  /** Response of the call. Undefined while the call runs, and if its outcome is unknown. */
  readonly answer?: object;
}

/** The stored state of a key. */
export interface McpKnownWrite {
  readonly write: McpWrite;
  /** True while the process that runs the call renews the entry. */
  readonly isRunning: boolean;
}

/**
 * The keys of one endpoint. Several processes of the endpoint may share the keys. Each operation is
 * atomic. An operation rejects if the store cannot be reached.
 */
export interface McpWrites {
  /** Finds a key. Returns undefined if it is unknown. */
  find(key: string): Promise<McpKnownWrite | undefined>;
  /**
   * Adds a call that runs in this process, unless the key is known. The key must not expire while
   * the call runs, even if the call takes longer than `ttlMs`.
   * @returns the stored state of the key, or undefined if the call was added
   */
  begin(key: string, write: McpWrite, ttlMs: number): Promise<McpKnownWrite | undefined>;
  /**
   * Reports that the call is still running. Called every 10 seconds. After 30 seconds without this
   * report, the process is considered dead.
   */
  renew(key: string): Promise<void>;
  /** Stores the end of a call. An entry without `answer` means that the outcome is unknown. */
  end(key: string, write: McpWrite, ttlMs: number): Promise<void>;
  /** Removes the key of a call that changed nothing. */
  free(key: string): Promise<void>;
  /** Marks a name as used. Returns false if it was used before. */
  useUp(name: string, ttlMs: number): Promise<boolean>;
  /** Returns the secret for signing tokens. It is the same in all processes. */
  secret(): Promise<string>;
  close(): Promise<void>;
}
