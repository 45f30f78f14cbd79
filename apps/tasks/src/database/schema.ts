import { sql } from 'drizzle-orm';
import {
  date,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  real,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

/** The tables as Drizzle reads them; `migrations/` creates them. */
export const TASK_STATUSES = ['open', 'in_progress', 'done'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const TASK_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

const taskStatus = pgEnum('task_status', TASK_STATUSES);
const taskPriority = pgEnum('task_priority', TASK_PRIORITIES);

export const COMPANY_STATUSES = ['active', 'suspended', 'provisioning', 'maintenance'] as const;

/** Who shares the application; each is a tenant. */
export const companies = pgTable('companies', {
  id: text().primaryKey(),
  name: text().notNull(),
  status: text({ enum: COMPANY_STATUSES }).notNull().default('active'),
});

/** Those who create and remove companies. They belong to none. */
export const operatorTokens = pgTable('operator_tokens', {
  /** SHA-256 of the token. */
  tokenHash: text('token_hash').primaryKey(),
});

/** Whose a token is. Outside of row-level security: it is read to find out the company. */
export const apiTokens = pgTable('api_tokens', {
  /** SHA-256 of the API token; the token itself is never stored. */
  tokenHash: text('token_hash').primaryKey(),
  companyId: text('company_id').notNull(),
  userId: text('user_id').notNull(),
});

/** The company of a row. The database fills it in, and shows each company its own rows only. */
const tenantId = () =>
  text('tenant_id')
    .notNull()
    .default(sql`nullif(current_setting('app.tenant_id', true), '')`);

export const users = pgTable(
  'users',
  {
    tenantId: tenantId(),
    /** A short handle such as `ada`. */
    id: text().notNull(),
    name: text().notNull(),
    /** Lower case. */
    email: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
);

export const tasks = pgTable(
  'tasks',
  {
    tenantId: tenantId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    title: text().notNull(),
    status: taskStatus().notNull().default('open'),
    priority: taskPriority().notNull().default('normal'),
    /** `YYYY-MM-DD`. */
    dueDate: date('due_date'),
    assigneeId: text('assignee_id'),
    createdBy: text('created_by').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
    /** Set exactly while the status is `done`; the database checks it. */
    completedAt: timestamp('completed_at', { withTimezone: true }),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
);

/** What AI agents did for a company: one row for each tool call. */
export const agentCalls = pgTable(
  'agent_calls',
  {
    tenantId: tenantId(),
    id: uuid().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
    /** Who made the call: the user of the API token. Kept when the user is deleted. Null: the route did not run. */
    userId: text('user_id'),
    /** Name of the tool or prompt, or URI of the resource. */
    tool: text().notNull(),
    /** What the client software says about itself. */
    client: text(),
    /** Without secrets. */
    arguments: jsonb().$type<Readonly<Record<string, unknown>>>(),
    outcome: text().notNull(),
    status: integer(),
    error: text(),
    durationMs: real('duration_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
);
