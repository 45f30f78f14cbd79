import type { McpStoredTask, McpTaskStore } from '../../options/task-options.js';

/** Keeps the tasks of one process, at most `max`. */
export class MemoryTaskStore implements McpTaskStore {
  private readonly tasks = new Map<string, McpStoredTask>();

  constructor(private readonly max: number) {}

  add(task: McpStoredTask): Promise<boolean> {
    if (this.tasks.size >= this.max) this.dropExpired();
    if (this.tasks.size >= this.max) return Promise.resolve(false);
    this.tasks.set(task.taskId, task);
    return Promise.resolve(true);
  }

  read(taskId: string): Promise<McpStoredTask | undefined> {
    const task = this.tasks.get(taskId);
    if (task === undefined || !isExpired(task)) return Promise.resolve(task);
    this.tasks.delete(taskId);
    return Promise.resolve(undefined);
  }

  write(task: McpStoredTask): Promise<void> {
    if (this.tasks.has(task.taskId)) this.tasks.set(task.taskId, task);
    return Promise.resolve();
  }

  /** Each task runs in this process, which does not send to itself. */
  send(): Promise<void> {
    return Promise.resolve();
  }

  receive(): void {}

  private dropExpired(): void {
    for (const [id, task] of this.tasks) {
      if (isExpired(task)) this.tasks.delete(id);
    }
  }
}

function isExpired({ createdAt, ttlMs }: McpStoredTask): boolean {
  return Date.parse(createdAt) + ttlMs <= Date.now();
}
