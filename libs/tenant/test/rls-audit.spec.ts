import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditRls, type RlsAuditOptions, type RlsFinding, rlsSql } from '@fledge/tenant/rls';
import { type Database, databases } from './rls/databases.js';

const OWN = `(tenant_id = nullif(current_setting('app.tenant_id', true), ''))`;
const DROP = 'drop policy tenant_isolation on note;';

/** What is done to a table that is right, and what the audit then says, as the application's role. */
const cases: [title: string, sql: string, findings: string[]][] = [
  ['nothing', '', []],
  ['no FORCE, for who owns nothing', 'alter table note no force row level security', []],
  [
    'no FORCE, for a member of the owner',
    'alter table note no force row level security; grant $owner to $app',
    ['OWNS_TABLES $app $owner', 'OWNER_WITHOUT_FORCE note', 'TRUNCATE_PRIVILEGE note'],
  ],
  ['BYPASSRLS', 'alter role $app bypassrls', ['BYPASSRLS $app']],
  ['no row level security', 'alter table note disable row level security', ['RLS_DISABLED note']],
  ['no policy', DROP, ['NO_POLICY note']],
  [
    'a policy of another role',
    `${DROP} create policy p on note to $owner using ${OWN}`,
    ['NO_POLICY note'],
  ],
  [
    'FOR SELECT only',
    `${DROP} create policy p on note for select using ${OWN}`,
    ['POLICY_SPLIT note p'],
  ],
  [
    'split policies with a gap',
    `${DROP} create policy p on note for select using ${OWN}; create policy q on note for insert with check (true)`,
    ['POLICY_SPLIT note p', 'POLICY_SPLIT note q', 'POLICY_CHECK_OPEN note q'],
  ],
  [
    'WITH CHECK (true)',
    `${DROP} create policy p on note using ${OWN} with check (true)`,
    ['POLICY_CHECK_OPEN note p'],
  ],
  [
    'a second policy that lets all in',
    'create policy p on note using (true)',
    ['POLICY_WITHOUT_TENANT note p'],
  ],
  [
    'a policy by another setting',
    `${DROP} create policy p on note using (tenant_id = current_setting('my.tenant_id'))`,
    ['POLICY_WITHOUT_TENANT note p'],
  ],
  [
    'a policy by another column',
    `${DROP} create policy p on note using (text = current_setting('app.tenant_id', true))`,
    ['POLICY_WITHOUT_TENANT note p'],
  ],
  [
    'a policy that also shows shared rows',
    `${DROP} create policy p on note using (${OWN} or tenant_id is null or tenant_id = 'shared')`,
    ['POLICY_WIDENED note p'],
  ],
  [
    'a policy with OR true',
    `${DROP} create policy p on note using (${OWN} or true)`,
    ['POLICY_UNRECOGNIZED note p'],
  ],
  [
    'a policy with an OR that does not compare the tenant',
    `${DROP} create policy p on note using (${OWN} or text = 'public')`,
    ['POLICY_UNRECOGNIZED note p'],
  ],
  ['a restrictive policy on top', 'create policy p on note as restrictive using (true)', []],
  [
    'a view of a superuser',
    'create view v as select * from note; grant select on v to $app',
    ['VIEW_WITHOUT_SECURITY_INVOKER v'],
  ],
  [
    'a view of a superuser over one with security_invoker, which stays held',
    'create view v with (security_invoker = on) as select * from note; create view w as select * from v; grant select on v, w to $app',
    [],
  ],
  [
    'a view with security_invoker',
    'create view v with (security_invoker = on) as select * from note; grant select on v to $app',
    [],
  ],
  [
    'a view of the owner, whom FORCE holds',
    'create view v as select * from note; alter view v owner to $owner; grant select on v to $app',
    [],
  ],
  ['a view the role may not read', 'create view v as select * from note', []],
  [
    'a materialized view',
    'create materialized view v as select * from note; grant select on v to $app',
    ['MATERIALIZED_VIEW v'],
  ],
  ['a unique value', 'create unique index u on note (text)', ['UNIQUE_WITHOUT_TENANT note u']],
  [
    'a unique value that only covers the tenant',
    'create unique index u on note (text) include (tenant_id)',
    ['UNIQUE_WITHOUT_TENANT note u'],
  ],
  [
    'a primary key that clients choose',
    'alter table note alter id drop identity',
    ['UNIQUE_WITHOUT_TENANT note note_pkey'],
  ],
  [
    'a primary key of UUIDs',
    'alter table note drop id, add id uuid primary key default gen_random_uuid()',
    [],
  ],
  ['a value unique to a tenant', 'create unique index u on note (tenant_id, text)', []],
  [
    'a foreign key',
    'alter table note add parent int constraint f references note (id)',
    ['FOREIGN_KEY_WITHOUT_TENANT note f'],
  ],
  [
    'a foreign key of a tenant',
    'create unique index u on note (tenant_id, id); alter table note add parent int, add constraint f foreign key (tenant_id, parent) references note (tenant_id, id)',
    [],
  ],
  [
    'a foreign key to what all share',
    'create table country (id int primary key); alter table note add country int references country',
    [],
  ],
  ['the right to TRUNCATE', 'grant truncate on note to $app', ['TRUNCATE_PRIVILEGE note']],
  [
    'a second table',
    'create table memo (tenant_id text); grant select on memo to $app',
    ['RLS_DISABLED memo'],
  ],
  [
    'a partition that is open beside its table',
    `create table log (tenant_id text) partition by list (tenant_id); create table log_a partition of log for values in ('a'); grant select on log_a to $app`,
    ['RLS_DISABLED log_a'],
  ],
  ['a table the role may not use', 'create table memo (tenant_id text)', []],
  ['no index', 'drop index by_tenant', ['INDEX_WITHOUT_TENANT note']],
  [
    'an index that begins with another column',
    'drop index by_tenant; create index on note (text, tenant_id)',
    ['INDEX_WITHOUT_TENANT note'],
  ],
  [
    'an index of some rows',
    `drop index by_tenant; create index on note (tenant_id) where text <> ''`,
    ['INDEX_WITHOUT_TENANT note'],
  ],
  [
    'a primary key that begins with the tenant',
    'drop index by_tenant; alter table note drop constraint note_pkey, add primary key (tenant_id, id)',
    [],
  ],
  [
    'a table that is divided by the tenant',
    `create table log (tenant_id text) partition by list (tenant_id); create table log_a partition of log for values in ('a');
     do $$ declare name text; begin foreach name in array array['log', 'log_a'] loop execute
       format('alter table %1$I enable row level security; create policy p on %1$I using ${OWN.replaceAll("'", "''")}', name);
     end loop; end $$; grant select on log, log_a to $app`,
    [],
  ],
  [
    'a serial column without its sequence',
    'alter table note add n serial',
    ['SEQUENCE_PRIVILEGE note note_n_seq'],
  ],
  [
    'a serial column of a table that the role only reads',
    'alter table note add n serial; revoke insert on note from $app',
    [],
  ],
  [
    'a sequence that several tables use',
    `create sequence "Numbers"; alter table note add n int default nextval('"Numbers"')`,
    ['SEQUENCE_PRIVILEGE note "Numbers"'],
  ],
  ['a sequence it may use', 'alter table note add n serial; grant usage on note_n_seq to $app', []],
];

describe.each(databases)('the audit on $engine', ({ open }) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await database.exec(rlsSql([], { setConfig: 'revoked' }));
  });
  afterAll(() => database.close());

  const named = (text: string) =>
    text.replaceAll('$app', database.app).replaceAll('$owner', database.owner);
  let count = 0;
  /** A schema of its own with the table `note` as it should be. */
  async function schemaWith(sql: string): Promise<string> {
    const schema = `case_${count++}`;
    const { app, owner } = database;
    await database.exec(`
      create schema ${schema}; grant usage, create on schema ${schema} to ${owner};
      grant usage on schema ${schema} to ${app};
      set search_path = ${schema}; set role ${owner};
      create table note (id int generated always as identity primary key, tenant_id text not null, text text);
      create index by_tenant on note (tenant_id);
      ${rlsSql([`${schema}.note`], { grantTo: app })}
      reset role;
      insert into note (tenant_id, text) values ('a', 'A1'), ('b', 'B1');
      ${named(sql)};
      reset search_path`);
    return schema;
  }
  async function audit(role: string | undefined, options: RlsAuditOptions): Promise<RlsFinding[]> {
    return auditRls((sql, params) => database.ask(role, sql, params), options);
  }
  const listOf = (findings: readonly RlsFinding[], schema: string) =>
    findings.map(({ code, subject }) => `${code} ${subject.replaceAll(`${schema}.`, '')}`);

  it.each(cases)('reports %s', async (_, sql, expected) => {
    const schema = await schemaWith(sql);
    try {
      const findings = await audit(database.app, { schema });
      expect(listOf(findings, schema)).toEqual(expected.map(named));
    } finally {
      await database.exec(named(`alter role $app nobypassrls; revoke $owner from $app`));
    }
  });

  it('reports a superuser', async () => {
    const schema = await schemaWith('');
    const findings = listOf(await audit(undefined, { schema }), schema);
    expect(findings).toEqual(['SUPERUSER postgres', 'TRUNCATE_PRIVILEGE note']);
  });

  // What the findings warn of does happen.
  it('is right about owners, views and gaps', async () => {
    const schema = await schemaWith(
      `alter table note no force row level security; create view v as select * from note; grant select on v to $app; ${DROP}
       create policy p on note for select using ${OWN}; create policy q on note for insert with check (true)`,
    );
    const both = [{ text: 'A1' }, { text: 'B1' }];
    const { app, owner } = database;
    expect(await database.ask(app, `select text from ${schema}.note`)).toEqual([]);
    expect(await database.ask(owner, `select text from ${schema}.note order by 1`)).toEqual(both);
    expect(await database.ask(app, `select text from ${schema}.v order by 1`)).toEqual(both);
    await database.ask(app, `insert into ${schema}.note (tenant_id, text) values ('b', 'B2')`);
    expect(await database.ask(owner, `select text from ${schema}.note order by 1`)).toHaveLength(3);
    expect(listOf(await audit(owner, { schema }), schema)).toContain('OWNER_WITHOUT_FORCE note');
  });

  it('reports named tables that are missing or not visible', async () => {
    const schema = await schemaWith('create table memo (id int); grant select on memo to $app');
    const named = await audit(database.app, { schema, tables: ['note', 'memo', 'other.note'] });
    expect(named.map(({ code, subject }) => `${code} ${subject}`)).toEqual([
      'TABLE_NOT_FOUND other.note',
      `COLUMN_NOT_FOUND ${schema}.memo`,
      `RLS_DISABLED ${schema}.memo`,
    ]);
    const nothing = await audit(database.app, { schema: 'nowhere' });
    expect(nothing).toMatchObject([{ code: 'NO_TABLES', subject: 'nowhere', severity: 'error' }]);
    expect(listOf(await audit(database.app, { schema, column: 'id' }), schema)).toContain(
      'POLICY_WITHOUT_TENANT note tenant_isolation',
    );
  });

  it('ignores accepted findings', async () => {
    const schema = await schemaWith(
      'create unique index u on note (text); create policy p on note using (true)',
    );
    const accept = [`UNIQUE_WITHOUT_TENANT ${schema}.note ${schema}.u`];
    const findings = await audit(database.app, { schema, accept });
    expect(listOf(findings, schema)).toEqual(['POLICY_WITHOUT_TENANT note p']);
  });

  it('gives cures that work', async () => {
    const schema = await schemaWith(`alter table note no force row level security;
      grant truncate on note to $app; create policy "p ""1" on note using (true); grant $owner to $app`);
    const findings = await audit(database.app, { schema });
    const sql = findings.map(({ cure }) => cure.replace(/Run the SQL.*/, '')).join('\n');
    expect(sql).toMatch(/FORCE[^]*REVOKE[^]*DROP POLICY/);
    await database.exec(`${named('revoke $owner from $app')}; ${sql}`);
    expect(await audit(database.app, { schema })).toEqual([]);
  });

  it('supports custom names, types and schemas', async () => {
    const schema = await schemaWith(
      `create table "Odd ""one" ("Org" uuid primary key); ${rlsSql([`case_${count}.Odd "one`], { column: 'Org', type: 'uuid', setting: 'my.org', policy: "o'clock", grantTo: database.app })}
       insert into "Odd ""one" values ('00000000-0000-4000-8000-000000000001')`,
    );
    const options = { schema, column: 'Org', setting: 'my.org' };
    expect(await audit(database.app, options)).toEqual([]);
    expect(await database.ask(database.app, `select 1 from ${schema}."Odd ""one"`)).toEqual([]);
  });
});
