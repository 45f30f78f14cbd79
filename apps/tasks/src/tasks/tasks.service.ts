import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { paginate, type PaginatedResponse, type Summary } from '@fledge/query';
import { drizzleAdapter } from '@fledge/query/drizzle';
import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import { Database, type TenantTransaction } from '../database/database.js';
import { tasks, users, type TaskStatus } from '../database/schema.js';
import type { User } from '../users/user.js';
import { UsersService } from '../users/users.service.js';
import type { Task } from './task.js';
import type { CreateTaskDto, UpdateTaskDto } from './task.dto.js';
import { type TaskChange, TaskChanges } from './task-changes.js';
import {
  TASK_COLUMNS,
  TASK_QUERY,
  TASK_SUMMARY,
  type TaskQuery,
  type TaskSummaryQuery,
} from './task-query.js';

const IS_ASSIGNEE = and(eq(users.tenantId, tasks.tenantId), eq(users.id, tasks.assigneeId));

const MAX_ID = 2_147_483_647;

/** The tasks of the current company. */
@Injectable()
export class TasksService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly changes: TaskChanges,
  ) {}

  /**
   * Returns one page of tasks with the requested fields. In the order by due date, tasks without
   * one come last.
   */
  async list(query: TaskQuery): Promise<PaginatedResponse<Partial<Task>>> {
    const { select, where, orderBy, limit, offset } = drizzleAdapter.build(query, TASK_QUERY);
    return this.database.inTenant(async (tx) => {
      const data = await tx
        .select(select ?? TASK_COLUMNS)
        .from(tasks)
        .leftJoin(users, IS_ASSIGNEE)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit)
        .offset(offset);
      return paginate({ data, total: await tx.$count(tasks, where), parsed: query });
    });
  }

  /** Counts tasks by status, assignee or month, as the caller requests. */
  summarize(query: TaskSummaryQuery): Promise<Summary> {
    return this.database.inTenant((tx) =>
      drizzleAdapter.summarize(query, TASK_SUMMARY, (select, where) =>
        tx.select(select).from(tasks).where(where),
      ),
    );
  }

  get(id: number): Promise<Task> {
    return this.database.inTenant((tx) => taskOf(tx, id));
  }

  create(input: CreateTaskDto, creator: User): Promise<Task> {
    const { title, status, priority, dueDate, assignee } = input;
    return this.changeAndPublish('created', async (tx) => {
      const [created] = await tx
        .insert(tasks)
        .values({
          title,
          status: status ?? 'open',
          priority: priority ?? 'normal',
          dueDate: dueDate ?? null,
          assigneeId: assignee ? await this.userIdOf(tx, assignee) : null,
          createdBy: creator.id,
          completedAt: status === 'done' ? sql`now()` : null,
        })
        .returning({ id: tasks.id });
      return taskOf(tx, created!.id);
    });
  }

  update(id: number, changes: UpdateTaskDto): Promise<Task> {
    const { assignee, ...fields } = changes;
    return this.changeAndPublish('updated', async (tx) => {
      await tx
        .update(tasks)
        .set({
          ...fields,
          // Drizzle does not change columns that are undefined, and writes null for null.
          assigneeId: assignee ? await this.userIdOf(tx, assignee) : assignee,
          completedAt: fields.status && completedAtFor(fields.status),
          updatedAt: sql`now()`,
        })
        .where(hasId(id));
      return taskOf(tx, id);
    });
  }

  /** Sets the status to done. A task that is already done stays unchanged. */
  complete(id: number): Promise<Task> {
    return this.changeAndPublish('updated', async (tx) => {
      await tx
        .update(tasks)
        .set({ status: 'done', completedAt: sql`now()`, updatedAt: sql`now()` })
        .where(and(hasId(id), ne(tasks.status, 'done')));
      return taskOf(tx, id);
    });
  }

  async delete(id: number): Promise<void> {
    const deleted = await this.database.inTenant((tx) =>
      tx.delete(tasks).where(hasId(id)).returning({ id: tasks.id }),
    );
    if (deleted.length === 0) throw taskNotFound(id);
    await this.changes.publish({ kind: 'deleted', id, task: null });
  }

  /**
   * Changes a task, and publishes the change after the transaction was committed. Nothing is
   * published in a dry run.
   */
  private async changeAndPublish(
    kind: TaskChange['kind'],
    change: (tx: TenantTransaction) => Promise<Task>,
  ): Promise<Task> {
    const task = await this.database.inTenant(change);
    if (!this.database.isTrial) await this.changes.publish({ kind, id: task.id, task });
    return task;
  }

  private async userIdOf(tx: TenantTransaction, assignee: string): Promise<string> {
    const user = await this.users.findByHandle(tx, assignee);
    if (user === undefined) {
      throw new BadRequestException(['assignee must be the id or e-mail address of a user']);
    }
    return user.id;
  }
}

async function taskOf(tx: TenantTransaction, id: number): Promise<Task> {
  const [task] = await tx
    .select(TASK_COLUMNS)
    .from(tasks)
    .leftJoin(users, IS_ASSIGNEE)
    .where(hasId(id));
  if (task === undefined) throw taskNotFound(id);
  return task;
}

/**
 * Matches no task for ids above PostgreSQL's integer range. PostgreSQL would throw an error for
 * them.
 */
function hasId(id: number): SQL {
  return Math.abs(id) > MAX_ID ? sql`false` : eq(tasks.id, id);
}

function completedAtFor(status: TaskStatus): SQL | null {
  return status === 'done' ? sql`coalesce(${tasks.completedAt}, now())` : null;
}

function taskNotFound(id: number): NotFoundException {
  return new NotFoundException(`There is no task ${id}`);
}
