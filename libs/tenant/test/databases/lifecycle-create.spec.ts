// Needs PostgreSQL.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Module, Post, type Type } from '@nestjs/common';
import {
  CentralRoute,
  CurrentTenant,
  Tenancy,
  type TenantContext,
  type TenantRecord,
} from '@fledge/tenant';
import { TenantCache } from '@fledge/tenant/cache';
import { pgLedger, TenantLifecycle } from '@fledge/tenant/lifecycle';
import { createCache } from 'cache-manager';
import pg from 'pg';
import { isOnMachine } from '../../../../test/support/engines.js';
import { call, closeAll, platforms, serve } from '../../../../test/support/platforms.js';
import { until } from '../../../../test/support/until.js';
import {
  type CentralDatabase,
  createCentralDatabase,
} from '../../../../test/support/central-database.js';
import { openPgBouncer } from '../engines/pgbouncer.js';
import { type Fleet, type FleetOptions, fleetOf } from '../lifecycle/fleet.mjs';

let database: CentralDatabase;
const fleets: Fleet[] = [];

@Controller()
class SignUpController {
  constructor(private readonly lifecycle: TenantLifecycle) {}

  @Post('companies')
  @CentralRoute()
  create(@Body() record: TenantRecord) {
    return this.lifecycle.create(record);
  }

  @Get('whoami')
  whoami(@CurrentTenant() tenant: TenantContext) {
    return { tenantId: tenant.tenantId };
  }
}

function appOf(options: Partial<FleetOptions> = {}) {
  const fleet = fleetOf({ url: database.url, ...options });
  fleets.push(fleet);
  @Module({ imports: [fleet.AppModule], controllers: [SignUpController] })
  class SignUps {}
  return { fleet, module: SignUps as Type };
}

const as = (tenant: string) => ({ headers: { 'x-tenant-id': tenant } });
const signUp = (url: string, record: object) =>
  call(`${url}/companies`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(record),
  });
const ledger = (tenant: string) =>
  database.ask(
    'select step, status, attempt from fledge_tenant_step where tenant_id = $1 order by step',
    [tenant],
  );

/** The code of the error, or 'done'. */
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code }: { code: string }) => code,
  );

/** Resolves when `open()` was called. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open: () => open() };
}

afterEach(async () => {
  await closeAll();
  await Promise.all(fleets.splice(0).map((fleet) => fleet.close()));
});

describe.each(platforms)('a tenant that signs up on $name', (platform) => {
  beforeAll(async () => {
    database = await createCentralDatabase();
  });
  afterAll(() => database.drop());

  it('is served at once, 503 with Retry-After before, and its name is taken', async () => {
    const { fleet, module } = appOf();
    const { url, app } = await serve(module, platform);
    await app.get(TenantLifecycle).migrate();
    const { passed, open } = gate();
    const reached = gate();
    const steps = fleet.lifecycle.tenant as { provision: (...args: unknown[]) => unknown };
    const { provision } = steps;
    steps.provision = async (...args) => {
      reached.open();
      await passed;
      return provision(...args);
    };
    expect(await call(`${url}/whoami`, as('acme'))).toMatchObject({ status: 404 });
    const signingUp = signUp(url, { tenantId: 'acme' });
    await reached.passed;
    const early = await fetch(`${url}/whoami`, as('acme'));
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await early.json()).toMatchObject({ code: 'TENANT_PROVISIONING' });
    // Someone else is faster than the answer.
    expect(await signUp(url, { tenantId: 'acme' })).toMatchObject({
      status: 503,
      body: { code: 'TENANT_LOCKED' },
    });
    open();
    expect((await signingUp).status).toBe(201);
    expect(await call(`${url}/whoami`, as('acme'))).toEqual({
      status: 200,
      body: { tenantId: 'acme' },
    });
    expect(
      await fleet.connected(
        'acme',
        async (client) => (await client.query('select text from note')).rows,
      ),
    ).toEqual([{ text: 'Hello' }]);
    expect(await signUp(url, { tenantId: 'acme' })).toMatchObject({
      status: 409,
      body: { code: 'TENANT_EXISTS' },
    });
  });

  it.each([
    [{ tenantId: 'a/b' }, 400, 'TENANT_INVALID'],
    [{ tenantId: 'ok', identifier: '../x' }, 400, 'TENANT_INVALID'],
    [{ tenantId: 'x'.repeat(51), identifier: 'ok' }, 400, 'TENANT_INVALID'],
    [{ tenantId: `${'x'.repeat(63)}victim` }, 400, 'TENANT_INVALID'],
    // Its record would replace that of acme.
    [{ tenantId: 'acme', identifier: 'mine' }, 409, 'TENANT_EXISTS'],
    // Its requests would be those of acme.
    [{ tenantId: 'mine', identifier: 'acme' }, 409, 'TENANT_EXISTS'],
  ])('cannot be %j', async (record, status, code) => {
    const { url, app } = await serve(appOf().module, platform);
    await app.get(TenantLifecycle).migrate();
    await database.ask(`insert into tenant values ('acme', 'active') on conflict do nothing`);
    expect(await signUp(url, record)).toMatchObject({ status, body: { code } });
    expect(await database.ask('select id from tenant')).toEqual([{ id: 'acme' }]);
  });

  it('is not served after a step failed, keeps what was done, and resumes', async () => {
    const { url, app } = await serve(appOf({ names: ['m1', 'select 1/0'] }).module, platform);
    const lifecycle = app.get(TenantLifecycle);
    expect((await signUp(url, { tenantId: 'half' })).status).toBe(500);
    expect(await call(`${url}/whoami`, as('half'))).toMatchObject({ status: 503 });
    await expect(lifecycle.setStatus('half', 'active')).rejects.toThrow('being created');
    const done = { status: 'done', attempt: 1 };
    expect(await ledger('half')).toEqual([
      { step: 'migrate', status: 'failed', attempt: 1 },
      { step: 'provision', ...done },
    ]);
    await closeAll();

    const mended = await serve(appOf({ names: ['m1', 'm2'] }).module, platform);
    const again = mended.app.get(TenantLifecycle);
    const outcomes = await again.create({ tenantId: 'half' }, { resume: true });
    expect(outcomes.map(({ step, status }) => `${step} ${status}`)).toEqual([
      'provision current',
      'migrate done',
      'seed done',
    ]);
    expect(await call(`${mended.url}/whoami`, as('half'))).toMatchObject({ status: 200 });
    expect(await again.create({ tenantId: 'half' }, { resume: true })).toEqual([]);
  });

  it('is suspended and removed, and a later one with its name starts from nothing', async () => {
    const { fleet, module } = appOf();
    const { url, app } = await serve(module, platform);
    const lifecycle = app.get(TenantLifecycle);
    await lifecycle.create({ tenantId: 'gone' });
    await lifecycle.setStatus('gone', 'suspended');
    expect(await call(`${url}/whoami`, as('gone'))).toMatchObject({ status: 403 });
    const steps = fleet.lifecycle.tenant as { drop: (...args: unknown[]) => unknown };
    const { drop } = steps;
    steps.drop = () => Promise.reject(new Error('The disk is full'));
    await expect(lifecycle.remove('gone')).rejects.toThrow(
      /step "drop" of tenant "gone" failed: The disk is full/,
    );
    expect(await call(`${url}/whoami`, as('gone'))).toMatchObject({ status: 403 });
    const unfinished = /removal of the tenant "gone" did not finish.*Call remove\(\) again/;
    await expect(lifecycle.setStatus('gone', 'active')).rejects.toThrow(unfinished);
    const resumed = lifecycle.create({ tenantId: 'gone' }, { resume: true });
    await expect(resumed).rejects.toThrow(unfinished);
    steps.drop = drop;
    await lifecycle.remove('gone');
    expect(await call(`${url}/whoami`, as('gone'))).toMatchObject({ status: 404 });
    expect(await ledger('gone')).toEqual([]);
    await expect(lifecycle.remove('gone')).rejects.toThrow('There is no such tenant');
    // A row that was deleted by hand leaves its ledger behind.
    await lifecycle.create({ tenantId: 'gone' });
    await database.ask(`delete from tenant where id = 'gone'; drop schema gone cascade`);
    const outcomes = await lifecycle.create({ tenantId: 'gone' });
    expect(outcomes.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
  });

  it('is removed without `drop`, and the outcome says what stays', async () => {
    const { fleet, module } = appOf();
    const { app } = await serve(module, platform);
    const lifecycle = app.get(TenantLifecycle);
    delete (fleet.lifecycle.tenant as { drop?: unknown }).drop;
    await lifecycle.create({ tenantId: 'kept' });
    const seen: unknown[] = [];
    const outcomes = await lifecycle.remove('kept', { onOutcome: (it) => seen.push(it) });
    const reason = expect.stringContaining('rows, files and cached values of the tenant stay');
    expect(outcomes).toEqual([{ tenant: 'kept', step: 'drop', status: 'skipped', ms: 0, reason }]);
    expect(seen).toEqual(outcomes);
    await database.ask('drop schema kept cascade');
  });

  it('starts with an empty cache if `drop` clears the cache', async () => {
    const { fleet, module } = appOf();
    const { app } = await serve(module, platform);
    const lifecycle = app.get(TenantLifecycle);
    const cache = new TenantCache(createCache());
    const steps = fleet.lifecycle.tenant as { drop: (...args: unknown[]) => unknown };
    const { drop } = steps;
    steps.drop = async (...args) => {
      await drop(...args);
      await cache.clear();
    };
    const cached = () => app.get(Tenancy).run('cached', () => cache.get('plan'));
    await lifecycle.create({ tenantId: 'cached' });
    await app.get(Tenancy).run('cached', () => cache.set('plan', 'old'));
    expect(await cached()).toBe('old');
    await lifecycle.remove('cached');
    await lifecycle.create({ tenantId: 'cached' });
    expect(await cached()).toBeUndefined();
  });

  it('is not served if its creation and its removal failed', async () => {
    const { fleet, module } = appOf({ names: ['m1', 'select 1/0'] });
    const { url, app } = await serve(module, platform);
    const lifecycle = app.get(TenantLifecycle);
    await expect(lifecycle.create({ tenantId: 'both' })).rejects.toThrow('step "migrate"');
    const steps = fleet.lifecycle.tenant as { drop: () => unknown };
    const { drop } = steps;
    steps.drop = () => Promise.reject(new Error('The disk is full'));
    await expect(lifecycle.remove('both')).rejects.toThrow('The disk is full');
    await expect(lifecycle.setStatus('both', 'active')).rejects.toThrow('being created');
    const resumed = lifecycle.create({ tenantId: 'both' }, { resume: true });
    await expect(resumed).rejects.toThrow('removal of the tenant "both" did not finish');
    expect(await call(`${url}/whoami`, as('both'))).toMatchObject({ status: 503 });
    steps.drop = drop;
    await lifecycle.remove('both');
    expect(await call(`${url}/whoami`, as('both'))).toMatchObject({ status: 404 });
  });

  it('gets no status if the store failed after drop', async () => {
    const { module } = appOf();
    const lifecycle = (await serve(module, platform)).app.get(TenantLifecycle);
    await lifecycle.create({ tenantId: 'held' });
    await database.ask('create table holder (id text references tenant)');
    await database.ask(`insert into holder values ('held')`);
    await expect(lifecycle.remove('held')).rejects.toMatchObject({
      code: '23503',
    });
    expect(await ledger('held')).toEqual([{ step: 'drop', status: 'done', attempt: 1 }]);
    await expect(lifecycle.setStatus('held', 'active')).rejects.toThrow('did not finish');
    await database.ask('drop table holder');
    await lifecycle.remove('held');
    expect(await ledger('held')).toEqual([]);
  });

  it('gets no status while another process removes it, nor afterwards', async () => {
    const first = appOf();
    const other = appOf();
    const removing = (await serve(first.module, platform)).app.get(TenantLifecycle);
    const lifecycle = (await serve(other.module, platform)).app.get(TenantLifecycle);
    await lifecycle.create({ tenantId: 'leaving' });
    const [reached, { passed, open }] = [gate(), gate()];
    const steps = first.fleet.lifecycle.tenant as { drop: (...args: unknown[]) => unknown };
    const { drop } = steps;
    steps.drop = async (...args) => {
      reached.open();
      await passed;
      return drop(...args);
    };
    const removal = removing.remove('leaving');
    await reached.passed;
    const refusal = await codeOf(lifecycle.setStatus('leaving', 'active'));
    open();
    await removal;
    expect(refusal).toBe('TENANT_LOCKED');
    await expect(lifecycle.setStatus('leaving', 'active')).rejects.toThrow('no such tenant');
    expect(await database.ask(`select from tenant where id = 'leaving'`)).toEqual([]);
  });

  it('does not share its identifier with a tenant that is created at the same time', async () => {
    const { fleet, module } = appOf();
    const { app } = await serve(module, platform);
    const lifecycle = app.get(TenantLifecycle);
    const [reached, { passed, open }] = [gate(), gate()];
    const steps = fleet.lifecycle.tenant as { provision: (...args: unknown[]) => unknown };
    const { provision } = steps;
    steps.provision = async (...args) => {
      reached.open();
      await passed;
      return provision(...args);
    };
    const creating = lifecycle.create({ tenantId: 'one', identifier: 'shared' });
    await reached.passed;
    const second = codeOf(lifecycle.create({ tenantId: 'two', identifier: 'shared' }));
    open();
    expect([await second, (await creating).length]).toEqual(['TENANT_LOCKED', 3]);
  });

  it('is created outside of the caller’s tenant', async () => {
    const { fleet, module } = appOf();
    const { app } = await serve(module, platform);
    const [lifecycle, tenancy] = [app.get(TenantLifecycle), app.get(Tenancy)];
    const scopes: unknown[] = [];
    const { provision } = fleet.lifecycle.tenant as { provision: (...args: unknown[]) => unknown };
    Object.assign(fleet.lifecycle.tenant as object, {
      provision: (...args: unknown[]) => {
        scopes.push(tenancy.current().tenantId);
        return provision(...args);
      },
      target: () => {
        scopes.push(tenancy.currentOrNull());
        return 'one';
      },
    });
    await tenancy.run('half', () => lifecycle.create({ tenantId: 'inner' }));
    expect(scopes).toEqual([null, 'inner']);
  });
});

describe('the connection of the ledger', () => {
  beforeAll(async () => {
    database = await createCentralDatabase();
  });
  afterAll(() => database.drop());

  it('is refused if statements go to different sessions, as in PgBouncer’s transaction mode', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 2 });
    const { fleet, module } = appOf();
    Object.assign(fleet.lifecycle.ledger, {
      connect: () =>
        Promise.resolve({
          query: async (sql: string, params: string[]) => (await pool.query(sql, params)).rows,
          release: () => undefined,
        }),
    });
    const { app } = await serve(module, platforms[0]!);
    await expect(app.get(TenantLifecycle).migrate()).rejects.toMatchObject({
      code: 'TENANT_LEDGER_POOLED',
    });
    expect(await database.ask(`select to_regclass('fledge_tenant_step') as made`)).toEqual([
      { made: null },
    ]);
    await pool.end();
  });

  if (isOnMachine('pgbouncer')) {
    it.each([
      ['transaction' as const, 'TENANT_LEDGER_POOLED'],
      ['session' as const, undefined],
    ])('goes through PgBouncer in mode %s: %s', async (mode, code) => {
      const bouncer = await openPgBouncer(database.url, [`pool_mode = ${mode}`]);
      const { app } = await serve(appOf({ ledgerUrl: bouncer.url }).module, platforms[0]!);
      let failure: { code?: string } = {};
      // It logs before it listens.
      await until(async () => {
        failure = await app
          .get(TenantLifecycle)
          .migrate()
          .then(() => ({}))
          .catch((error: unknown) => error as typeof failure);
        return failure.code !== 'ECONNREFUSED';
      });
      expect(failure.code).toBe(code);
      await closeAll();
      await Promise.all(fleets.splice(0).map((fleet) => fleet.close()));
      await bouncer.stop();
    });
  }

  it('does not go back to the pool with its locks', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 2 });
    const { fleet, module } = appOf();
    Object.assign(fleet.lifecycle.ledger, pgLedger(pool));
    const { app } = await serve(module, platforms[0]!);
    const lifecycle = app.get(TenantLifecycle);
    expect((await lifecycle.migrate()).ok).toBe(true);
    expect((await lifecycle.migrate()).ok).toBe(true);
    expect(pool.totalCount).toBe(0);
    await pool.end();
  });

  it('is shared, so 10 calls at once work on the pool of the store with two connections', async () => {
    const { app } = await serve(appOf({ onePool: true }).module, platforms[0]!);
    const lifecycle = app.get(TenantLifecycle);
    await lifecycle.migrate();
    const names = Array.from({ length: 10 }, (_, i) => `crowd${i}`);
    const codes = (call: (tenant: string) => Promise<unknown>) =>
      Promise.all(names.map((tenant) => codeOf(call(tenant))));
    const done = names.map(() => 'done');
    expect(await codes((tenantId) => lifecycle.create({ tenantId }))).toEqual(done);
    expect(await codes((tenant) => lifecycle.setStatus(tenant, 'suspended'))).toEqual(done);
    expect(await codes((tenant) => lifecycle.run('count', { tenants: [tenant] }))).toEqual(done);
    expect(await codes((tenant) => lifecycle.remove(tenant))).toEqual(done);
  });

  it.each([
    ['detects the loss', true],
    ['does not detect the loss', false],
  ])('is opened again by a later call after it was lost, if it %s', async (_, detects) => {
    const pool = new pg.Pool({ connectionString: database.url, max: 4 });
    const { fleet, module } = appOf();
    const pids: unknown[] = [];
    Object.assign(fleet.lifecycle.ledger, {
      async connect() {
        const { lost, ...session } = await pgLedger(pool).connect();
        const [row] = await session.query('select pg_backend_pid() as pid', []);
        pids.push(row?.['pid']);
        return { ...session, ...(detects && { lost }) };
      },
    });
    const { app } = await serve(module, platforms[0]!);
    const lifecycle = app.get(TenantLifecycle);
    await lifecycle.migrate();
    const [reached, { passed, open }] = [gate(), gate()];
    const steps = fleet.lifecycle.tenant as { provision: (...args: unknown[]) => unknown };
    const { provision } = steps;
    let signal: AbortSignal | undefined;
    steps.provision = async (...args) => {
      steps.provision = provision;
      signal = (args[1] as { signal: AbortSignal }).signal;
      reached.open();
      await passed;
    };
    const first = codeOf(lifecycle.create({ tenantId: `first${detects}` }));
    await reached.passed;
    await database.ask('select pg_terminate_backend($1)', [pids.at(-1)]);
    const second = () => codeOf(lifecycle.create({ tenantId: `second${detects}` }));
    if (detects) await until(() => signal?.aborted === true);
    // Only a statement detects the loss.
    else expect(await second()).not.toBe('done');
    expect(await second()).toBe('done');
    expect(signal?.aborted).toBe(true);
    open();
    expect(await first).toBe('TENANT_STEP_FAILED');
    await pool.end();
  });
});
