CREATE TABLE users (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  token_hash text NOT NULL UNIQUE
);
--> statement-breakpoint
CREATE TYPE task_status AS ENUM ('open', 'in_progress', 'done');
--> statement-breakpoint
CREATE TYPE task_priority AS ENUM ('low', 'normal', 'high', 'urgent');
--> statement-breakpoint
CREATE TABLE tasks (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL,
  status task_status NOT NULL DEFAULT 'open',
  priority task_priority NOT NULL DEFAULT 'normal',
  due_date date,
  assignee_id text REFERENCES users (id) ON DELETE SET NULL,
  created_by text NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  CHECK ((status = 'done') = (completed_at IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX tasks_by_due_date ON tasks (due_date, id);
--> statement-breakpoint
CREATE INDEX tasks_by_assignee ON tasks (assignee_id);
