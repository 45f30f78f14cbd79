// Needs MariaDB.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Connection,
  createConnection,
  createPool,
  type Pool,
  type PoolConnection,
} from 'mysql2/promise';
import { type Tenancy, TenantContextMissingError, TenantOptionError } from '@fledge/tenant';
import { auditMariadb, mariadbSql, withTenantConnection } from '@fledge/tenant/mariadb';
import { closeAll } from '../../../../test/support/platforms.js';
import { startTenancy } from '../engines/tenancy.js';

const id = randomBytes(5).toString('hex');
const DATABASES = { tablesIn: `fledge_rows_${id}`, viewsIn: `fledge_app_${id}` };
const { tablesIn, viewsIn } = DATABASES;
const user = `fledge_${id}`;
const account = `'${user}'@'%'`;

let tenancy: Tenancy;
let owner: Connection;
let pool: Pool;
beforeAll(async () => {
  tenancy = await startTenancy();

  const url = new URL(process.env['MARIADB_URL'] ?? 'mysql://root@127.0.0.1:3306/test');
  owner = await createConnection({ uri: url.href });
  await owner.query(`create database ${tablesIn}`);
  await owner.query(`create database ${viewsIn}`);
  await owner.query(`create user ${account} identified by '${id}'`);
  // With the usual collation, for which 'a', 'A' and 'a ' are one.
  await owner.query(`create table ${tablesIn}.note (id int auto_increment primary key,
    tenant_id varchar(64) character set utf8mb4 collate utf8mb4_general_ci not null, text varchar(50), key (tenant_id))`);
  const options = { ...DATABASES, columnDefault: 'tenant', grantTo: { user } } as const;
  // Twice, because migrations may run them again.
  for (const sql of [...mariadbSql(['note'], options), ...mariadbSql(['note'], options)]) {
    await owner.query(sql);
  }
  [url.username, url.password, url.pathname] = [user, id, `/${viewsIn}`];
  pool = createPool({ uri: url.href, connectionLimit: 2 });
});
beforeEach(async () => {
  await owner.query(`delete from ${tablesIn}.note`);
  await owner.query(`insert into ${tablesIn}.note (id, tenant_id, text)
    values (1, 'a', 'A1'), (2, 'b', 'B1'), (3, 'A', 'upper'), (4, 'a ', 'space')`);
});
afterAll(async () => {
  await pool.end();
  await owner.query(`drop user ${account}`);
  await owner.query(`drop database ${viewsIn}`);
  await owner.query(`drop database ${tablesIn}`);
  await owner.end();
  await closeAll();
});

const rowsOf = async (on: Pick<Connection, 'query'>, sql: string) =>
  (await on.query(sql))[0] as Record<string, unknown>[];
const textsOn = async (on: Pick<Connection, 'query'>) =>
  (await rowsOf(on, 'select text from note order by id')).map(({ text }) => text);
const withConnection = <R>(tenant: string, run: (connection: PoolConnection) => R) =>
  tenancy.run({ tenantId: tenant }, () => withTenantConnection(pool, run));
const texts = (tenant: string) => withConnection(tenant, textsOn);
const failure = (tenant: string, sql: string) =>
  withConnection(tenant, (connection) => connection.query(sql)).then(
    () => 'no failure',
    (error: unknown) => (error as { code: string }).code,
  );
const stored = async () =>
  (
    await rowsOf(
      owner,
      `select concat(tenant_id, ' ', text) as row from ${tablesIn}.note order by id`,
    )
  ).map(({ row }) => row);
const UNTOUCHED = ['a A1', 'b B1', 'A upper', 'a  space'];

describe('the views of mariadbSql()', () => {
  it('show the rows of the tenant, told apart to the byte', async () => {
    expect(await texts('a')).toEqual(['A1']);
    expect(await texts('A')).toEqual(['upper']);
    expect(await texts('a ')).toEqual(['space']);
    expect(await texts('b')).toEqual(['B1']);
    expect(await texts("a' or '1'='1")).toEqual([]);
    expect(await texts('ø😀\\')).toEqual([]);
  });

  it('show no rows without a tenant, and to central code', async () => {
    expect(await textsOn(pool)).toEqual([]);
    const central = () => withTenantConnection(pool, textsOn);
    expect(await tenancy.runCentral('report', central)).toEqual([]);
    await expect(central()).rejects.toThrow(TenantContextMissingError);
    await expect(
      pool.query(`insert into note (tenant_id, text) values ('a', 'x')`),
    ).rejects.toThrow('CHECK OPTION failed');
  });

  it('fill in the tenant, and use the index of the column', async () => {
    await withConnection('a', (on) => on.query(`insert into note (text) values ('A2')`));
    expect(await texts('a')).toEqual(['A1', 'A2']);
    await owner.query(
      `insert into ${tablesIn}.note (tenant_id, text) select concat('t', seq % 200), seq from seq_1_to_4000`,
    );
    await owner.query(`analyze table ${tablesIn}.note`);
    await owner.query(`set @tenant_id = 't1'`);
    const [plan] = await rowsOf(owner, `explain select * from ${viewsIn}.note`);
    await owner.query('set @tenant_id = null');
    expect(plan).toMatchObject({ type: 'ref', key: 'tenant_id' });
  });

  it.each([
    [`insert into note (tenant_id, text) values ('b', 'x')`, 'ER_VIEW_CHECK_FAILED'],
    [`insert ignore into note (tenant_id, text) values ('b', 'x')`, 'ER_VIEW_CHECK_FAILED'],
    [`update note set tenant_id = 'b'`, 'ER_VIEW_CHECK_FAILED'],
    [`update note set tenant_id = 'A'`, 'ER_VIEW_CHECK_FAILED'],
    [`update note set text = 'x' where id = 2`, 'no failure'],
    [`delete from note where tenant_id <> 'a' or id = 2`, 'no failure'],
    [`replace into note (id, text) values (2, 'x')`, 'ER_SIGNAL_EXCEPTION'],
    [
      `insert into note (id, text) values (2, 'x') on duplicate key update text = 'x'`,
      'ER_SIGNAL_EXCEPTION',
    ],
    [
      `insert into note (id, tenant_id, text) values (2, 'a', 'stolen')
        on duplicate key update tenant_id = values(tenant_id), text = values(text)`,
      'ER_SIGNAL_EXCEPTION',
    ],
    [
      `insert into note (id, text) values (2, 'y') on duplicate key update tenant_id = values(tenant_id)`,
      'ER_SIGNAL_EXCEPTION',
    ],
    [
      `insert ignore into note (id, text) values (2, 'y')
        on duplicate key update tenant_id = values(tenant_id)`,
      'ER_SIGNAL_EXCEPTION',
    ],
    [
      `insert into note (id, tenant_id, text) select 2, tenant_id, text from note
        on duplicate key update tenant_id = 'a'`,
      'ER_SIGNAL_EXCEPTION',
    ],
    [`insert ignore into note (id, text) values (2, 'x')`, 'no failure'],
    [`replace into note (id, tenant_id, text) values (2, 'a', 'x')`, 'ER_SIGNAL_EXCEPTION'],
    [
      `replace into note (id, tenant_id, text) select 4, 'a', text from note`,
      'ER_SIGNAL_EXCEPTION',
    ],
    [`update ignore note set tenant_id = 'b'`, 'no failure'],
    [`update note n join note m on m.id <> n.id set n.tenant_id = 'a', n.text = 'x'`, 'no failure'],
    [`insert into note (id, text) values (2, 'x')`, 'ER_DUP_ENTRY'],
    [`select * from ${tablesIn}.note`, 'ER_TABLEACCESS_DENIED_ERROR'],
    [`select ${tablesIn}.fledge_tenant_id()`, 'ER_PROCACCESS_DENIED_ERROR'],
    [`truncate note`, 'ER_TABLEACCESS_DENIED_ERROR'],
    [`explain select * from note`, 'ER_VIEW_NO_EXPLAIN'],
    [`handler note open`, 'ER_WRONG_OBJECT'],
    [`create view mine as select * from note`, 'ER_TABLEACCESS_DENIED_ERROR'],
  ])('leave rows of other tenants as they are: %s', async (sql, code) => {
    expect(await failure('a', sql)).toBe(code);
    expect(await stored()).toEqual(UNTOUCHED);
  });

  it('let a tenant update and replace its own rows', async () => {
    await withConnection('a', async (on) => {
      await on.query(`update note set text = 'A2'`);
      await on.query(`insert into note (id, text) values (1, 'A3')
        on duplicate key update tenant_id = values(tenant_id), text = values(text)`);
    });
    expect(await texts('a')).toEqual(['A3']);
    await withConnection('a', (on) => on.query(`replace into note (id, text) values (1, 'A4')`));
    expect(await texts('a')).toEqual(['A4']);
    expect(await texts('b')).toEqual(['B1']);
  });

  const UUID = '11111111-1111-4111-8111-111111111111';
  it.each([
    ['uuid', UUID],
    ['inet6', '::1'],
    ['bigint', '12'],
    ['varbinary(36)', 'é'],
    ['varchar(36) character set latin1', 'é'],
    ['varchar(36) character set ucs2', 'é'],
  ])('read and write rows of a column of type %s', async (type, tenant) => {
    await owner.query(
      `create table ${tablesIn}.typed (id int primary key, tenant_id ${type} not null, text text)`,
    );
    const options = { ...DATABASES, columnDefault: 'tenant', grantTo: { user } } as const;
    try {
      for (const sql of mariadbSql(['typed'], options)) await owner.query(sql);
      const changed = await withConnection(tenant, async (on) => {
        await on.query(`insert into typed (id, text) values (1, 'x')`);
        await on.query(`replace into typed (id, text) values (1, 'y')`);
        await on.query(`update typed set text = concat(text, 'z')`);
        return rowsOf(on, 'select text from typed');
      });
      expect(changed).toEqual([{ text: 'yz' }]);
      expect(await failure('13', `replace into typed (id) values (1)`)).not.toBe('no failure');
      const left = await rowsOf(owner, `select text from ${tablesIn}.typed`);
      expect(left).toEqual([{ text: 'yz' }]);
      const connection = await pool.getConnection();
      const findings = await auditMariadb((sql) => rowsOf(connection, sql), DATABASES);
      connection.destroy();
      expect(findings).toEqual([]);
    } finally {
      await owner.query(`drop view if exists ${viewsIn}.typed`);
      await owner.query(`drop table ${tablesIn}.typed`);
      await owner.query(`revoke all privileges on ${viewsIn}.typed from ${account}`);
    }
  });

  it('do not stop SQL that sets the variable', async () => {
    const injected = await withConnection('a', async (on) => {
      await on.query(`set @tenant_id = 'b'`);
      return textsOn(on);
    });
    expect(injected).toEqual(['B1']);
    expect(await texts('a')).toEqual(['A1']);
  });
});

describe('withTenantConnection()', () => {
  it('leaves no tenant, transaction or temporary table on the connection', async () => {
    const seen: (number | null)[] = [];
    const used = await Promise.all(
      ['a', 'b'].map((tenant) =>
        withConnection(tenant, async (on) => {
          seen.push(on.threadId);
          await on.beginTransaction();
          await on.query(`insert into note (text) values ('open')`);
          return textsOn(on);
        }),
      ),
    );
    expect(used).toEqual([
      ['A1', 'open'],
      ['B1', 'open'],
    ]);
    // Both connections of the pool, taken by hand.
    const connections = await Promise.all([pool.getConnection(), pool.getConnection()]);
    expect(connections.map(({ threadId }) => threadId).toSorted()).toEqual(seen.toSorted());
    for (const connection of connections) {
      expect(await rowsOf(connection, 'select @tenant_id as tenant')).toEqual([{ tenant: null }]);
      expect(await textsOn(connection)).toEqual([]);
      connection.release();
    }
    expect(await stored()).toEqual(UNTOUCHED);
  });

  it('gives 40 callers at once their rows, on 2 connections', async () => {
    const wanted = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'a' : 'b'));
    const answers = await Promise.all(wanted.map(texts));
    expect(answers.filter((it, i) => it.join() !== (wanted[i] === 'a' ? 'A1' : 'B1'))).toEqual([]);
  });

  it('releases the connection of a failed function, for the next tenant', async () => {
    for (let i = 0; i < 3; i++) {
      const failing = withConnection('a', async (on) => {
        await on.query(`insert into note (text) values ('undone')`);
        throw new Error('left');
      });
      await expect(failing).rejects.toThrow('left');
    }
    expect(await texts('b')).toEqual(['B1']);
  });

  it('closes a connection that was killed in the middle', async () => {
    const killed = withConnection('a', async (on) => {
      await on.beginTransaction();
      await on.query(`insert into note (text) values ('lost')`);
      await owner.query(`kill ${on.threadId}`);
      return textsOn(on);
    });
    await expect(killed).rejects.toThrow();
    expect(await Promise.all(['b', 'a', 'b'].map(texts))).toEqual([['B1'], ['A1'], ['B1']]);
    expect(await stored()).toEqual(UNTOUCHED);
  });

  it('shows why: the variable outlives rollback and release', async () => {
    const one = await pool.getConnection();
    await one.query(`set @tenant_id = 'a'`);
    await one.beginTransaction();
    await one.rollback();
    expect(await textsOn(one)).toEqual(['A1']);
    const { threadId } = one;
    one.release();
    const taken = await Promise.all([pool.getConnection(), pool.getConnection()]);
    const again = taken.find((connection) => connection.threadId === threadId) as PoolConnection;
    expect(await textsOn(again)).toEqual(['A1']);
    await again.reset();
    for (const connection of taken) connection.release();
  });
});

describe('auditMariadb()', () => {
  const codes = async () => {
    const connection = await pool.getConnection();
    const findings = await auditMariadb((sql) => rowsOf(connection, sql), DATABASES);
    connection.destroy();
    return findings.map(({ code, subject }) => `${code} ${subject}`);
  };
  const found = async (sql: string, undo: string) => {
    await owner.query(sql);
    try {
      return await codes();
    } finally {
      await owner.query(undo);
    }
  };
  const view = (body: string, more = '') =>
    `create or replace ${more} view ${viewsIn}.wide as ${body}`;
  const shown = `grant select, show view on ${viewsIn}.wide to ${account}`;
  const foundIn = async (create: string) => {
    await owner.query(create);
    await owner.query(shown);
    return found('do 0', `drop view ${viewsIn}.wide`).finally(() =>
      owner.query(`revoke all privileges on ${viewsIn}.wide from ${account}`),
    );
  };
  const wide = `${viewsIn}.wide`;

  it('finds nothing wrong with what mariadbSql() makes', async () => {
    expect(await codes()).toEqual([]);
  });

  it('finds views of an older version, whose tables lack a trigger', async () => {
    const statements = mariadbSql(['note'], DATABASES);
    const create = (name: string) => statements.find((sql) => sql.includes(name)) ?? '';
    const without = (name: string) =>
      found(`drop trigger ${tablesIn}.${name}`, create(`\`${name}\``));
    const missing = [`TRIGGER_MISSING ${viewsIn}.note`];
    expect(await without('fledge_update_note')).toEqual(missing);
    expect(await without('fledge_own_note')).toEqual(missing);
    const triggers = 'fledge_triggers';
    expect(await found(`drop view ${viewsIn}.${triggers}`, create(triggers))).toEqual(missing);
    const weak = `create or replace trigger ${tablesIn}.fledge_update_note before update
      on ${tablesIn}.note for each row set new.text = new.text`;
    expect(await found(weak, create('`fledge_update_note`'))).toEqual(missing);
    expect(await codes()).toEqual([]);
  });

  it('recognizes views and triggers without the conversion of the column', async () => {
    for (const sql of mariadbSql(['note'], DATABASES)) {
      await owner.query(sql.replace(/convert\((.+?) using utf8mb4\)/, '$1'));
    }
    expect(await codes()).toEqual([]);
    for (const sql of mariadbSql(['note'], DATABASES)) await owner.query(sql);
  });

  it('finds a view that reads rows of another table in a column', async () => {
    const create = mariadbSql(['note'], DATABASES).find((sql) =>
      sql.includes('`.`note` AS SELECT'),
    );
    const leaking = create!.replace('SELECT *', `SELECT *, ${tablesIn}.secrets() AS secrets`);
    await owner.query(`create table ${tablesIn}.secret (text text)`);
    await owner.query(`create function ${tablesIn}.secrets() returns text
      return (select group_concat(text) from ${tablesIn}.secret)`);
    expect(await found(leaking, create!)).toEqual([`VIEW_UNRECOGNIZED ${viewsIn}.note`]);
    await owner.query(`drop function ${tablesIn}.secrets`);
    await owner.query(`drop table ${tablesIn}.secret`);
  });

  it('finds nothing wrong with names that look like SQL, or differ only in case', async () => {
    const names = ['Note', 'join', 'a union `b`'];
    const rows = { tablesIn: `fledge ro\`ws_${id}`, viewsIn: `fledge ap'p_${id}` };
    const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``;
    await owner.query(`create database ${quoted(rows.tablesIn)}`);
    await owner.query(`create database ${quoted(rows.viewsIn)}`);
    for (const name of ['note', ...names]) {
      await owner.query(`create table ${quoted(rows.tablesIn)}.${quoted(name)}
        (id int primary key, tenant_id varchar(64) not null, \`union\` int)`);
    }
    const options = { ...rows, grantTo: { user } };
    for (const sql of mariadbSql(['note', ...names], options)) await owner.query(sql);
    const connection = await pool.getConnection();
    const findings = await auditMariadb((sql) => rowsOf(connection, sql), rows);
    connection.destroy();
    await owner.query(`drop database ${quoted(rows.viewsIn)}`);
    await owner.query(`drop database ${quoted(rows.tablesIn)}`);
    await owner.query(`revoke all privileges, grant option from ${account}`);
    for (const sql of mariadbSql(['note'], { ...DATABASES, grantTo: { user } }))
      await owner.query(sql);
    expect(findings.filter(({ subject }) => subject.startsWith(rows.viewsIn))).toEqual([]);
  });

  it('finds rights on the tables behind the views', async () => {
    const on = (what: string) =>
      found(`grant select on ${what} to ${account}`, `revoke select on ${what} from ${account}`);
    expect(await on(`${tablesIn}.note`)).toContain(`TABLE_PRIVILEGE ${user}@%`);
    expect(await on(`${tablesIn}.*`)).toContain(`TABLE_PRIVILEGE ${user}@%`);
    expect(await on('`fledge_rows\\_%`.*')).toContain(`TABLE_PRIVILEGE ${user}@%`);
    expect(await on('*.*')).toContain(`GLOBAL_PRIVILEGE ${user}@%`);
    const columns = `select (text) on ${tablesIn}.note`;
    expect(
      await found(`grant ${columns} to ${account}`, `revoke ${columns} from ${account}`),
    ).toContain(`TABLE_PRIVILEGE ${user}@%`);
    const create = `create view on ${viewsIn}.*`;
    expect(
      await found(`grant ${create} to ${account}`, `revoke ${create} from ${account}`),
    ).toEqual([`VIEW_PRIVILEGE ${user}@%`]);
  });

  it('finds views that show or take rows of other tenants', async () => {
    const where = `select * from ${tablesIn}.note where tenant_id = ${tablesIn}.fledge_tenant_id()`;
    expect(await foundIn(view(`select * from ${tablesIn}.note`))).toEqual([
      `VIEW_WITHOUT_CHECK ${wide}`,
      `VIEW_UNRECOGNIZED ${wide}`,
      `ROWS_WITHOUT_TENANT ${wide}`,
    ]);
    expect(await foundIn(view(`select text from ${tablesIn}.note`))).toContain(
      `ROWS_WITHOUT_TENANT ${wide}`,
    );
    expect(await foundIn(view(`${where} or id = 2 with cascaded check option`))).toContain(
      `VIEW_UNRECOGNIZED ${wide}`,
    );
    // It reads 'A' for 'a'.
    expect(await foundIn(view(`${where} with cascaded check option`))).toEqual([
      `VIEW_UNRECOGNIZED ${wide}`,
    ]);
    expect(
      await foundIn(view(`${where} with cascaded check option`, 'sql security invoker')),
    ).toContain(`VIEW_INVOKER ${wide}`);
  });

  it('finds views without the column whose definition it cannot read', async () => {
    const grant = `grant select on ${wide} to ${account}`;
    const revoke = `revoke all privileges on ${wide} from ${account}`;
    const texts = `select text from ${tablesIn}.note`;
    await owner.query(view(texts));
    expect(await found(grant, revoke)).toEqual([
      `VIEW_UNREADABLE ${wide}`,
      `ROWS_WITHOUT_TENANT ${wide}`,
    ]);
    await owner.query(`drop view ${wide}`);

    // Behind another view, on which the account has no right.
    const inner = `fledge_inner_${id}`;
    await owner.query(`create database ${inner}`);
    await owner.query(`create view ${inner}.texts as ${texts} where tenant_id <> ''`);
    expect(
      await foundIn(view(`select t.text from ${inner}.texts t join ${viewsIn}.note n`)),
    ).toEqual([`VIEW_UNREADABLE ${wide}`]);
    // A table of which no row belongs to a tenant, which the account may read.
    await owner.query(`create table ${inner}.country (name text)`);
    await owner.query(`grant select on ${inner}.country to ${account}`);
    expect(await foundIn(view(`select name from ${inner}.country`))).toEqual([]);
    await owner.query(`revoke select on ${inner}.country from ${account}`);
    await owner.query(`drop database ${inner}`);
  });

  it('finds tables in the place of views, and routines with other rights', async () => {
    await owner.query(`create table ${viewsIn}.wide (tenant_id varchar(10))`);
    await owner.query(`grant select on ${viewsIn}.wide to ${account}`);
    expect(await found('do 0', `drop table ${viewsIn}.wide`)).toContain(`NOT_A_VIEW ${wide}`);
    await owner.query(`revoke select on ${viewsIn}.wide from ${account}`);
    await owner.query(`create procedure ${viewsIn}.spy() select * from ${tablesIn}.note`);
    await owner.query(`grant execute on procedure ${viewsIn}.spy to ${account}`);
    expect(await found('do 0', `drop procedure ${viewsIn}.spy`)).toContain(
      `DEFINER_ROUTINE ${viewsIn}.spy`,
    );
  });

  it('finds a tenant that a connection starts with, and no views', async () => {
    const connection = await pool.getConnection();
    await connection.query(`set @tenant_id = 'a'`);
    const preset = await auditMariadb((sql) => rowsOf(connection, sql), DATABASES);
    expect(preset.map(({ code }) => code)).toEqual(['TENANT_PRESET', 'ROWS_WITHOUT_TENANT']);
    await connection.reset();
    const other = { ...DATABASES, viewsIn: 'test_of_nobody' };
    const none = await auditMariadb((sql) => rowsOf(connection, sql), other);
    expect(none.map(({ code }) => code)).toEqual(['NO_VIEWS']);
    connection.release();
  });
});

describe('mariadbSql()', () => {
  it('protects two tables whose long names start alike', async () => {
    const tables = ['a', 'b'].map((end) => `${'x'.repeat(62)}_${end}`);
    const options = { ...DATABASES, columnDefault: 'tenant', grantTo: { user } } as const;
    const statements = mariadbSql(tables, options);
    for (const name of tables) {
      await owner.query(
        `create table ${tablesIn}.${name} (id int primary key, tenant_id varchar(64) not null)`,
      );
    }
    // Twice, because migrations may run them again.
    for (const sql of [...statements, ...statements]) await owner.query(sql);
    for (const name of tables) {
      await owner.query(`insert into ${tablesIn}.${name} values (1, 'a')`);
      expect(await failure('b', `replace into ${name} (id) values (1)`)).toBe(
        'ER_SIGNAL_EXCEPTION',
      );
    }
    const triggers = await rowsOf(
      owner,
      `select trigger_name as name from information_schema.triggers
        where trigger_schema = '${tablesIn}' and event_object_table <> 'note'`,
    );
    expect(new Set(triggers.map(({ name }) => String(name))).size).toBe(6);
    const connection = await pool.getConnection();
    const findings = await auditMariadb((sql) => rowsOf(connection, sql), DATABASES);
    connection.destroy();
    expect(findings).toEqual([]);
    for (const name of tables) {
      await owner.query(`drop view ${viewsIn}.${name}`);
      await owner.query(`drop table ${tablesIn}.${name}`);
      await owner.query(`revoke all privileges on ${viewsIn}.${name} from ${account}`);
    }
  });

  it('hashes the names of triggers only if they are too long for MariaDB', () => {
    const triggersOf = (table: string) =>
      mariadbSql([table], { tablesIn: 'r', viewsIn: 'v', columnDefault: 'tenant' }).flatMap(
        (sql) => /TRIGGER `r`\.`(\w+)`/.exec(sql)?.[1] ?? [],
      );
    const short = 'x'.repeat(50);
    expect(triggersOf(short)).toEqual(
      ['own', 'update', 'new'].map((it) => `fledge_${it}_${short}`),
    );
    const hashed = `fledge_update_${'x'.repeat(41)}_`;
    expect(triggersOf(`${short}x`)[1]).toBe(`${hashed}3ecd502a`);
    expect(triggersOf(`${short}y`)[1]).toMatch(new RegExp(`^${hashed}[0-9a-f]{8}$`));
  });

  it.each(['', 'a\0b', 'x'.repeat(65), 'end '])('refuses the name %j', (name) => {
    expect(() => mariadbSql([name], DATABASES)).toThrow(TenantOptionError);
  });

  it('refuses one database for tables and views', () => {
    const one = { tablesIn: 'app', viewsIn: 'app' };
    expect(() => mariadbSql(['note'], one)).toThrow('has the database "app" in both');
  });

  it('quotes names', () => {
    const sql = mariadbSql(['no`te'], { tablesIn: 'r', viewsIn: 'v', column: 'org`' });
    expect(sql.join('\n')).toContain(
      'VIEW `v`.`no``te` AS SELECT * FROM `r`.`no``te` WHERE `org``` = ',
    );
  });
});
