// An application with a schema or a database for each tenant, its tenants in a table. Of the built package
// where a process runs it, of the sources in specs.
import { Module } from '@nestjs/common';
import pg from 'pg';
import { TenantModule } from '@fledge/tenant';
import { migrationsTarget, pgLedger, TenantLifecycleModule } from '@fledge/tenant/lifecycle';

const { escapeIdentifier: quoted } = pg;

const MIGRATIONS = {
  m1: 'create table note (id int primary key, text text)',
  m2: 'alter table note add column author text',
};

/**
 * @param url of the central database
 * @param model 'schema' or 'database'
 * @param names of the migrations
 * @param onePool if true, the store, the steps and the ledger share a pool of two connections
 */
export function fleetOf({
  url,
  model = 'schema',
  names = ['m1'],
  ledgerUrl = url,
  central = true,
  onePool = false,
}) {
  // A call that waits forever for a connection fails instead.
  const shared = { max: 2, connectionTimeoutMillis: 10_000 };
  const pool = new pg.Pool({ connectionString: url, ...(onePool ? shared : { max: 4 }) });
  const ledgerPool = onePool ? pool : new pg.Pool({ connectionString: ledgerUrl, max: 4 });
  // A pool that ends does not wait until its connections are closed, and the database may be dropped before.
  for (const each of [pool, ledgerPool]) each.on('error', () => undefined);
  const ask = async (sql, params) => (await pool.query(sql, params)).rows;
  const urlOf = (tenant) => {
    const own = new URL(url);
    if (model === 'database') own.pathname = `${own.pathname}_${tenant}`;
    return own.href;
  };
  const connected = async (tenant, work) => {
    const client = new pg.Client({ connectionString: urlOf(tenant) });
    await client.connect();
    try {
      if (model === 'schema') await client.query(`set search_path to ${quoted(tenant)}`);
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const nameOf = (tenant) => `${new URL(url).pathname.slice(1)}_${tenant}`;

  const store = {
    find: async (id) => (await ask('select * from tenant where id = $1', [id])).map(recordOf)[0],
    list: async () => (await ask('select * from tenant order by id')).map(recordOf),
    save: ({ tenantId, status }) =>
      ask(
        `insert into tenant values ($1, $2) on conflict (id) do update set status = excluded.status`,
        [tenantId, status],
      ),
    remove: (tenantId) => ask('delete from tenant where id = $1', [tenantId]),
  };
  const lifecycle = {
    ledger: pgLedger(ledgerPool),
    ...(central && {
      central: {
        target: 'central-1',
        migrate: () =>
          ask(`create table if not exists tenant (id text primary key, status text not null);
            create table if not exists called (tenant text, step text);
            create table if not exists working (tenant text primary key)`),
      },
    }),
    tenant: {
      target: () => migrationsTarget(names),
      async provision({ tenantId }) {
        if (model === 'schema') return ask(`create schema if not exists ${quoted(tenantId)}`);
        const name = nameOf(tenantId);
        const [found] = await ask('select from pg_database where datname = $1', [name]);
        if (found === undefined) await ask(`create database ${quoted(name)}`);
      },
      async migrate({ tenantId }, { log, attempt }) {
        await ask('insert into called values ($1, $2)', [tenantId, 'migrate']);
        // Fails if another runner works on this tenant.
        if (attempt === 1) await ask('insert into working values ($1)', [tenantId]);
        await connected(tenantId, async (client) => {
          await client.query('create table if not exists migration (name text primary key)');
          const { rows } = await client.query('select name from migration');
          for (const name of names.filter((it) => !rows.some((row) => row.name === it))) {
            log(`migrates ${name}`);
            await client.query('begin');
            try {
              await client.query(MIGRATIONS[name] ?? name);
              await client.query('insert into migration values ($1)', [name]);
              await client.query('commit');
            } catch (error) {
              await client.query('rollback');
              throw error;
            }
          }
        }).finally(() => ask('delete from working where tenant = $1', [tenantId]));
      },
      pending: ({ tenantId }) =>
        connected(tenantId, async (client) => {
          const { rows } = await client.query('select name from migration');
          return names.filter((name) => !rows.some((row) => row.name === name));
        }),
      async seed({ tenantId }) {
        await ask('insert into called values ($1, $2)', [tenantId, 'seed']);
        await connected(tenantId, (client) => client.query("insert into note values (1, 'Hello')"));
      },
      drop: ({ tenantId }) =>
        model === 'schema'
          ? ask(`drop schema if exists ${quoted(tenantId)} cascade`)
          : ask(`drop database if exists ${quoted(nameOf(tenantId))} with (force)`),
    },
    tasks: {
      count: (tenant, { log }) =>
        connected(tenant.tenantId, async (client) => {
          const { rows } = await client.query('select count(*)::int as n from note');
          log(`${rows[0].n} notes`);
        }),
    },
  };
  class AppModule {}
  Module({
    imports: [
      TenantModule.forRoot({ strategy: 'header', store }),
      TenantLifecycleModule.forRoot(lifecycle),
    ],
  })(AppModule);
  return {
    AppModule,
    ask,
    lifecycle,
    connected,
    close: () => Promise.all([...new Set([pool, ledgerPool])].map((each) => each.end())),
  };
}

const recordOf = ({ id, status }) => ({ tenantId: id, status });
