import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Caller } from '../../serve/call/caller.js';
import { callerKey } from '../../serve/call/caller-key.js';
import type { Abortable } from '../../serve/call/peer.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import { ErrorCode, RequestFault } from '../../serve/protocol/json-rpc.js';
import type { AnswerOutcome, CallWatch } from '../../serve/observe/call-watch.js';
import { outcomeOf } from '../../serve/methods/answer.js';
import type { RunCall, ToolCall } from '../../serve/methods/extension.js';
import { type AnswerCheck, answerCheck } from '../../serve/methods/params-check.js';
import { createArgumentValidator } from '../../publish/arguments/argument-validator.js';
import { missingCapabilitiesOf } from '../../serve/revisions/2026-07-28/input-rounds.js';
import { connectedStore } from '../../options/option-rules.js';
import { GuardedTasks } from './guarded-tasks.js';
import { MemoryTasks } from './memory-tasks.js';
import { Task, type TaskEnd } from './task.js';
import type { ResolvedTasks, ToolTask } from './task-options.js';
import { TaskPeer } from './task-peer.js';
import { createdTask } from './task-result.js';
import type { McpStoredTask, McpTaskReceiver, McpTasks } from './task-store.js';

/** The running tasks of an endpoint, and the store of its tasks. */
export class RunningTasks {
  private readonly logger = new Logger('McpModule');
  private closed = false;

  /**
   * Connects to the store.
   * @param path path of the endpoint
   */
  static async connect(options: ResolvedTasks, path: string): Promise<RunningTasks> {
    const { store, max, maxPerCaller, ttlMs } = options;
    const running = new Map<string, Task>();
    const receiver: McpTaskReceiver = {
      answered: (id, answers) => running.get(id)?.answer(answers),
      ended: (id) => running.get(id)?.end({ status: 'cancelled' }),
    };
    const own = { path, max, maxPerCaller, ttlMs, receiver };
    const kept = store
      ? await connectedStore('tasks', store.connect(own), 'add')
      : new MemoryTasks(own);
    const answerFault = answerCheck(await createArgumentValidator());
    return new RunningTasks(options, new GuardedTasks(kept), running, answerFault);
  }

  private constructor(
    private readonly options: ResolvedTasks,
    readonly store: McpTasks,
    private readonly running: Map<string, Task>,
    private readonly answerFault: AnswerCheck,
  ) {}

  /**
   * Calls a tool for a client that supports tasks.
   * @param run runs the call
   * @throws RequestFault if the store cannot be reached, or if the tool requires a task and no more
   * tasks are allowed
   */
  async call(
    tool: Tool,
    { start, required }: ToolTask,
    call: ToolCall,
    run: RunCall,
  ): ReturnType<RunCall> {
    const open = (caller: Caller) => this.open(tool, caller);
    // If the store cannot be reached and the route already runs, the call continues without a task.
    const peer = new TaskPeer(
      call.peer,
      start === 'call' ? open : (caller) => open(caller).catch(() => undefined),
    );
    if (start === 'call' && !(await peer.startTask())) {
      if (!required) return run(call);
      throw new RequestFault(ErrorCode.Refused, 'Too many tasks. Try again later');
    }
    const startedForTask = (started: Abortable) => peer.startedForTask(started);
    const running = run({ ...call, peer, startedForTask });
    // If the client disconnects while the task opens, the call ends before the task begins.
    void peer.began.then((task) => this.follow(task, running, peer));
    const task = await Promise.race([running.then(() => undefined), peer.began]);
    if (!task) return running;
    // If the task has finished, the client reads its result with `tasks/get`.
    return { kind: 'typed', result: createdTask({ ...task.stored, ...UNFINISHED }) };
  }

  /** Ends running tasks with the status `failed`. Later calls run without a task. */
  async stop(): Promise<void> {
    this.closed = true;
    const tasks = [...this.running.values()];
    for (const task of tasks) task.end(SHUT_DOWN);
    await Promise.all(tasks.map((task) => task.settled()));
  }

  async close(): Promise<void> {
    // A call may have opened a task while the others ended.
    await this.stop();
    await this.store.close();
  }

  private async open(tool: Tool, caller: Caller): Promise<Task | undefined> {
    if (this.closed) return undefined;
    const { ttlMs, pollIntervalMs } = this.options;
    const now = new Date().toISOString();
    const stored: McpStoredTask = {
      taskId: randomUUID(),
      owner: callerKey(caller),
      tool: tool.name,
      status: 'working',
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs,
      pollIntervalMs,
    };
    if (!(await this.store.add(stored))) return undefined;
    const task = new Task(stored, this.store, this.answerFault);
    this.running.set(stored.taskId, task);
    caller.watch?.detach();
    return task;
  }

  /** Waits for a call to end, and stores its result. */
  private async follow(task: Task, running: ReturnType<RunCall>, peer: TaskPeer): Promise<void> {
    const error = { code: ErrorCode.InternalError, message: 'The task timed out' };
    const clock = setTimeout(() => task.end({ status: 'failed', error }), task.stored.ttlMs);
    clock.unref();
    const end = await this.endOf(running, peer);
    clearTimeout(clock);
    // With `audit.await`, the client must not see the result before the record is stored.
    await endWatch(peer.caller.watch, task.isOver ? task.stored : { ...task.stored, ...end });
    task.end(end);
    await task.settled();
    this.running.delete(task.stored.taskId);
  }

  private async endOf(running: ReturnType<RunCall>, peer: TaskPeer): Promise<TaskEnd> {
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

/** The fields of a task that has just been created. */
const UNFINISHED = {
  status: 'working',
  inputRequests: undefined,
  result: undefined,
  error: undefined,
} as const;

/** Completes the call record when the task has ended. */
async function endWatch(
  watch: CallWatch | undefined,
  { status, result, error }: McpStoredTask,
): Promise<void> {
  if (!watch) return;
  const bytes = Buffer.byteLength(JSON.stringify(result ?? error ?? {}));
  await watch.settle({ ...taskOutcome(status, result, error), bytes });
}

function taskOutcome(
  status: McpStoredTask['status'],
  result: McpStoredTask['result'],
  error: McpStoredTask['error'],
): AnswerOutcome {
  if (status === 'cancelled') return { outcome: 'cancelled' };
  if (result) return outcomeOf({ kind: 'result', result });
  return error
    ? { outcome: 'error', error: { code: error.code, text: error.message } }
    : { outcome: 'cancelled' };
}
