-- The calls of AI agents, for the company that they worked for.
CREATE TABLE agent_calls (
  tenant_id text NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  tool text NOT NULL,
  client text,
  arguments jsonb,
  outcome text NOT NULL,
  status integer,
  error text,
  duration_ms real NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
--> statement-breakpoint
CREATE INDEX agent_calls_by_time ON agent_calls (tenant_id, at DESC);
--> statement-breakpoint
-- From here on what rlsSql() of @fledge/tenant/rls wrote.
ALTER TABLE "agent_calls" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "agent_calls" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
DROP POLICY IF EXISTS "tenant_isolation" ON "agent_calls";
--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "agent_calls" FOR ALL USING ("tenant_id" = (SELECT nullif(current_setting('app.tenant_id', true), ''))) WITH CHECK ("tenant_id" = (SELECT nullif(current_setting('app.tenant_id', true), '')));
--> statement-breakpoint
ALTER TABLE "agent_calls" ALTER COLUMN "tenant_id" SET DEFAULT nullif(current_setting('app.tenant_id', true), '');
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "agent_calls" TO "tasks_app";
--> statement-breakpoint
REVOKE TRUNCATE ON "agent_calls" FROM "tasks_app";
--> statement-breakpoint
DO $fledge$ DECLARE seq regclass; BEGIN FOR seq IN SELECT d.objid FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S' WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = '"agent_calls"'::regclass AND d.deptype = 'a' LOOP EXECUTE 'GRANT USAGE ON SEQUENCE ' || seq || ' TO "tasks_app"'; END LOOP; END $fledge$;
--> statement-breakpoint
-- The trail only grows.
REVOKE UPDATE, DELETE ON agent_calls FROM tasks_app;
