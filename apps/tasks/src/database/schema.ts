import { date, integer, pgEnum, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** The tables as Drizzle reads them; `migrations/` creates them. */
export const TASK_STATUSES = ['open', 'in_progress', 'done'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const TASK_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

const taskStatus = pgEnum('task_status', TASK_STATUSES);
const taskPriority = pgEnum('task_priority', TASK_PRIORITIES);

export const users = pgTable('users', {
  /** A short handle such as `ada`. */
  id: text().primaryKey(),
  name: text().notNull(),
  /** Lower case. */
  email: text().notNull().unique(),
  /** SHA-256 of the API token; the token itself is never stored. */
  tokenHash: text('token_hash').notNull().unique(),
});

export const tasks = pgTable('tasks', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  title: text().notNull(),
  status: taskStatus().notNull().default('open'),
  priority: taskPriority().notNull().default('normal'),
  /** `YYYY-MM-DD`. */
  dueDate: date('due_date'),
  assigneeId: text('assignee_id').references(() => users.id, { onDelete: 'set null' }),
  createdBy: text('created_by')
    .notNull()
    .references(() => users.id),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  /** Set exactly while the status is `done`; the database checks it. */
  completedAt: timestamp('completed_at', { withTimezone: true }),
});
