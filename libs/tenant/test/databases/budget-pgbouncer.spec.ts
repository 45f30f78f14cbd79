// Needs PostgreSQL, pgbouncer.
// 500 tenants with a database role and pool each, 50 of them busy, PgBouncer in transaction mode before
// PostgreSQL.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Inject, Module, Query } from '@nestjs/common';
import pg from 'pg';
import { TenantAdapter, TenantModule, TENANT_CONTEXT, type TenantContext } from '@fledge/tenant';
import { TenantConnectionsModule } from '@fledge/tenant/connections';
import { call, closeAll, platforms, serve } from '../../../../test/support/platforms.js';
import { until } from '../../../../test/support/until.js';
import { openPgBouncer } from '../engines/pgbouncer.js';

const DATABASE_URL = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const TENANTS = 500;
const BUSY = 50;
/** Connections of the application to PgBouncer, and of PgBouncer to PostgreSQL. */
const BUDGET = 40;
const SERVER_CONNECTIONS = 10;
const PER_TENANT = 2;
const table = `note_${randomBytes(6).toString('hex')}`;
const appName = `app_${randomBytes(4).toString('hex')}`;
const DB = Symbol('DB');

async function pgBouncer() {
  const { server, url, stop } = await openPgBouncer(DATABASE_URL, [
    'pool_mode = transaction',
    `default_pool_size = ${SERVER_CONNECTIONS}`,
  ]);
  const name = new URL(DATABASE_URL).pathname.slice(1);
  const admin = new pg.Pool({ connectionString: `${server}/pgbouncer`, max: 1 });
  await until(
    () =>
      admin.query('show version').then(
        () => true,
        () => false,
      ),
    'PgBouncer',
  );
  return {
    url,
    /** Connections of clients and to the server. */
    async counts() {
      const { rows } = await admin.query<Record<string, string>>('show pools');
      const used = rows.filter(({ database }) => database === name);
      const sum = (...names: string[]) =>
        used.flatMap((row) => names.map((name) => Number(row[name]))).reduce((a, b) => a + b, 0);
      return {
        clients: sum('cl_active', 'cl_waiting'),
        servers: sum('sv_active', 'sv_idle', 'sv_used', 'sv_tested', 'sv_login'),
      };
    },
    async stop() {
      await admin.end();
      await stop();
    },
  };
}

@Controller()
class NotesController {
  constructor(
    @Inject(DB) private readonly db: pg.Pool,
    @Inject(TENANT_CONTEXT) private readonly tenant: TenantContext,
  ) {}

  /** The rows that row-level security shows to the tenant. */
  @Get('notes')
  async list(@Query('fail') fail?: string) {
    const client = await this.db.connect();
    try {
      await client.query('begin');
      await client.query(`select set_config('app.tenant_id', $1, true)`, [this.tenant.tenantId]);
      await client.query('set local role fledge_budget_reader');
      if (fail !== undefined) await client.query('select 1/0');
      const { rows } = await client.query<{ tenant_id: string }>(`select tenant_id from ${table}`);
      return rows.map(({ tenant_id }) => tenant_id);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }
}

describe('500 tenants behind PgBouncer', () => {
  const database = new pg.Pool({ connectionString: DATABASE_URL, max: 1 });
  let bouncer: Awaited<ReturnType<typeof pgBouncer>>;

  beforeAll(async () => {
    await database.query(`do $$ begin create role fledge_budget_reader nologin;
      exception when duplicate_object or unique_violation then null; end $$`);
    await database.query(`create table ${table} as
      select 't' || i as tenant_id from generate_series(0, ${TENANTS - 1}) i, generate_series(1, 3)`);
    await database.query(`alter table ${table} enable row level security`);
    await database.query(`create policy tenant on ${table}
      using (tenant_id = current_setting('app.tenant_id', true))`);
    await database.query(`grant select on ${table} to fledge_budget_reader`);
    bouncer = await pgBouncer();
  });
  afterAll(async () => {
    await closeAll();
    await bouncer.stop();
    await database.query(`drop table ${table}`);
    await database.end();
  });

  it('keep within the budget, and see no row of another', async () => {
    @Module({
      imports: [
        TenantModule.forRoot({
          strategy: 'header',
          budget: { connections: BUDGET, waitMs: 110_000 },
        }),
        TenantConnectionsModule.forRoot({
          provide: DB,
          connections: PER_TENANT,
          create: () =>
            new pg.Pool({
              connectionString: bouncer.url,
              max: PER_TENANT,
              application_name: appName,
            }),
          dispose: (pool) => pool.end(),
        }),
      ],
      controllers: [NotesController],
    })
    class AppModule {}
    const { app, url } = await serve(AppModule, platforms[0]!);

    const most = { clients: 0, servers: 0, used: 0 };
    let going = true;
    const used = () =>
      (app.get(TenantAdapter).introspect().metrics['budget'] as { used: number }).used;
    const watching = (async () => {
      while (going) {
        const { clients, servers } = await bouncer.counts();
        most.clients = Math.max(most.clients, clients);
        most.servers = Math.max(most.servers, servers);
        most.used = Math.max(most.used, used());
      }
    })();

    const times: number[] = [];
    let wrong = 0;
    let refused = 0;
    const ask = async (tenant: string, query = '') => {
      const began = performance.now();
      const { status, body } = await call(`${url}/notes${query}`, {
        headers: { 'x-tenant-id': tenant },
      });
      times.push(performance.now() - began);
      if (query !== '') return;
      if (status !== 200) refused += 1;
      else if (JSON.stringify(body) !== JSON.stringify([tenant, tenant, tenant])) wrong += 1;
    };
    // Each of the 500 once, while 50 of them send 12 requests one after the other, some of which fail.
    const began = performance.now();
    const busy = Array.from({ length: BUSY }, async (_, i) => {
      for (let n = 0; n < 12; n += 1) await ask(`t${i}`, n % 7 === 6 ? '?fail=1' : '');
    });
    const all = (async () => {
      for (let i = 0; i < TENANTS; i += 10) {
        await Promise.all(Array.from({ length: 10 }, (_, k) => ask(`t${i + k}`)));
      }
    })();
    await Promise.all([...busy, all]);
    const seconds = (performance.now() - began) / 1_000;
    going = false;
    await watching;

    times.sort((a, b) => a - b);
    const figures = {
      requests: times.length,
      seconds: Math.round(seconds * 10) / 10,
      p50: Math.round(times[Math.floor(times.length * 0.5)]!),
      p99: Math.round(times[Math.floor(times.length * 0.99)]!),
      most,
      metrics: app.get(TenantAdapter).introspect().metrics['budget'],
    };
    if (process.env['FIGURES'] !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect({ wrong, refused, requests: times.length }).toEqual({
      wrong: 0,
      refused: 0,
      requests: TENANTS + BUSY * 12,
    });
    expect(most.used).toBe(BUDGET);
    expect(most.clients).toBeGreaterThan(PER_TENANT);
    expect(most.clients).toBeLessThanOrEqual(BUDGET);
    expect(most.servers).toBeGreaterThan(0);
    expect(most.servers).toBeLessThanOrEqual(SERVER_CONNECTIONS);
  });
});
