/**
 * Keeps tasks. One that several processes share lets each of them answer for the tasks of all. `redisTasks()` of
 * `@fledge/mcp/redis` returns one.
 */
export interface McpTaskStore {
  /** Called at boot, once for each endpoint. Tasks of two endpoints are kept apart. */
  connect(endpoint: McpTaskEndpoint): Promise<McpTasks>;
}

/** The endpoint that the tasks belong to. */
export interface McpTaskEndpoint {
  /** Such as `/_mcp/messages`. The same in every process. */
  readonly path: string;
  /** Maximum number of kept tasks, over all processes. */
  readonly max: number;
  /** Maximum number of kept tasks of one owner, over all processes. */
  readonly maxPerCaller: number;
  /** Milliseconds after which a task is dropped. */
  readonly ttlMs: number;
  readonly receiver: McpTaskReceiver;
}

/** What a store reports to the process that runs a task. */
export interface McpTaskReceiver {
  /** The client answered questions of the task. The same answers may come again. */
  answered(taskId: string, answers: McpTaskAnswers): void;
  /** The task ended in the store: by `cancel()`, or because this process was taken for dead. */
  ended(taskId: string): void;
}

/** Answers of a client, by the key of their question. Not validated. */
export type McpTaskAnswers = Readonly<Record<string, object>>;

/** A task as it is stored. JSON, except that absent members are undefined. */
export interface McpStoredTask {
  /** A UUID. */
  readonly taskId: string;
  /** Digest of the caller. Another owner's task is unknown. */
  readonly owner: string;
  /** Name of the tool. */
  readonly tool: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly lastUpdatedAt: string;
  /** Milliseconds from `createdAt` after which the task is dropped. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** Questions to the client, by key. Only of `input_required`. */
  readonly inputRequests?: Readonly<Record<string, object>> | undefined;
  /** Result of the call. Only of `completed`. */
  readonly result?: object | undefined;
  /** JSON-RPC error. Only of `failed`. */
  readonly error?:
    | { readonly code: number; readonly message: string; readonly data?: unknown }
    | undefined;
}

/**
 * The tasks of one endpoint, which its processes may share. Each operation is atomic. Those that a client waits for
 * reject if the store cannot be reached.
 */
export interface McpTasks {
  /**
   * Adds a task, which runs in this process.
   * @returns false if there is no room, over all or for its owner
   */
  add(task: McpStoredTask): Promise<boolean>;
  /** Undefined if there is none, or its time is over. */
  read(taskId: string): Promise<McpStoredTask | undefined>;
  /**
   * Replaces a task of this process. One that has ended stays as it is. If the store cannot be reached, it takes the
   * latest state once it can.
   */
  write(task: McpStoredTask): Promise<void>;
  /** Passes answers to the process that runs the task. Of two answers to one question the first counts. */
  answer(taskId: string, answers: McpTaskAnswers): Promise<void>;
  /** Ends a task as cancelled, and says so to the process that runs it. Does nothing if it has ended. */
  cancel(taskId: string): Promise<void>;
  /** This process leaves. Tasks that it still runs end as failed, if the store is shared. */
  close(): Promise<void>;
}

/** True for a task that does not change any more. */
export function isOver({ status }: Pick<McpStoredTask, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
