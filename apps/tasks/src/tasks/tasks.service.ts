import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { paginate, type PaginatedResponse } from '@fledge/query';
import { drizzleAdapter } from '@fledge/query/drizzle';
import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { tasks, users, type TaskPriority, type TaskStatus } from '../database/schema.js';
import { UsersService, type User } from '../users/users.service.js';
import type { CreateTaskDto, UpdateTaskDto } from './task.dto.js';
import { TASK_QUERY, type TaskQuery } from './task.query.js';

/** A task as clients see it. */
export interface Task {
  readonly id: number;
  readonly title: string;
  readonly status: TaskStatus;
  readonly priority: TaskPriority;
  /** `YYYY-MM-DD`. */
  readonly dueDate: string | null;
  readonly assignee: User | null;
  /** Id of the user. */
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Set exactly while the status is `done`. */
  readonly completedAt: Date | null;
}

const TASK_COLUMNS = {
  id: tasks.id,
  title: tasks.title,
  status: tasks.status,
  priority: tasks.priority,
  dueDate: tasks.dueDate,
  assignee: { id: users.id, name: users.name, email: users.email },
  createdBy: tasks.createdBy,
  createdAt: tasks.createdAt,
  updatedAt: tasks.updatedAt,
  completedAt: tasks.completedAt,
};

const MAX_ID = 2_147_483_647;

@Injectable()
export class TasksService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
  ) {}

  /** By due date unless the caller sorts; tasks without one come last. */
  async list(query: TaskQuery): Promise<PaginatedResponse<Task>> {
    const parsed: TaskQuery =
      query.sort.length > 0 ? query : { ...query, sort: [{ field: 'dueDate', direction: 'asc' }] };
    const { where, orderBy, limit, offset } = drizzleAdapter.build(parsed, TASK_QUERY);
    const [data, total] = await Promise.all([
      this.select(where)
        .orderBy(...orderBy)
        .limit(limit)
        .offset(offset),
      this.database.orm.$count(tasks, where),
    ]);
    return paginate({ data, total, parsed });
  }

  async get(id: number): Promise<Task> {
    const [task] = await this.select(hasId(id));
    if (task === undefined) throw taskNotFound(id);
    return task;
  }

  async create(input: CreateTaskDto, creator: User): Promise<Task> {
    const { title, status, priority, dueDate, assignee } = input;
    const [created] = await this.database.orm
      .insert(tasks)
      .values({
        title,
        status: status ?? 'open',
        priority: priority ?? 'normal',
        dueDate: dueDate ?? null,
        assigneeId: assignee ? await this.userIdOf(assignee) : null,
        createdBy: creator.id,
        completedAt: status === 'done' ? sql`now()` : null,
      })
      .returning({ id: tasks.id });
    return this.get(created!.id);
  }

  async update(id: number, changes: UpdateTaskDto): Promise<Task> {
    const { assignee, ...fields } = changes;
    await this.database.orm
      .update(tasks)
      .set({
        ...fields,
        // Drizzle leaves undefined columns as they are and writes null.
        assigneeId: assignee ? await this.userIdOf(assignee) : assignee,
        completedAt: fields.status && completedAtFor(fields.status),
        updatedAt: sql`now()`,
      })
      .where(hasId(id));
    return this.get(id);
  }

  /** Completing a completed task changes nothing. */
  async complete(id: number): Promise<Task> {
    await this.database.orm
      .update(tasks)
      .set({ status: 'done', completedAt: sql`now()`, updatedAt: sql`now()` })
      .where(and(hasId(id), ne(tasks.status, 'done')));
    return this.get(id);
  }

  async delete(id: number): Promise<void> {
    const deleted = await this.database.orm.delete(tasks).where(hasId(id)).returning();
    if (deleted.length === 0) throw taskNotFound(id);
  }

  private select(condition: SQL | undefined) {
    return this.database.orm
      .select(TASK_COLUMNS)
      .from(tasks)
      .leftJoin(users, eq(tasks.assigneeId, users.id))
      .where(condition);
  }

  private async userIdOf(assignee: string): Promise<string> {
    const user = await this.users.findByHandle(assignee);
    if (user === undefined) {
      throw new BadRequestException(['assignee must be the id or e-mail address of a user']);
    }
    return user.id;
  }
}

/** PostgreSQL answers a number beyond its integers with an error; no task has such an id. */
function hasId(id: number): SQL {
  return Math.abs(id) > MAX_ID ? sql`false` : eq(tasks.id, id);
}

function completedAtFor(status: TaskStatus): SQL | null {
  return status === 'done' ? sql`coalesce(${tasks.completedAt}, now())` : null;
}

function taskNotFound(id: number): NotFoundException {
  return new NotFoundException(`There is no task ${id}`);
}
