import { rlsSql } from '@fledge/tenant/rls';
import type { Database } from './databases.js';

/** The table `note` with one row each of the tenants a and b, kept apart by what `rlsSql()` makes. */
export async function createNotes({ exec, owner, app }: Database): Promise<void> {
  await exec(`
    grant create on schema public to ${owner};
    set role ${owner};
    create table note (id int generated always as identity primary key, tenant_id text not null, text text);
    insert into note (tenant_id, text) values ('a', 'A1'), ('b', 'B1');
    ${rlsSql(['note'], { grantTo: app, columnDefault: 'tenant' })}`);
}
