import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import {
  isOver,
  type McpStoredTask,
  type McpTaskAnswers,
  type McpTaskEndpoint,
  type McpTasks,
  type McpTaskStore,
} from '../extensions/tasks/task-store.js';
import { Connection } from './connection.js';
import { startHeartbeat } from './process-heartbeat.js';
import { answersIn, changingOf, fixedOf, leftOf, noticeIn, taskIn } from './task-data.js';
import { TASK_SCRIPTS, type TaskScript } from './task-scripts.js';
import { readRedisOptions, type RedisTaskOptions } from './redis-options.js';

/** If Redis loses the tasks, all running tasks are back in Redis after this many milliseconds. */
const SETTLED_MS = 3_000;

/** Gives one process access to the tasks of an endpoint in Redis. */
class SharedTasks implements McpTasks {
  private readonly process = randomBytes(9).toString('base64url');
  private readonly connection: Connection<TaskScript>;
  /**
   * Latest states of the tasks that run in this process. An ended task stays in this map until
   * Redis has stored the end of the task.
   */
  private readonly here = new Map<string, McpStoredTask>();
  /** Ids of tasks that are being added to Redis. */
  private readonly adding = new Set<string>();
  private heart: NodeJS.Timeout | undefined;
  /** True if the task states in Redis may differ from the task states in this process. */
  private differs = false;

  constructor(
    client: Redis,
    private readonly base: string,
    private readonly endpoint: McpTaskEndpoint,
  ) {
    const purpose = { what: 'tasks', scripts: TASK_SCRIPTS, limits: [endpoint.ttlMs] } as const;
    this.connection = new Connection(client, base, purpose);
  }

  async start(): Promise<void> {
    const channels = [`${this.base}:${this.process}`];
    this.heart = await startHeartbeat({
      connect: (ready) => this.connection.open(channels, (text) => this.receive(text), ready),
      begin: () => this.beat(true),
      beat: () => void this.beat(false),
    });
  }

  async add(task: McpStoredTask): Promise<boolean> {
    const { max, maxPerCaller } = this.endpoint;
    this.adding.add(task.taskId);
    try {
      const { added } = await this.run('add', ...this.argumentsOf(task), max, maxPerCaller);
      if (added === true) this.here.set(task.taskId, task);
      return added === true;
    } catch (error) {
      this.differs = true;
      throw error;
    } finally {
      this.adding.delete(task.taskId);
    }
  }

  async read(taskId: string): Promise<McpStoredTask | undefined> {
    const fields = await this.connection.fields(`${this.base}:task:${taskId}`);
    if (Object.keys(fields).length > 0) return taskIn(taskId, fields);
    const { age } = await this.run('age');
    if (Number(age) >= SETTLED_MS) return undefined;
    throw new Error('Redis lost the tasks. The processes of the application are restoring them');
  }

  async write(task: McpStoredTask): Promise<void> {
    this.here.set(task.taskId, task);
    try {
      await this.put(task);
    } catch (error) {
      this.differs = true;
      this.connection.warn(String(error));
    }
  }

  async answer(taskId: string, answers: McpTaskAnswers): Promise<void> {
    const pairs = Object.entries(answers).map(([key, answer]) => [key, JSON.stringify(answer)]);
    await this.run('answer', taskId, ...pairs.flat());
  }

  async cancel(taskId: string): Promise<void> {
    await this.run('cancel', taskId, new Date().toISOString());
  }

  async close(): Promise<void> {
    clearInterval(this.heart);
    try {
      if (this.differs) await this.reconcile();
      while ((await this.run('depart', this.process, ...failure()))['left'] === true);
    } catch (error) {
      this.connection.warn(String(error));
    }
    this.connection.close();
  }

  private run(name: TaskScript, ...args: (string | number)[]) {
    return this.connection.run(name, ...args);
  }

  private argumentsOf(task: McpStoredTask): (string | number)[] {
    const { taskId, owner } = task;
    return [taskId, this.process, owner, fixedOf(task), leftOf(task), ...changingOf(task)];
  }

  /** Writes the state of a task. Has no effect if the task has already ended in Redis. */
  private async put(task: McpStoredTask): Promise<void> {
    const { taskId } = task;
    const hasTime = leftOf(task) > 0;
    const { over } = hasTime ? await this.run('write', ...this.argumentsOf(task)) : { over: true };
    const isLatest = this.here.get(taskId) === task;
    if (over === true || (isOver(task) && isLatest)) this.here.delete(taskId);
    if (over === true) this.endpoint.receiver.ended(taskId);
  }

  /** @param isReady true directly after a connect or reconnect */
  private async beat(isReady: boolean): Promise<void> {
    void this.connection.probe();
    try {
      const { new: isNew } = await this.run('beat', this.process, ...failure());
      // `isNew`: this process was considered dead, or Redis lost its data.
      if (isReady || isNew === true || this.differs) await this.reconcile();
    } catch (error) {
      this.differs = true;
      this.connection.warn(String(error));
    }
  }

  /** Sends the tasks to Redis again. Needed because messages or replies may have been lost. */
  private async reconcile(): Promise<void> {
    this.differs = false;
    try {
      await this.run('forget', this.process, ...this.here.keys(), ...this.adding);
      for (const taskId of [...this.here.keys()]) {
        const task = this.here.get(taskId);
        if (task) await this.put(task);
        if (task?.status === 'input_required') await this.takeAnswers(taskId);
      }
    } catch (error) {
      this.differs = true;
      throw error;
    }
  }

  private async takeAnswers(taskId: string): Promise<void> {
    const fields = await this.connection.fields(`${this.base}:answers:${taskId}`);
    this.endpoint.receiver.answered(taskId, answersIn(fields));
  }

  private receive(text: string): void {
    const notice = noticeIn(text);
    if (!notice || !this.here.has(notice.id)) return;
    if (notice.kind === 'ended') {
      this.here.delete(notice.id);
      this.endpoint.receiver.ended(notice.id);
      return;
    }
    this.takeAnswers(notice.id).catch((error: unknown) => {
      this.differs = true;
      this.connection.warn(String(error));
    });
  }
}

/** Returns the error for tasks whose process has ended: the time, and details as JSON. */
function failure(): [string, string] {
  const error = { code: -32603, message: 'The process that ran this task has ended' };
  return [new Date().toISOString(), JSON.stringify({ error })];
}

/**
 * Stores tasks in Redis, so any process of an application can serve the tasks of all processes.
 * Requires Redis 7 or Valkey.
 *
 * @example
 * ```ts
 * McpModule.forRoot({ name: 'task-api', tasks: { store: redisTasks({ client: new Redis() }) } })
 * ```
 */
export function redisTasks(options: RedisTaskOptions): McpTaskStore {
  const { client, prefix } = readRedisOptions(options, 'redisTasks');
  return {
    connect: async (endpoint) => {
      const tasks = new SharedTasks(client, `{${prefix}:tasks:${endpoint.path}}`, endpoint);
      await tasks.start();
      return tasks;
    },
  };
}
