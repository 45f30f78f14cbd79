import type { ParsedQuery } from '@fledge/query';
import type { DrizzleQueryConfig } from '@fledge/query/drizzle';
import { tasks, users } from '../database/schema.js';

/** The columns of a task as shown to clients. */
export const TASK_COLUMNS = {
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

/** The columns that callers may select, filter, sort and search. */
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
  selectable: TASK_COLUMNS,
  defaultSort: 'dueDate:asc',
  searchColumns: [tasks.title],
  primaryKey: tasks.id,
} as const satisfies DrizzleQueryConfig;

/** What callers may count. The rows are the same as in `TASK_QUERY`. */
export const TASK_SUMMARY = {
  columns: { ...TASK_QUERY.columns, 'assignee.name': users.name },
  sortable: {},
  searchColumns: TASK_QUERY.searchColumns,
  primaryKey: tasks.id,
  relations: {
    assignee: { table: users, on: { tenantId: tasks.tenantId, id: tasks.assigneeId } },
  },
  facetable: ['status', 'priority', 'assignee.name'],
  groupable: ['status', 'priority', 'assignee.name', 'dueDate', 'createdAt'],
  aggregatable: ['dueDate', 'createdAt'],
} as const satisfies DrizzleQueryConfig;

export type TaskSummaryQuery = ParsedQuery<typeof TASK_SUMMARY>;
export type TaskQuery = ParsedQuery<typeof TASK_QUERY>;
