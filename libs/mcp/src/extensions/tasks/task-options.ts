import {
  count,
  feature,
  flag,
  group,
  kind,
  oneOf,
  type OptionTable,
  type ReadOptions,
  rule,
} from '@fledge-internal/options';
import type { McpTaskStore } from './task-store.js';

/** The option of the module. */
export interface TasksOption {
  /** How tasks of tools with `@McpTool({ task })` are kept. */
  readonly tasks?: McpTaskOptions;
}

/** The option of `@McpTool`. */
export interface TaskToolOption {
  /**
   * Answers clients of 2026-07-28 that know tasks with a task, which they poll while the route runs. Set `timeoutMs` to
   * how long it may run. Other clients wait for the answer of the call.
   * @default false
   */
  readonly task?: boolean | McpToolTask;
}

/** How calls of a tool become tasks (extension io.modelcontextprotocol/tasks). */
export interface McpToolTask {
  /** Rejects clients that do not know tasks. Otherwise they get the answer of the call. @default false */
  readonly required?: boolean;
  /**
   * When the client gets the task. `call`: at once. `route`: when the route calls `McpCall.startTask()`, such as after
   * questions to the user; a route that does not call it answers as usual.
   * @default 'call'
   */
  readonly start?: 'call' | 'route';
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

export const TASKS_OPTION = {
  tasks: rule((given: McpTaskOptions | undefined, place) => {
    const read = taskGroup.read(given, place);
    return { ...read, maxPerCaller: read.maxPerCaller ?? read.max };
  }),
} satisfies OptionTable<TasksOption>;

export type ResolvedTasks = ReadOptions<typeof TASKS_OPTION>['tasks'];

const TASK = {
  required: flag.default(false),
  start: oneOf('call', 'route').default('call'),
} satisfies OptionTable<McpToolTask>;

export const TASK_TOOL_OPTION = { task: feature(TASK) } satisfies OptionTable<TaskToolOption>;

export type ResolvedToolTask = ReadOptions<typeof TASK_TOOL_OPTION>;

/** How calls of a tool become tasks. */
export type ToolTask = ReadOptions<typeof TASK>;
