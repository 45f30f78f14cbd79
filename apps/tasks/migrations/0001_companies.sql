-- Everything so far belongs to the first company.
CREATE TABLE companies (
  id text PRIMARY KEY CHECK (id ~ '^[a-z][a-z0-9-]{0,62}$'),
  name text NOT NULL
);
--> statement-breakpoint
INSERT INTO companies (id, name) VALUES ('acme', 'Acme');
--> statement-breakpoint
ALTER TABLE users ADD COLUMN tenant_id text NOT NULL DEFAULT 'acme' REFERENCES companies (id);
--> statement-breakpoint
ALTER TABLE tasks ADD COLUMN tenant_id text NOT NULL DEFAULT 'acme' REFERENCES companies (id);
--> statement-breakpoint
-- Keys include the company: what is unique must not tell of others, and references must not cross.
ALTER TABLE tasks
  DROP CONSTRAINT tasks_assignee_id_fkey,
  DROP CONSTRAINT tasks_created_by_fkey,
  DROP CONSTRAINT tasks_pkey,
  ADD PRIMARY KEY (tenant_id, id);
--> statement-breakpoint
ALTER TABLE users
  DROP CONSTRAINT users_pkey,
  DROP CONSTRAINT users_email_key,
  ADD PRIMARY KEY (tenant_id, id),
  ADD UNIQUE (tenant_id, email);
--> statement-breakpoint
ALTER TABLE tasks
  ADD FOREIGN KEY (tenant_id, assignee_id) REFERENCES users (tenant_id, id) ON DELETE SET NULL (assignee_id),
  ADD FOREIGN KEY (tenant_id, created_by) REFERENCES users (tenant_id, id);
--> statement-breakpoint
DROP INDEX tasks_by_due_date, tasks_by_assignee;
--> statement-breakpoint
CREATE INDEX tasks_by_due_date ON tasks (tenant_id, due_date, id);
--> statement-breakpoint
CREATE INDEX tasks_by_assignee ON tasks (tenant_id, assignee_id);
--> statement-breakpoint
-- Read before the company is known: whose a token is tells the company.
CREATE TABLE api_tokens (
  token_hash text PRIMARY KEY,
  company_id text NOT NULL,
  user_id text NOT NULL,
  FOREIGN KEY (company_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
--> statement-breakpoint
INSERT INTO api_tokens SELECT token_hash, tenant_id, id FROM users;
--> statement-breakpoint
ALTER TABLE users DROP COLUMN token_hash;
--> statement-breakpoint
-- The role the application works as: row-level security holds for it.
CREATE ROLE tasks_app NOLOGIN;
--> statement-breakpoint
GRANT SELECT ON companies, api_tokens TO tasks_app;
--> statement-breakpoint
-- From here on what rlsSql() of @fledge/tenant/rls wrote.
ALTER TABLE "users" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "users" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
DROP POLICY IF EXISTS "tenant_isolation" ON "users";
--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "users" FOR ALL USING ("tenant_id" = (SELECT nullif(current_setting('app.tenant_id', true), ''))) WITH CHECK ("tenant_id" = (SELECT nullif(current_setting('app.tenant_id', true), '')));
--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "tenant_id" SET DEFAULT nullif(current_setting('app.tenant_id', true), '');
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "users" TO "tasks_app";
--> statement-breakpoint
REVOKE TRUNCATE ON "users" FROM "tasks_app";
--> statement-breakpoint
DO $fledge$ DECLARE seq regclass; BEGIN FOR seq IN SELECT d.objid FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S' WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = '"users"'::regclass AND d.deptype = 'a' LOOP EXECUTE 'GRANT USAGE ON SEQUENCE ' || seq || ' TO "tasks_app"'; END LOOP; END $fledge$;
--> statement-breakpoint
ALTER TABLE "tasks" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "tasks" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
DROP POLICY IF EXISTS "tenant_isolation" ON "tasks";
--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "tasks" FOR ALL USING ("tenant_id" = (SELECT nullif(current_setting('app.tenant_id', true), ''))) WITH CHECK ("tenant_id" = (SELECT nullif(current_setting('app.tenant_id', true), '')));
--> statement-breakpoint
ALTER TABLE "tasks" ALTER COLUMN "tenant_id" SET DEFAULT nullif(current_setting('app.tenant_id', true), '');
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "tasks" TO "tasks_app";
--> statement-breakpoint
REVOKE TRUNCATE ON "tasks" FROM "tasks_app";
--> statement-breakpoint
DO $fledge$ DECLARE seq regclass; BEGIN FOR seq IN SELECT d.objid FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S' WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = '"tasks"'::regclass AND d.deptype = 'a' LOOP EXECUTE 'GRANT USAGE ON SEQUENCE ' || seq || ' TO "tasks_app"'; END LOOP; END $fledge$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC, "tasks_app";
