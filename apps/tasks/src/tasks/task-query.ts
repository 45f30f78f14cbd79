import type { ParsedQuery } from '@fledge/query';
import type { DrizzleQueryConfig } from '@fledge/query/drizzle';
import { tasks } from '../database/schema.js';

/** The columns that callers may filter, sort and search tasks by. */
export const TASK_QUERY = {
  columns: {
    status: tasks.status,
    priority: tasks.priority,
    dueDate: tasks.dueDate,
    assignee: tasks.assigneeId,
    createdBy: tasks.createdBy,
    createdAt: tasks.createdAt,
  },
  sortable: { dueDate: tasks.dueDate, createdAt: tasks.createdAt, title: tasks.title },
  searchColumns: [tasks.title],
  primaryKey: tasks.id,
} as const satisfies DrizzleQueryConfig;

export type TaskQuery = ParsedQuery<typeof TASK_QUERY>;
