import {
  isOver,
  type McpStoredTask,
  type McpTaskAnswers,
  type McpTaskEndpoint,
  type McpTasks,
} from './task-store.js';

/** Stores tasks in the memory of this process. */
export class MemoryTasks implements McpTasks {
  private readonly tasks = new Map<string, McpStoredTask>();

  constructor(private readonly endpoint: McpTaskEndpoint) {}

  add(task: McpStoredTask): Promise<boolean> {
    const isFree = this.hasRoomFor(task);
    if (isFree) this.tasks.set(task.taskId, task);
    return Promise.resolve(isFree);
  }

  read(taskId: string): Promise<McpStoredTask | undefined> {
    return Promise.resolve(this.kept(taskId));
  }

  write(task: McpStoredTask): Promise<void> {
    const kept = this.kept(task.taskId);
    if (kept && !isOver(kept)) this.tasks.set(task.taskId, task);
    return Promise.resolve();
  }

  answer(taskId: string, answers: McpTaskAnswers): Promise<void> {
    const kept = this.kept(taskId);
    if (kept && !isOver(kept)) this.endpoint.receiver.answered(taskId, answers);
    return Promise.resolve();
  }

  cancel(taskId: string): Promise<void> {
    const kept = this.kept(taskId);
    if (kept && !isOver(kept)) {
      const lastUpdatedAt = new Date().toISOString();
      const cancelled = { ...kept, status: 'cancelled', inputRequests: undefined } as const;
      this.tasks.set(taskId, { ...cancelled, lastUpdatedAt });
      this.endpoint.receiver.ended(taskId);
    }
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private kept(taskId: string): McpStoredTask | undefined {
    const task = this.tasks.get(taskId);
    if (!task || !isExpired(task)) return task;
    this.tasks.delete(taskId);
    return undefined;
  }

  private hasRoomFor({ owner }: McpStoredTask): boolean {
    const { max, maxPerCaller } = this.endpoint;
    if (this.tasks.size < Math.min(max, maxPerCaller)) return true;
    for (const id of this.tasks.keys()) this.kept(id);
    if (this.tasks.size >= max) return false;
    let owned = 0;
    for (const task of this.tasks.values()) if (task.owner === owner) owned += 1;
    return owned < maxPerCaller;
  }
}

function isExpired({ createdAt, ttlMs }: McpStoredTask): boolean {
  return Date.parse(createdAt) + ttlMs <= Date.now();
}
