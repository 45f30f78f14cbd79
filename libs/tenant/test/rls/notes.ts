import { rlsSql } from '@fledge/tenant/rls';
import type { Database } from './databases.js';

/** The table `note` with one row each of the tenants a and b, kept apart by what `rlsSql()` makes. */
export async function createNotes({ exec, owner, app }: Database): Promise<void> {
  const policies = rlsSql(['note'], { grantTo: app, columnDefault: 'tenant' });
  // Twice, because migrations may run it again.
  await exec(`
    grant create on schema public to ${owner};
    set role ${owner};
    create table note (id int generated always as identity primary key, tenant_id text not null, text text);
    create index on note (tenant_id);
    insert into note (tenant_id, text) values ('a', 'A1'), ('b', 'B1');
    ${policies}${policies}`);
}

/** A schema for each tenant, `of a`, with a table `note` of one row. */
export async function createSchemas(
  { exec, app }: Database,
  texts: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [tenant, text] of Object.entries(texts)) {
    const schema = `"of ${tenant}"`;
    await exec(`create schema ${schema}; grant usage on schema ${schema} to ${app};
      create table ${schema}.note (id int generated always as identity primary key, tenant_id text, text text);
      grant select on ${schema}.note to ${app};
      insert into ${schema}.note (text) values ('${text}')`);
  }
}
