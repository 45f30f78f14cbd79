import type { KnownOptions } from '@fledge/core/packages';
import { bad, positive } from './bad-option.js';

// Calls that clients poll (extension io.modelcontextprotocol/tasks, SEP-2663).

/** A task as it is stored. JSON, except that absent members are undefined. */
export interface McpStoredTask {
  readonly taskId: string;
  /** Digest of the caller and the endpoint. Another owner's task is unknown. */
  readonly owner: string;
  /** Name of the tool. */
  readonly tool: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly lastUpdatedAt: string;
  /** Milliseconds from `createdAt` after which the task may be dropped. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** Questions to the client, by key. Only of `input_required`. */
  readonly inputRequests?: Readonly<Record<string, object>> | undefined;
  /** Result of the call. Only of `completed`. */
  readonly result?: object | undefined;
  /** JSON-RPC error. Only of `failed`. */
  readonly error?:
    { readonly code: number; readonly message: string; readonly data?: unknown } | undefined;
}

/** What a client wants of a task that another process runs. */
export type McpTaskMessage =
  | { readonly kind: 'cancel' }
  | { readonly kind: 'answer'; readonly responses: Readonly<Record<string, unknown>> };

/** Keeps tasks. With a store that several processes share, each of them answers for the tasks of all. */
export interface McpTaskStore {
  /** Adds a task. Returns false if there is no room; the call is then answered without a task. */
  add(task: McpStoredTask): Promise<boolean>;
  /** Undefined if there is none, or its time is over. */
  read(taskId: string): Promise<McpStoredTask | undefined>;
  /** Replaces a task. Does nothing if it is gone. */
  write(task: McpStoredTask): Promise<void>;
  /** Passes a message to the process that runs the task. */
  send(taskId: string, message: McpTaskMessage): Promise<void>;
  /** Registers a receiver of messages for tasks that this process runs. Others do not concern it. */
  receive(listener: (taskId: string, message: McpTaskMessage) => void): void;
}

/** Calls that clients of 2026-07-28 poll. */
export interface McpTaskOptions {
  /**
   * Milliseconds from its creation after which a task is dropped. One that still runs is aborted. At least the
   * time-out of each tool with `task`.
   * @default 3_600_000
   */
  readonly ttlMs?: number;
  /** How often clients should poll, in milliseconds. @default 1_000 */
  readonly pollIntervalMs?: number;
  /** Maximum number of tasks in the memory of a process. Further calls are answered without one. @default 1_000 */
  readonly max?: number;
  /** Where tasks are kept. @default the memory of this process */
  readonly store?: McpTaskStore;
}

export const TASKS: KnownOptions<McpTaskOptions> = {
  ttlMs: true,
  pollIntervalMs: true,
  max: true,
  store: true,
};

export interface ResolvedMcpTasks {
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly max: number;
  /** Undefined: the memory of this process. */
  readonly store: McpTaskStore | undefined;
}

/** @throws McpOptionError for an invalid value */
export function tasksOf(given: McpTaskOptions = {}): ResolvedMcpTasks {
  const { ttlMs = 3_600_000, pollIntervalMs = 1_000, max = 1_000, store } = given;
  const isStore = (['add', 'read', 'write', 'send', 'receive'] as const).every(
    (method) => store === undefined || typeof store[method] === 'function',
  );
  if (!isStore) throw bad('tasks.store', store, 'a store with add, read, write, send and receive');
  return {
    ttlMs: positive('tasks.ttlMs', ttlMs),
    pollIntervalMs: positive('tasks.pollIntervalMs', pollIntervalMs),
    max: positive('tasks.max', max),
    store,
  };
}
