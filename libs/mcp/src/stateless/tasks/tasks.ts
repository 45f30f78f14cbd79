import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Caller } from '../../calls/caller.js';
import type { Awaitable } from '../../catalogue/published-list.js';
import type { Tool } from '../../catalogue/tool.js';
import type { EndpointOptions } from '../../mcp.defaults.js';
import { ErrorCode, type JsonObject, RequestFault } from '../../messages/json-rpc.js';
import type { Answer } from '../../operations/answer.js';
import type { Operations } from '../../operations/operations.js';
import type { CallableTool } from '../../operations/tool-caller.js';
import type { ToolResult } from '../../operations/tool-result.js';
import type { McpStoredTask, McpTaskStore } from '../../options/task-options.js';
import { missingCapabilitiesOf } from '../input-rounds.js';
import type { StatelessPeer } from '../stateless-peer.js';
import { MemoryTaskStore } from './memory-task-store.js';
import { Task, type TaskEnd } from './task.js';
import { TaskPeer } from './task-peer.js';
import { endWatch } from './task-watch.js';

/** The answer to a call: that of the route, or the task that it became. */
export type TaskAnswer =
  Answer<ToolResult> | { readonly kind: 'task'; readonly created: McpStoredTask };

/** A tool whose calls may become tasks. */
export type TaskTool = Tool & { readonly task: NonNullable<Tool['task']> };

/** The tasks of an endpoint (SEP-2663): calls that go on after their request, and which their client polls. */
export class Tasks {
  private readonly logger = new Logger('McpModule');
  private readonly running = new Map<string, Task>();
  private readonly store: McpTaskStore;
  private closed = false;

  constructor(
    private readonly options: EndpointOptions,
    private readonly operations: Operations,
  ) {
    const { store, max } = options.tasks;
    this.store = store ?? new MemoryTaskStore(max);
    this.store.receive((id, message) => {
      const task = this.running.get(id);
      if (message.kind === 'cancel') task?.end({ status: 'cancelled' });
      else task?.answer(message.responses);
    });
  }

  /**
   * Calls a tool for a client that knows tasks.
   * @throws RequestFault if the tool answers with tasks only, and there is no room for one
   */
  async call(tool: TaskTool, args: JsonObject, front: StatelessPeer): Promise<TaskAnswer> {
    const { tools } = this.operations;
    const { start, required } = tool.task;
    const peer = new TaskPeer(front, (caller) => this.open(tool, caller));
    if (start === 'call' && !(await peer.startTask())) {
      if (!required) return tools.call(tool, args, front);
      throw new RequestFault(ErrorCode.Refused, 'Too many tasks. Try again later');
    }
    const running = tools.call(tool, args, peer);
    const task = await Promise.race([running.then(() => undefined), peer.began]);
    if (!task) return running;
    void this.follow(task, running, peer);
    // A task that is over may have a result already, which the client reads with `tasks/get`.
    return { kind: 'task', created: { ...task.stored, ...UNFINISHED } };
  }

  find(name: string, caller: Caller): Awaitable<CallableTool | undefined> {
    return this.operations.tools.find(name, caller);
  }

  callPlainly(tool: Tool, args: JsonObject, peer: StatelessPeer): Promise<Answer<ToolResult>> {
    return this.operations.tools.call(tool, args, peer);
  }

  /** @throws RequestFault if the caller has no such task */
  async get(taskId: string, caller: Caller): Promise<McpStoredTask> {
    return this.running.get(taskId)?.isOver === false
      ? this.owned(this.running.get(taskId)?.stored, caller)
      : this.owned(await this.store.read(taskId), caller);
  }

  /** @throws RequestFault if the caller has no such task */
  async update(taskId: string, responses: JsonObject, caller: Caller): Promise<void> {
    await this.get(taskId, caller);
    const task = this.running.get(taskId);
    if (task) task.answer(responses);
    else await this.store.send(taskId, { kind: 'answer', responses });
  }

  /** @throws RequestFault if the caller has no such task */
  async cancel(taskId: string, caller: Caller): Promise<void> {
    await this.get(taskId, caller);
    const task = this.running.get(taskId);
    if (task) task.end({ status: 'cancelled' });
    else await this.store.send(taskId, { kind: 'cancel' });
  }

  /** Ends running tasks as failed. */
  async close(): Promise<void> {
    this.closed = true;
    const tasks = [...this.running.values()];
    const error = { code: ErrorCode.InternalError, message: 'The server was shut down' };
    for (const task of tasks) task.end({ status: 'failed', error });
    await Promise.all(tasks.map((task) => task.settled()));
  }

  private async open(tool: Tool, caller: Caller): Promise<Task | undefined> {
    if (this.closed) return undefined;
    const { ttlMs, pollIntervalMs } = this.options.tasks;
    const now = new Date().toISOString();
    const stored: McpStoredTask = {
      taskId: randomUUID(),
      owner: this.ownerOf(caller),
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

  private async owned(stored: McpStoredTask | undefined, caller: Caller): Promise<McpStoredTask> {
    const isOwner = stored?.owner === this.ownerOf(caller);
    const tool = isOwner && (await this.operations.tools.find(stored.tool, caller));
    if (!isOwner || !tool) throw new RequestFault(ErrorCode.InvalidParams, 'Unknown task');
    const lacking = tool.scopes.filter((scope) => !caller.principal?.scopes?.includes(scope));
    if (lacking.length === 0) return stored;
    throw new RequestFault(ErrorCode.Refused, `Forbidden: needs the scopes ${lacking.join(' ')}`);
  }

  private ownerOf(caller: Caller): string {
    return `${this.operations.keyOf(caller)} ${this.options.path}`;
  }
}

/** What a created task shows. */
const UNFINISHED = {
  status: 'working',
  inputRequests: undefined,
  result: undefined,
  error: undefined,
} as const;

/** The tasks of an endpoint. Undefined if no tool of it has any. */
export function tasksFor(options: EndpointOptions, operations: Operations): Tasks | undefined {
  return operations.tools.hasTasks ? new Tasks(options, operations) : undefined;
}
