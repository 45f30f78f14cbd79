import { count, group, kind, type OptionTable, rule } from '@fledge-internal/options';
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

const TASKS = {
  ttlMs: count.default(3_600_000),
  pollIntervalMs: count.default(1_000),
  max: count.default(1_000),
  maxPerCaller: count.optional,
  store: kind<McpTaskStore>(
    'a store with the method connect, such as redisTasks()',
    (store) => typeof (store as Partial<McpTaskStore> | null)?.connect === 'function',
  ).optional,
} satisfies OptionTable<McpTaskOptions>;

const taskGroup = group<McpTaskOptions, typeof TASKS>(TASKS);

export const tasks = rule((given: McpTaskOptions | undefined, place) => {
  const read = taskGroup.read(given, place);
  return { ...read, maxPerCaller: read.maxPerCaller ?? read.max };
});
