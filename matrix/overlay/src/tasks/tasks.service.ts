import { EventEmitter, on } from 'node:events';
import { TENANT_CONTEXT, type TenantContext } from '@fledge/tenant';
import { Inject, Injectable } from '@nestjs/common';
import type { CreateTaskDto } from './create-task.dto.js';

export interface Task {
  readonly id: number;
  readonly tenant: string;
  readonly title: string;
  readonly priority: number;
  readonly due?: Date | undefined;
}

export class TaskMissingError extends Error {}

@Injectable()
export class TasksService {
  private readonly events = new EventEmitter();
  private readonly tasks: Task[] = [
    { id: 1, tenant: 'acme', title: 'Read the README', priority: 1 },
    { id: 2, tenant: 'acme', title: 'Try a filter', priority: 3 },
    { id: 3, tenant: 'acme', title: 'Call a tool', priority: 2 },
    { id: 4, tenant: 'globex', title: 'Sign the contract', priority: 1 },
  ];

  constructor(@Inject(TENANT_CONTEXT) private readonly tenant: TenantContext) {}

  list(): Task[] {
    return this.tasks.filter((task) => task.tenant === this.tenant.tenantId);
  }

  find(id: number): Task {
    const found = this.list().find((task) => task.id === id);
    if (!found) throw new TaskMissingError(`There is no task ${id}.`);
    return found;
  }

  add(dto: CreateTaskDto): Task {
    const id = this.tasks.length + 1;
    const { tenantId: tenant } = this.tenant;
    const task = { id, tenant, title: dto.title, priority: dto.priority, due: dto.due };
    this.tasks.push(task);
    this.events.emit('added', task);
    return task;
  }

  async *added(signal: AbortSignal): AsyncGenerator<Task> {
    for await (const [task] of on(this.events, 'added', { signal }) as AsyncIterable<[Task]>) {
      if (task.tenant === this.tenant.tenantId) yield task;
    }
  }
}
