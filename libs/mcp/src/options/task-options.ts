import type { KnownOptions } from '@fledge/core/packages';
import { bad, positive } from './bad-option.js';
import type { McpTaskStore } from './task-store.js';

// Calls that clients poll (extension io.modelcontextprotocol/tasks, SEP-2663).

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
  /** Maximum number of tasks that are kept. Further calls are answered without one. @default 1_000 */
  readonly max?: number;
  /** Maximum number of tasks that are kept for one caller. @default as `max` */
  readonly maxPerCaller?: number;
  /**
   * Where tasks are kept. With `redisTasks()` of `@fledge/mcp/redis` the processes of an application share them, and
   * the other options hold for the processes together. @default the memory of this process
   */
  readonly store?: McpTaskStore;
}

export const TASKS: KnownOptions<McpTaskOptions> = {
  ttlMs: true,
  pollIntervalMs: true,
  max: true,
  maxPerCaller: true,
  store: true,
};

export interface ResolvedMcpTasks {
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly max: number;
  readonly maxPerCaller: number;
  /** Undefined: the memory of this process. */
  readonly store: McpTaskStore | undefined;
}

/** @throws McpOptionError for an invalid value */
export function tasksOf(given: McpTaskOptions = {}): ResolvedMcpTasks {
  const {
    ttlMs = 3_600_000,
    pollIntervalMs = 1_000,
    max = 1_000,
    maxPerCaller = max,
    store,
  } = given;
  if (store !== undefined && typeof store.connect !== 'function') {
    throw bad('tasks.store', store, 'a store with the method connect, such as redisTasks()');
  }
  return {
    ttlMs: positive('tasks.ttlMs', ttlMs),
    pollIntervalMs: positive('tasks.pollIntervalMs', pollIntervalMs),
    max: positive('tasks.max', max),
    maxPerCaller: positive('tasks.maxPerCaller', maxPerCaller),
    store,
  };
}
