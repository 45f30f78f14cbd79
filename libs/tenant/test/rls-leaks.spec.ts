// Each way past the policies first shows a row of another tenant, and then is found by the audit.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { auditRls, pgQuery, rlsSql } from '@fledge/tenant/rls';
import { isInTier } from '../../../test/support/engines.js';
import { type Database, databases, openPostgres } from './rls/databases.js';
import { createNotes } from './rls/notes.js';

/** What the administrator did, by what the tenant a then sees a row of b, and the finding that says so. */
interface Leak {
  readonly title: string;
  readonly sql: string;
  /** One statement, or several of a connection: the last one shows the text of all notes. */
  readonly leak: string;
  readonly findings: string[];
  /** Undoes what outlives the table. */
  readonly undo?: string;
}

const BOTH = [{ text: 'A1' }, { text: 'B1' }];
const SETTING = `current_setting('app.tenant_id', true)`;

const leaks: Leak[] = [
  {
    title: 'a view over a table the role has no right on',
    sql: 'create view v as select text from note; grant select on v to $app; revoke all on note from $app; create table mine (tenant_id text primary key); $rls(mine)',
    leak: 'select text from v',
    findings: ['VIEW_WITHOUT_SECURITY_INVOKER public.v'],
    undo: 'drop table mine',
  },
  {
    title: 'a view of which the role may read one column',
    sql: 'create view v as select text from note; grant select (text) on v to $app',
    leak: 'select text from v',
    findings: ['VIEW_WITHOUT_SECURITY_INVOKER public.v'],
  },
  {
    title: 'a materialized view behind a view',
    sql: 'create materialized view m as select text from note; create view v as select text from m; grant select on v to $app; alter view v owner to $owner; grant select on m to $owner',
    leak: 'select text from v',
    findings: ['VIEW_WITHOUT_SECURITY_INVOKER public.v'],
  },
  {
    title: 'a materialized view of one column',
    sql: 'create materialized view m as select text from note; grant select (text) on m to $app',
    leak: 'select text from m',
    findings: ['MATERIALIZED_VIEW public.m'],
  },
  {
    title: 'a good view over one of a superuser',
    sql: 'create view inner_v as select text from note; grant select on inner_v to $owner; create view v as select text from inner_v; alter view v owner to $owner; grant select on v to $app',
    leak: 'select text from v',
    findings: ['VIEW_WITHOUT_SECURITY_INVOKER public.v'],
  },
  {
    title: 'a view whose owner has a policy that shows all rows',
    sql: 'create policy all_rows on note to $owner using (true); create view v as select text from note; alter view v owner to $owner; grant select on v to $app',
    leak: 'select text from v',
    findings: ['VIEW_WITHOUT_SECURITY_INVOKER public.v'],
  },
  {
    title: 'a role with BYPASSRLS, joined without inheriting',
    sql: 'alter role $app noinherit; alter role $other bypassrls; grant select on note to $other; grant $other to $app',
    leak: 'set role $other; select text from note',
    findings: ['ROLE_ESCAPES $app $other'],
    undo: 'revoke $other from $app; alter role $app inherit; alter role $other nobypassrls',
  },
  {
    title: 'the owner of a table without FORCE, joined without inheriting',
    sql: 'alter role $app noinherit; alter table note no force row level security; grant $owner to $app',
    leak: 'set role $owner; select text from note',
    findings: ['ROLE_ESCAPES $app $owner'],
    undo: 'revoke $owner from $app; alter role $app inherit',
  },
  {
    title: 'the owner of a table with FORCE',
    sql: 'grant $owner to $app',
    leak: 'begin; alter table note no force row level security; select text from note',
    findings: ['OWNS_TABLES $app $owner'],
    undo: 'revoke $owner from $app',
  },
  {
    title: 'a policy of a role that was joined without inheriting',
    sql: 'alter role $app noinherit; grant select on note to $other; create policy q on note to $other using (true); grant $other to $app',
    leak: 'set role $other; select text from note',
    findings: ['POLICY_WITHOUT_TENANT public.note q'],
    undo: 'revoke $other from $app; alter role $app inherit',
  },
  {
    title: 'a partition in another schema',
    sql: `create schema parts; grant usage on schema parts to $app;
      create table log (tenant_id text, text text) partition by list (tenant_id); $rls(log)
      create table parts.log_b partition of log for values in ('b'); insert into log values ('b', 'B1'), ('b', 'A1');
      grant select on parts.log_b to $app`,
    leak: 'select text from parts.log_b',
    findings: ['RLS_DISABLED parts.log_b'],
    undo: 'drop table log; drop schema parts',
  },
  {
    title: 'a parent whose policies are not those of its child',
    sql: 'create table base (text text); grant select on base to $app; alter table note inherit base',
    leak: 'select text from base',
    findings: ['COLUMN_NOT_FOUND public.base', 'RLS_DISABLED public.base'],
    undo: 'drop table base',
  },
  {
    title: 'a rule of a table whose owner is a superuser',
    sql: 'alter table note owner to postgres; create rule r as on delete to note do instead select text from note',
    leak: 'delete from note',
    findings: ['RULE public.note r'],
  },
  {
    title: 'a rule of another table',
    sql: 'create table box (id int); grant insert on box to $app; create rule r as on insert to box do instead select text from note',
    leak: 'insert into box values (1)',
    findings: ['RULE public.box r'],
    undo: 'drop table box',
  },
  {
    title: 'a function with SECURITY DEFINER',
    sql: `create function f() returns setof text security definer language sql as 'select text from note'`,
    leak: 'select f() as text',
    findings: ['SECURITY_DEFINER f()'],
    undo: 'drop function if exists f()',
  },
  {
    title: 'a function with SECURITY DEFINER, of an owner with a policy that shows all rows',
    sql: `create policy all_rows on note to $owner using (true);
      create function f() returns setof text security definer language sql begin atomic select text from note; end;
      alter function f() owner to $owner`,
    leak: 'select f() as text',
    findings: ['SECURITY_DEFINER f()'],
    undo: 'drop function if exists f()',
  },
  ...[
    ['view', 'create view v as select f as text from hid.f(); grant select on v to $app', 'v'],
    [
      'function',
      'create function w() returns setof text language sql begin atomic select hid.f(); end',
      'w() w(text)',
    ],
  ].map(([title, sql, from]) => ({
    title: `a function in a schema that the role cannot use, called by a ${title}`,
    sql: `create schema hid; create function hid.f() returns setof text security definer language sql as 'select text from note'; ${sql}`,
    leak: `select text from ${from}`,
    findings: ['SECURITY_DEFINER hid.f()'],
    undo: 'drop schema hid cascade',
  })),
  {
    title: 'the function of an operator, in a schema that the role cannot use',
    sql: `create schema hid; create function hid.f(int, int) returns text[] security definer language sql as 'select array_agg(text order by text) from note';
      create operator @@@ (leftarg = int, rightarg = int, function = hid.f)`,
    leak: 'select unnest(1 @@@ 2) as text',
    findings: ['SECURITY_DEFINER hid.f(integer,integer)'],
    undo: 'drop schema hid cascade',
  },
  {
    title: 'the trigger of another table, whose function the role cannot execute',
    sql: `create function f() returns trigger security definer language plpgsql as 'begin new.x := array(select text from note order by 1); return new; end';
      revoke all on function f() from public;
      create table box (x text[]); grant select, insert on box to $app;
      create trigger t before insert on box for each row execute function f()`,
    leak: 'insert into box values (null); select unnest(x) as text from box',
    findings: ['SECURITY_DEFINER f()'],
    undo: 'drop table box; drop function f()',
  },
  {
    title: 'an aggregate, whose function the role cannot execute',
    sql: `create function f(text[], int) returns text[] security definer language sql as 'select array_agg(text order by text) from note';
      revoke all on function f(text[], int) from public;
      create aggregate ag(int) (sfunc = f, stype = text[])`,
    leak: 'select unnest(ag(1)) as text',
    findings: ['SECURITY_DEFINER f(text[],integer)'],
    undo: 'drop aggregate ag(int); drop function f(text[], int)',
  },
  ...[
    [`tenant_id = coalesce(nullif(${SETTING}, ''), tenant_id)`, ''],
    [`case when ${SETTING} = 'a' then true else tenant_id = ${SETTING} end`, 'a'],
    [`tenant_id >= ${SETTING}`, 'a'],
    [`tenant_id = any (string_to_array(${SETTING}, ','))`, 'a,b'],
  ].map(([using, tenant]) => ({
    title: `the policy ${using}`,
    sql: `drop policy tenant_isolation on note; create policy p on note using (${using})`,
    leak: `set app.tenant_id = '${tenant}'; select text from note`,
    findings: ['POLICY_UNRECOGNIZED public.note p'],
  })),
];

describe.each(databases)('ways past the policies on $engine', ({ engine, open }) => {
  let database: Database;
  const other = 'fledge_other';
  beforeAll(async () => {
    database = await open();
    await database.exec(`create role ${other}_${database.app}`);
  });
  afterAll(async () => {
    await database.exec(`drop role ${other}_${database.app}`);
    await database.close();
  });
  beforeEach(() => createNotes(database));
  afterEach(() => database.exec('drop table note cascade'));

  const named = (text: string) =>
    text
      .replaceAll('$app', database.app)
      .replaceAll('$owner', database.owner)
      .replaceAll('$other', `${other}_${database.app}`)
      .replace(/\$rls\((\w+)\)/, (_, table: string) =>
        rlsSql([table], { grantTo: database.app }).replaceAll('\n', ' '),
      );
  const audit = async () => {
    const findings = await auditRls((sql, params) => database.ask(database.app, sql, params));
    return findings
      .map(({ code, subject }) => `${code} ${subject}`)
      .filter((line) => !/^(SET_CONFIG_ALLOWED|TRUNCATE_PRIVILEGE)/.test(line));
  };

  it('start from a table that shows a tenant its own rows', async () => {
    expect(await database.asApp(`set app.tenant_id = 'a'; select text from note`)).toEqual([
      { text: 'A1' },
    ]);
    expect(await audit()).toEqual([]);
  });

  it.each(leaks)('lead through $title', async ({ sql, leak, findings, undo }) => {
    await database.exec(named(sql));
    try {
      const rows = await database.asApp(named(`set app.tenant_id = 'a'; ${leak}`));
      expect(rows.map(({ text }) => text).toSorted()).toEqual(['A1', 'B1']);
      expect(await audit()).toEqual(findings.map(named));
    } finally {
      await database.exec(named(`drop table note cascade; ${undo ?? ''}; create table note ()`));
    }
  });

  it('lead through exclusion constraints, by which an insert tells of the rows of others', async () => {
    await database.exec('alter table note add constraint x exclude using btree (text with =)');
    const taken = `set app.tenant_id = 'a'; insert into note (tenant_id, text) values ('a', 'B1')`;
    await expect(database.asApp(taken)).rejects.toMatchObject({ code: '23P01' });
    expect(await audit()).toEqual(['EXCLUSION_WITHOUT_TENANT public.note x']);
    await database.exec(
      'alter table note drop constraint x, add constraint x exclude using btree (tenant_id with =, text with =)',
    );
    expect(await audit()).toEqual([]);
    await database.asApp(taken);
  });

  it('are roles that may make themselves members of others, or read the log of changes', async () => {
    await database.exec(named('alter role $app createrole'));
    expect(await audit()).toEqual([named('ROLE_ESCAPES $app')]);
    await database.exec(named('alter role $app nocreaterole replication'));
    expect(await audit()).toEqual([named('ROLE_ESCAPES $app')]);
    await database.exec(named('alter role $app noreplication; grant pg_read_server_files to $app'));
    expect(await audit()).toEqual([named('ROLE_ESCAPES $app pg_read_server_files')]);
    await database.exec(named('revoke pg_read_server_files from $app'));
    expect(await audit()).toEqual([]);
  });

  it('are functions that may read anything, and rules that may', async () => {
    await database.exec(
      named(`create function f() returns int security definer language sql as 'select 1';
      create function g() returns int security definer language sql as 'select count(*)::int from note';
      revoke execute on function g() from public;
      create rule r as on delete to note do also nothing`),
    );
    expect(await audit()).toEqual(['RULE public.note r', 'SECURITY_DEFINER f()']);
    await database.exec('drop function f(); drop function g()');
  });

  it('lead through foreign tables, which have no policies', async () => {
    const wrapper = engine === 'PGlite' ? 'w' : 'postgres_fdw';
    await database.exec(
      engine === 'PGlite'
        ? 'create foreign data wrapper w; create server s foreign data wrapper w'
        : `create extension postgres_fdw; create server s foreign data wrapper postgres_fdw
            options (dbname '${new URL(database.engine.url as string).pathname.slice(1)}');
          create user mapping for public server s options (user 'postgres', password_required 'false')`,
    );
    await database.exec(
      named(
        `create foreign table far (tenant_id text, text text) server s ${wrapper === 'w' ? '' : `options (table_name 'note')`}; grant select on far to $app`,
      ),
    );
    if (engine === 'PostgreSQL') {
      expect(await database.asApp('select text from far order by 1')).toEqual(BOTH);
    }
    expect(await audit()).toEqual(['FOREIGN_TABLE public.far']);
    await database.exec(
      `drop foreign data wrapper ${wrapper} cascade`.replace(
        'foreign data wrapper postgres_fdw',
        'extension postgres_fdw',
      ),
    );
  });

  it('lead through a function that sets the tenant', async () => {
    const body = `returns setof text language sql as 'select text from note'`;
    await database.exec(`create function f(int) ${body}; alter function f set app.tenant_id = 'b'`);
    const rows = await database.asApp(`set app.tenant_id = 'a'; select f(1) as text`);
    expect(rows).toEqual([{ text: 'B1' }]);
    expect(await audit()).toEqual(['TENANT_PRESET function f(integer)']);
    await database.exec(`alter function f set app.tenant_id = ''`);
    expect(await audit()).toEqual([]);
    await database.exec(
      `alter function f set app.tenant_id = 'b'; revoke execute on function f from public`,
    );
    expect(await audit()).toEqual([]);
    await database.exec('drop function f');
  });

  it.each(['role $app', 'database $database'])('lead through a setting of %s', async (what) => {
    const place = named(what).replace('$database', database.name);
    await database.exec(`alter ${place} set app.tenant_id = 'b'`);
    // A session that begins later has it, PGlite's only one does not.
    if (engine === 'PostgreSQL') {
      expect(await database.asApp('select text from note')).toEqual([{ text: 'B1' }]);
    }
    const session = engine === 'PostgreSQL' ? ['TENANT_PRESET session'] : [];
    expect(await audit()).toEqual([`TENANT_PRESET ${place}`, ...session]);
    await database.exec(`alter ${place} set app.tenant_id = ''`);
    expect(await audit()).toEqual([]);
    await database.exec(`alter ${place} reset app.tenant_id`);
  });
});

// PGlite has neither ICU nor citext.
const describeOnPostgres = isInTier('PostgreSQL') ? describe : () => undefined;
describeOnPostgres('columns that read two tenants as one, on PostgreSQL', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openPostgres();
    await createNotes(database);
  });
  afterEach(() => database.close());

  it.each([
    ['a collation', 'text collate ci'],
    ['citext', 'citext'],
    ['a domain over citext', 'loose'],
    ['a domain with a collation', 'looser'],
  ])('are found: %s', async (_, type) => {
    await database.exec(`create extension citext;
      create collation ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      create domain loose as citext; create domain looser as text collate ci;
      drop policy tenant_isolation on note; alter table note alter tenant_id type ${type};
      update note set tenant_id = 'A' where text = 'B1';
      create policy tenant_isolation on note using (tenant_id = (nullif(${SETTING}, '')${type.includes('collate') || type === 'looser' ? '' : '::citext'}))`);
    const rows = await database.asApp(`set app.tenant_id = 'a'; select text from note order by 1`);
    expect(rows).toEqual(BOTH);
    const findings = await auditRls((sql, params) => database.ask(database.app, sql, params));
    const codes = findings.map(({ code, subject }) => `${code} ${subject}`);
    expect(codes).toContain('COLUMN_IGNORES_CASE public.note');
  });

  it('are not columns with another collation or type', async () => {
    await database.exec(`create domain strict as text; drop policy tenant_isolation on note;
      alter table note alter tenant_id type strict collate "C"; ${rlsSql(['note'])}`);
    const findings = await auditRls((sql, params) => database.ask(database.app, sql, params));
    expect(findings.map(({ code }) => code)).not.toContain('COLUMN_IGNORES_CASE');
  });
});

// PGlite has one session.
const itOnPostgres = isInTier('PostgreSQL') ? it : () => undefined;
itOnPostgres('a session that began as a superuser leads past the policies', async () => {
  const database = await openPostgres();
  await createNotes(database);
  const session = new pg.Client({ connectionString: database.superuserUrl });
  await session.connect();
  await session.query(`set role ${database.app}`);
  const findings = await auditRls(pgQuery(session));
  const listed = findings.map(({ code, subject }) => `${code} ${subject}`);
  expect(listed).toContain(`ROLE_ESCAPES ${database.app} postgres`);
  expect((await session.query('select text from note')).rows).toEqual([]);
  await session.query('reset role');
  expect((await session.query('select text from note order by 1')).rows).toEqual(BOTH);
  await session.end();
  await database.close();
});

describe.each(databases)('injected SQL on $engine', ({ open }) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await createNotes(database);
  });
  afterAll(() => database.close());
  // What a careless application makes of a search text, in a transaction of the tenant a.
  const search = (text: string) =>
    database.asApp(
      `begin; set local app.tenant_id = 'a'; select text from note where text = '${text}'`,
    );
  const codes = async () =>
    (await auditRls((sql, params) => database.ask(database.app, sql, params))).map(
      ({ code }) => code,
    );

  it('reads the tenant once for a statement, before a condition could change it', async () => {
    const text = `' or set_config('app.tenant_id', 'b', true) = '' or text = 'B1`;
    expect(await search(text)).toEqual([]);
  });

  it('changes the tenant by set_config until that is revoked', async () => {
    const text = `' union (with x as materialized (select set_config('app.tenant_id', 'b', true) as y) select text from x, note where y <> '') union select '`;
    await database.exec('grant execute on function set_config to public');
    expect(await search(text)).toContainEqual({ text: 'B1' });
    expect(await codes()).toEqual(['SET_CONFIG_ALLOWED']);

    await database.exec(rlsSql([], { setConfig: 'revoked', grantTo: database.app }));
    await expect(search(text)).rejects.toMatchObject({ code: '42501' });
    expect(await codes()).toEqual([]);
  });

  it('finds no other way inside one statement', async () => {
    const asXml = `' or query_to_xml('set app.tenant_id = ''b''', true, true, '') is null or text = '`;
    await expect(search(asXml)).rejects.toThrow();
    const bySettings = `update pg_settings set setting = 'b' where name = 'app.tenant_id'`;
    await expect(database.asApp(bySettings)).rejects.toMatchObject({ code: '42501' });
  });

  it('still changes the tenant where several statements are sent as one', async () => {
    const stacked = `'; set local app.tenant_id = 'b'; select text from note where text <> '`;
    expect(await search(stacked)).toEqual([{ text: 'B1' }]);
  });
});
