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
import { isStore, milliseconds } from '../../options/option-rules.js';
import type { McpTaskStore } from './task-store.js';

/** Module option for tasks. */
export interface TasksOption {
  /** The storage of tasks. Tools with `@McpTool({ task })` have tasks. */
  readonly tasks?: McpTaskOptions;
}

/** Option of `@McpTool` for tasks. */
export interface TaskToolOption {
  /**
   * Returns a task to clients of MCP 2026-07-28 that support tasks. The client polls the task while
   * the route runs. Set `timeoutMs` to the maximum run time of the route. Other clients wait for
   * the result of the call.
   * @default false
   */
  readonly task?: boolean | McpToolTask;
}

/** Options for calls that become tasks (extension io.modelcontextprotocol/tasks). */
export interface McpToolTask {
  /**
   * Rejects clients that do not support tasks. If false, such clients wait for the result.
   * @default false
   */
  readonly required?: boolean;
  /**
   * The time at which the task is created. `call`: immediately. `route`: when the route calls
   * `McpCall.startTask()`, for example after questions to the user. If the route does not call
   * `startTask()`, its result is returned directly.
   * @default 'call'
   */
  readonly start?: 'call' | 'route';
}

/** Options for storing and polling tasks. */
export interface McpTaskOptions {
  /**
   * Milliseconds from the creation of a task until it is deleted. If the task is still running at
   * that time, it is aborted. The value must not be less than the timeout of any tool with `task`.
   * @default 3_600_000
   */
  readonly ttlMs?: number;
  /** Milliseconds between two polls of a client. @default 1_000 */
  readonly pollIntervalMs?: number;
  /**
   * Maximum number of stored tasks. Further calls return their result without a task.
   * @default 1_000
   */
  readonly max?: number;
  /** Maximum number of stored tasks of one caller. @default the value of `max` */
  readonly maxPerCaller?: number;
  /**
   * The store of the tasks. With `redisTasks()` of `@fledge/mcp/redis`, all processes of an
   * application share the tasks, and the other options apply to all processes together.
   * @default the memory of this process
   */
  readonly store?: McpTaskStore;
}

const TASKS = {
  ttlMs: milliseconds.default(3_600_000),
  pollIntervalMs: milliseconds.default(1_000),
  max: count.default(1_000),
  maxPerCaller: count.optional,
  store: kind<McpTaskStore>('a store with a connect() method, such as redisTasks()', isStore)
    .optional,
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

/** The resolved options for calls that become tasks. */
export type ToolTask = ReadOptions<typeof TASK>;
