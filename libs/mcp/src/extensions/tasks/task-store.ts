/**
 * Stores tasks. If processes share a store, each process can serve the tasks of all processes.
 * `redisTasks()` of `@fledge/mcp/redis` returns a shared store.
 */
export interface McpTaskStore {
  /**
   * Connects an endpoint. Called at startup, once for each endpoint. The tasks of different
   * endpoints are separate.
   */
  connect(endpoint: McpTaskEndpoint): Promise<McpTasks>;
}

/** The endpoint whose tasks are stored. */
export interface McpTaskEndpoint {
  /** Path of the endpoint, such as `/_mcp/messages`. The same in every process. */
  readonly path: string;
  /** Maximum number of stored tasks in all processes. */
  readonly max: number;
  /** Maximum number of stored tasks of one owner in all processes. */
  readonly maxPerCaller: number;
  /** Milliseconds after which a task is deleted. */
  readonly ttlMs: number;
  readonly receiver: McpTaskReceiver;
}

/** Functions that a store calls in the process that runs a task. */
export interface McpTaskReceiver {
  /** The client answered questions of the task. May be called again with the same answers. */
  answered(taskId: string, answers: McpTaskAnswers): void;
  /** The task ended in the store: `cancel()` was called, or this process was considered dead. */
  ended(taskId: string): void;
}

/** Answers of a client, by the key of the question. Not validated. */
export type McpTaskAnswers = Readonly<Record<string, object>>;

/** A stored task. It is JSON, but missing fields are undefined. */
export interface McpStoredTask {
  /** A UUID. */
  readonly taskId: string;
  /** Digest of the caller. Other callers cannot find the task. */
  readonly owner: string;
  /** Name of the tool. */
  readonly tool: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage?: string | undefined;
  /** Creation time, ISO 8601. */
  readonly createdAt: string;
  /** Time of the last change, ISO 8601. */
  readonly lastUpdatedAt: string;
  /** Milliseconds from `createdAt` until the task is deleted. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** Open questions to the client, by key. Set only while the status is `input_required`. */
  readonly inputRequests?: Readonly<Record<string, object>> | undefined;
  /** Result of the call. Set only if the status is `completed`. */
  readonly result?: object | undefined;
  /** JSON-RPC error. Set only if the status is `failed`. */
  readonly error?:
    | { readonly code: number; readonly message: string; readonly data?: unknown }
    | undefined;
}

/**
 * The tasks of one endpoint. Several processes of the endpoint may share the tasks. Each operation
 * is atomic. If a client waits for an operation and the store cannot be reached, the operation
 * rejects.
 */
export interface McpTasks {
  /**
   * Adds a task that runs in this process.
   * @returns false if there are already `max` tasks, or if the owner has too many tasks
   */
  add(task: McpStoredTask): Promise<boolean>;
  /** Finds a task. Returns undefined if it does not exist or has expired. */
  read(taskId: string): Promise<McpStoredTask | undefined>;
  /**
   * Replaces a task of this process. Does nothing if the task has ended. While the store cannot be
   * reached, the state is not written. The latest state is written later, when the store is
   * available again.
   */
  write(task: McpStoredTask): Promise<void>;
  /**
   * Passes answers to the process that runs the task. If a question has two answers, the first is
   * used.
   */
  answer(taskId: string, answers: McpTaskAnswers): Promise<void>;
  /**
   * Ends a task with the status `cancelled`, and notifies the process that runs the task. Does
   * nothing if the task has ended.
   */
  cancel(taskId: string): Promise<void>;
  /**
   * Disconnects this process. In a shared store, tasks that still run here end with the status
   * `failed`.
   */
  close(): Promise<void>;
}

/** Returns true if the task has ended and can no longer change. */
export function isOver({ status }: Pick<McpStoredTask, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
