import type { TaskPriority, TaskStatus } from '../database/schema.js';
import type { User } from '../users/users.service.js';

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
