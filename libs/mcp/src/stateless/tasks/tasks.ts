import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Caller } from '../../calls/caller.js';
import type { Tool } from '../../catalogue/tool.js';
import type { EndpointOptions } from '../../mcp.defaults.js';
import { ErrorCode, type JsonObject, RequestFault } from '../../messages/json-rpc.js';
import type { Answer, TypedAnswer } from '../../operations/answer.js';
import type { Operations } from '../../operations/operations.js';
import type { RunCall } from '../../operations/extension.js';
import type { ToolResult } from '../../operations/tool-result.js';
import type { McpStoredTask, McpTaskReceiver, McpTasks } from '../../options/task-store.js';
import { missingCapabilitiesOf } from '../input-rounds.js';
import type { StatelessRequest } from '../stateless-request.js';
import { GuardedTasks } from './guarded-tasks.js';
import { MemoryTasks } from './memory-tasks.js';
import { OwnedTasks } from './owned-tasks.js';
import { Task, type TaskEnd } from './task.js';
import { TaskPeer } from './task-peer.js';
import { createdTask } from './task-result.js';
import { endWatch } from './task-watch.js';

/** The answer to a call: that of the route, or the task that it became. */
export type TaskAnswer = Answer<ToolResult> | TypedAnswer;

/** A tool whose calls may become tasks. */
export type TaskTool = Tool & { readonly task: NonNullable<Tool['task']> };

/** The tasks of an endpoint (SEP-2663): calls that go on after their request, and which their client polls. */
export class Tasks {
  private readonly logger = new Logger('McpModule');
  /** What their clients may do with them. */
  readonly owned: OwnedTasks;
  private closed = false;

  /** Connects to the store. */
  static async connect(options: EndpointOptions, operations: Operations): Promise<Tasks> {
    const { path, tasks } = options;
    const { store, max, maxPerCaller, ttlMs } = tasks;
    const running = new Map<string, Task>();
    const receiver: McpTaskReceiver = {
      answered: (id, answers) => running.get(id)?.answer(answers),
      ended: (id) => running.get(id)?.end({ status: 'cancelled' }),
    };
    const endpoint = { path, max, maxPerCaller, ttlMs, receiver };
    const kept = (await store?.connect(endpoint)) ?? new MemoryTasks(endpoint);
    return new Tasks(options, operations, new GuardedTasks(kept), running);
  }

  private constructor(
    private readonly options: EndpointOptions,
    private readonly operations: Operations,
    private readonly store: McpTasks,
    private readonly running: Map<string, Task>,
  ) {
    this.owned = new OwnedTasks(store, operations);
  }

  /**
   * Calls a tool for a client that knows tasks.
   * @param run runs the call
   * @throws RequestFault if the store cannot be reached, or there is no room and the tool answers with tasks only
   */
  async call(
    tool: TaskTool,
    args: JsonObject,
    front: StatelessRequest,
    run: RunCall,
  ): Promise<TaskAnswer> {
    const { start, required } = tool.task;
    const open = (caller: Caller) => this.open(tool, caller);
    // A route that runs goes on without a task if the store cannot be reached.
    const peer = new TaskPeer(
      front,
      start === 'call' ? open : (caller) => open(caller).catch(() => undefined),
    );
    if (start === 'call' && !(await peer.startTask())) {
      if (!required) return run({ args, peer: front });
      throw new RequestFault(ErrorCode.Refused, 'Too many tasks. Try again later');
    }
    const running = run({ args, peer });
    const task = await Promise.race([running.then(() => undefined), peer.began]);
    if (!task) return running;
    void this.follow(task, running, peer);
    // A task that is over may have a result already, which the client reads with `tasks/get`.
    return { kind: 'typed', result: createdTask({ ...task.stored, ...UNFINISHED }) };
  }

  /** Ends running tasks as failed. */
  async close(): Promise<void> {
    this.closed = true;
    const tasks = [...this.running.values()];
    for (const task of tasks) task.end(SHUT_DOWN);
    await Promise.all(tasks.map((task) => task.settled()));
    await this.store.close();
  }

  private async open(tool: Tool, caller: Caller): Promise<Task | undefined> {
    if (this.closed) return undefined;
    const { ttlMs, pollIntervalMs } = this.options.tasks;
    const now = new Date().toISOString();
    const stored: McpStoredTask = {
      taskId: randomUUID(),
      owner: this.operations.keyOf(caller),
      tool: tool.name,
      status: 'working',
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs,
      pollIntervalMs,
    };
    if (!(await this.store.add(stored))) return undefined;
    const task = new Task(stored, this.store);
    this.running.set(stored.taskId, task);
    caller.watch?.detach();
    return task;
  }

  /** Waits for the end of a call, and keeps it. */
  private async follow(
    task: Task,
    running: Promise<Answer<ToolResult>>,
    peer: TaskPeer,
  ): Promise<void> {
    const error = { code: ErrorCode.InternalError, message: 'The time of the task is over' };
    const clock = setTimeout(() => task.end({ status: 'failed', error }), task.stored.ttlMs);
    clock.unref();
    const end = await this.endOf(running, peer);
    clearTimeout(clock);
    task.end(end);
    await task.settled();
    this.running.delete(task.stored.taskId);
    await endWatch(peer.caller.watch, task.stored);
  }

  private async endOf(running: Promise<Answer<ToolResult>>, peer: TaskPeer): Promise<TaskEnd> {
    try {
      const { result = {} } = await running;
      const missing = missingCapabilitiesOf(peer.lacking, peer);
      if (!missing) return { status: 'completed', result };
      const { code, message, data } = missing;
      return { status: 'failed', error: { code, message, data } };
    } catch (error) {
      this.logger.error('A task failed', error);
      const { InternalError: code } = ErrorCode;
      return { status: 'failed', error: { code, message: 'Internal error' } };
    }
  }
}

const SHUT_DOWN: TaskEnd = {
  status: 'failed',
  error: { code: ErrorCode.InternalError, message: 'The server was shut down' },
};

/** What a created task shows. */
const UNFINISHED = {
  status: 'working',
  inputRequests: undefined,
  result: undefined,
  error: undefined,
} as const;

/** The tasks of an endpoint. Undefined if no tool of it has any. */
export async function tasksFor(
  options: EndpointOptions,
  operations: Operations,
): Promise<Tasks | undefined> {
  return operations.tools.hasTasks ? await Tasks.connect(options, operations) : undefined;
}
