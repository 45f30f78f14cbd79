-- Companies come and go while the application runs.
ALTER TABLE companies
  ADD COLUMN status text NOT NULL DEFAULT 'active'
  CHECK (status IN ('active', 'suspended', 'provisioning', 'maintenance'));
--> statement-breakpoint
GRANT INSERT, UPDATE, DELETE ON companies TO tasks_app;
--> statement-breakpoint
GRANT INSERT ON api_tokens TO tasks_app;
--> statement-breakpoint
-- What a company has goes with it, the trail of its agents too.
ALTER TABLE users
  DROP CONSTRAINT users_tenant_id_fkey,
  ADD FOREIGN KEY (tenant_id) REFERENCES companies (id) ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE tasks
  DROP CONSTRAINT tasks_tenant_id_fkey,
  ADD FOREIGN KEY (tenant_id) REFERENCES companies (id) ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE agent_calls
  DROP CONSTRAINT agent_calls_tenant_id_fkey,
  ADD FOREIGN KEY (tenant_id) REFERENCES companies (id) ON DELETE CASCADE;
--> statement-breakpoint
-- Those who run the application for the companies.
CREATE TABLE operator_tokens (
  token_hash text PRIMARY KEY
);
--> statement-breakpoint
GRANT SELECT ON operator_tokens TO tasks_app;
--> statement-breakpoint
-- From here on what ledgerSql() of @fledge/tenant/lifecycle wrote.
create table if not exists fledge_tenant_step (
  tenant_id text not null,
  step text not null,
  target text not null,
  status text not null check (status in ('running', 'done', 'failed')),
  attempt int not null,
  run_id uuid not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  error_code text,
  error text,
  primary key (tenant_id, step)
);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON fledge_tenant_step TO "tasks_app";
