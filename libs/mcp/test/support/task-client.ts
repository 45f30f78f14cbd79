import type { McpStoredTask } from '../../src/index.js';
import { until } from '../../../../test/support/until.js';
import { postModern } from './modern-wire.js';
import { wire } from './wire.js';

/** A task as a client sees it. */
export interface ShownTask extends Omit<McpStoredTask, 'owner' | 'tool' | 'result'> {
  readonly resultType: string;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

export interface TaskAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly error: { readonly code: number; readonly message: string } | undefined;
  readonly result: ShownTask;
}

/** A principal that begins tasks and polls them, over plain HTTP. */
export class TaskClient {
  /** Number of requests so far. */
  sent = 0;

  constructor(
    private readonly endpoint: string,
    private readonly principal: string,
    /** Index of the process behind the proxy. Undefined: the processes take turns. */
    private readonly process?: number,
  ) {}

  /** The same principal, at one process. */
  at(process: number): TaskClient {
    return new TaskClient(this.endpoint, this.principal, process);
  }

  async send(method: string, params: Record<string, unknown>): Promise<TaskAnswer> {
    this.sent += 1;
    const { status, headers, message } = await postModern(wire(this.endpoint), {
      method,
      params,
      headers: {
        authorization: `Bearer ${this.principal}`,
        ...(this.process !== undefined && { 'x-process': String(this.process) }),
      },
      capabilities: { elicitation: { form: {} } },
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    });
    return { status, headers, error: message.error, result: message.result as never };
  }

  async begin(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { error, result } = await this.send('tools/call', { name, arguments: args });
    if (result?.resultType === 'task') return result.taskId;
    throw new Error(`${name} is no task: ${JSON.stringify(error ?? result)}`);
  }

  get(taskId: string): Promise<TaskAnswer> {
    return this.send('tasks/get', { taskId });
  }

  cancel(taskId: string): Promise<TaskAnswer> {
    return this.send('tasks/cancel', { taskId });
  }

  update(taskId: string, inputResponses: object): Promise<TaskAnswer> {
    return this.send('tasks/update', { taskId, inputResponses });
  }

  /** Polls until a task is as it should be. */
  async until(taskId: string, isSo: (task: ShownTask) => boolean): Promise<ShownTask> {
    let task: ShownTask | undefined;
    await until(async () => {
      task = (await this.get(taskId)).result;
      return task !== undefined && isSo(task);
    }, `${taskId}: ${isSo.toString()}`);
    return task as ShownTask;
  }

  /** What the route returned, once the task is completed. */
  async resultOf(taskId: string): Promise<Record<string, unknown>> {
    const { result } = await this.until(taskId, ({ status }) => status === 'completed');
    return JSON.parse(result?.content[0]?.text ?? '') as Record<string, unknown>;
  }
}
