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

/** The tables as Drizzle uses them. `migrations/` creates them. */
export const TASK_STATUSES = ['open', 'in_progress', 'done'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const TASK_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

const taskStatus = pgEnum('task_status', TASK_STATUSES);
const taskPriority = pgEnum('task_priority', TASK_PRIORITIES);

export const COMPANY_STATUSES = ['active', 'suspended', 'provisioning', 'maintenance'] as const;

/** The companies that share the application. Each one is a tenant. */
export const companies = pgTable('companies', {
  id: text().primaryKey(),
  name: text().notNull(),
  status: text({ enum: COMPANY_STATUSES }).notNull().default('active'),
});

/** Tokens of operators, who create and remove companies. Operators belong to no company. */
export const operatorTokens = pgTable('operator_tokens', {
  /** SHA-256 of the token. */
  tokenHash: text('token_hash').primaryKey(),
});

/**
 * The owners of API tokens. Row-level security does not apply, because this table is read to find
 * the company.
 */
export const apiTokens = pgTable('api_tokens', {
  /** SHA-256 of the API token. The token itself is never stored. */
  tokenHash: text('token_hash').primaryKey(),
  companyId: text('company_id').notNull(),
  userId: text('user_id').notNull(),
});

/** The company of a row. The database sets it, and shows each company only its own rows. */
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
    /** In lower case. */
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
    /** In the format `YYYY-MM-DD`. */
    dueDate: date('due_date'),
    assigneeId: text('assignee_id'),
    createdBy: text('created_by').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
    /** Set if, and only if, the status is `done`. The database checks this. */
    completedAt: timestamp('completed_at', { withTimezone: true }),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
);

/** What AI agents did for a company. Each row is one tool call. */
export const agentCalls = pgTable(
  'agent_calls',
  {
    tenantId: tenantId(),
    id: uuid().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
    /**
     * The user of the API token, who made the call. Kept when the user is deleted. Null if the
     * route did not run.
     */
    userId: text('user_id'),
    /** Name of the tool or prompt, or URI of the resource. */
    tool: text().notNull(),
    /** The name that the client software reports about itself. */
    client: text(),
    /** The arguments, with secrets removed. */
    arguments: jsonb().$type<Readonly<Record<string, unknown>>>(),
    outcome: text().notNull(),
    status: integer(),
    error: text(),
    durationMs: real('duration_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
);
