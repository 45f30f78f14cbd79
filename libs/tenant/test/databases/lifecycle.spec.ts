// Needs PostgreSQL.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Tenancy } from '@fledge/tenant';
import {
  migrationsTarget,
  TenantLifecycle,
  type TenantRunReport,
  type TenantStepOutcome,
} from '@fledge/tenant/lifecycle';
import {
  type CentralDatabase,
  createCentralDatabase,
} from '../../../../test/support/central-database.js';
import { type Fleet, type FleetOptions, fleetOf } from '../lifecycle/fleet.mjs';

let database: CentralDatabase;
const open: { app: INestApplicationContext; fleet: Fleet }[] = [];

/** A new process of the application, as after a deployment. */
async function started(options: Partial<FleetOptions> = {}) {
  const fleet = fleetOf({ url: database.url, ...options });
  const app = await NestFactory.createApplicationContext(fleet.AppModule, { logger: false });
  open.push({ app, fleet });
  return { fleet, app, lifecycle: app.get(TenantLifecycle) };
}

const ids = (count: number) =>
  Array.from({ length: count }, (_, i) => `t${String(i).padStart(3, '0')}`);
const those = (report: TenantRunReport, status: TenantStepOutcome['status']) =>
  report.outcomes.filter((it) => it.status === status).map(({ tenant }) => tenant);
const called = async () =>
  (await database.ask('select tenant from called order by tenant')).map(({ tenant }) => tenant);

async function addTenants(names: readonly string[]) {
  for (const name of names) {
    await database.ask(`insert into tenant values ($1, 'active')`, [name]);
    await database.ask(`create schema ${name}`);
  }
}

afterEach(async () => {
  for (const { app, fleet } of open.splice(0)) {
    await app.close();
    await fleet.close();
  }
});

describe('200 schemas', () => {
  const broken = ['t017', 't101', 't150'];
  beforeAll(async () => {
    database = await createCentralDatabase();
  });
  afterAll(() => database.drop());

  it('are migrated, the central database first, and are current afterwards', async () => {
    const { lifecycle } = await started();
    // Nothing is listed before: the table of tenants is made by the central migration.
    expect(await lifecycle.migrate()).toMatchObject({
      outcomes: [{ tenant: null, status: 'done', attempt: 1 }],
      ok: true,
    });
    await addTenants(ids(200));
    const report = await lifecycle.migrate({ concurrency: 8 });
    expect(report.ok).toBe(true);
    expect(those(report, 'current')).toEqual([null]);
    expect(those(report, 'done').toSorted()).toEqual(ids(200));
    // The canary is alone.
    expect(report.outcomes[1]).toMatchObject({ tenant: 't000' });
    expect(those(await lifecycle.migrate(), 'current')).toHaveLength(201);
    expect(await called()).toHaveLength(200);
  });

  it('stay half-migrated where one fails for three, and the rerun touches these only', async () => {
    for (const name of broken) await database.ask(`alter table ${name}.note add author int`);
    await database.ask('truncate called');
    const { lifecycle } = await started({ names: ['m1', 'm2'] });
    const progress: number[] = [];
    const onOutcome = (_: unknown, { finished }: { finished: number }) => progress.push(finished);
    const report = await lifecycle.migrate({ concurrency: 8, onOutcome });
    expect(report.ok).toBe(false);
    expect(report.stopped).toBeUndefined();
    expect(those(report, 'failed').toSorted()).toEqual(broken);
    expect(those(report, 'done')).toHaveLength(197);
    expect(progress.at(-1)).toBe(200);

    const status = await lifecycle.status({ pending: true });
    expect(status.ok).toBe(false);
    const failed = status.tenants.filter(({ migration }) => migration !== 'current');
    expect(failed.map(({ tenant }) => tenant)).toEqual(broken);
    expect(failed[0]).toMatchObject({
      migration: 'failed',
      pending: ['m2'],
      steps: [{ errorCode: '42701', error: expect.stringContaining('author'), attempt: 1 }],
    });
    expect(status.tenants.filter(({ pending }) => pending?.length === 0)).toHaveLength(197);

    await database.ask('truncate called');
    await database.ask('alter table t017.note drop author; alter table t101.note drop author');
    const second = await lifecycle.migrate();
    expect(those(second, 'failed')).toEqual(['t150']);
    expect(second.outcomes.find(({ tenant }) => tenant === 't150')).toMatchObject({ attempt: 2 });
    expect(await called()).toEqual(broken);

    await database.ask('alter table t150.note drop author');
    const third = await lifecycle.migrate();
    expect(third.ok).toBe(true);
    expect(await called()).toEqual([...broken, 't150'].toSorted());
    expect((await lifecycle.status({ pending: true })).ok).toBe(true);
    // The ledger says the truth: each schema has both migrations.
    const [{ n }] = (await database.ask(
      `select count(*)::int as n from information_schema.columns where table_name = 'note' and column_name = 'author'`,
    )) as [{ n: number }];
    expect(n).toBe(200);
  });

  it('are not touched by a dry run', async () => {
    const { lifecycle } = await started({ names: ['m1', 'm2', 'select 1/0'] });
    const before = await database.ask('select * from fledge_tenant_step order by tenant_id, step');
    const report = await lifecycle.migrate({ dryRun: true });
    expect(those(report, 'pending')).toHaveLength(200);
    expect(await database.ask('select * from fledge_tenant_step order by tenant_id, step')).toEqual(
      before,
    );
  });

  it('stop at a canary that fails, and at the limit of failures', async () => {
    const { lifecycle } = await started({ names: ['m1', 'm2', 'select 1/0'] });
    const report = await lifecycle.migrate({ canary: ['t005'] });
    expect(report).toMatchObject({ stopped: 'canary', ok: false });
    expect(those(report, 'failed')).toEqual(['t005']);
    expect(those(report, 'skipped')).toHaveLength(199);

    const limited = await lifecycle.migrate({ canary: 0, maxFailures: 3, concurrency: 1 });
    expect(limited).toMatchObject({ stopped: 'failures', ok: false });
    expect(those(limited, 'failed')).toHaveLength(3);
  });

  it('that are begun are finished when the signal aborts, and no other is begun', async () => {
    const names = ['m1', 'm2', 'select pg_sleep(0.3)'];
    const { lifecycle } = await started({ names });
    const stop = new AbortController();
    const onLog = () => stop.abort();
    const report = await lifecycle.migrate({ signal: stop.signal, onLog, canary: 0 });
    expect(report).toMatchObject({ stopped: 'signal', ok: false });
    expect(those(report, 'done')).toHaveLength(4);
    const rows = await database.ask(`select status from fledge_tenant_step where target = $1`, [
      migrationsTarget(names),
    ]);
    expect(rows).toEqual(Array(4).fill({ status: 'done' }));
  });

  it('work in the scope of their tenant, whoever called', async () => {
    const { lifecycle, app, fleet } = await started();
    const seen: unknown[] = [];
    const tenancy = app.get(Tenancy);
    Object.assign(fleet.lifecycle.tasks as object, {
      who: ({ tenantId }: { tenantId: string }) =>
        seen.push([tenantId, tenancy.current().tenantId]),
    });
    await tenancy.run('t009', () => lifecycle.run('who', { tenants: ['t001', 't002'] }));
    expect(seen).toEqual([
      ['t001', 't001'],
      ['t002', 't002'],
    ]);
  });

  it.each([
    [{ tenants: ['nobody'] }, /does not contain the tenant "nobody"/],
    [{ skip: ['nobody'] }, /does not contain the tenant "nobody"/],
    [{ canary: ['nobody'] }, /does not contain the tenant "nobody"/],
    [{ tenants: 't001' as never }, /migrate\(\{ tenants \}\) is "t001", but must be a list/],
    [{ skip: new Set(['t001']) as never }, /migrate\(\{ skip \}\) is .*, but must be a list/],
    [{ dryrun: true } as never, /migrate\(\{ dryrun \}\) is not an option\. Did you mean dryRun/],
    [{ signal: 'stop' as never }, /migrate\(\{ signal \}\) is "stop", but must be an AbortSignal/],
    [{ concurrency: 0 }, /migrate\(\{ concurrency \}\) is 0/],
    [{ lock: 'never' as 'skip' }, /migrate\(\{ lock \}\) is "never"/],
  ])('refuse %j', async (options, message) => {
    const { lifecycle } = await started();
    await expect(lifecycle.migrate(options)).rejects.toThrow(message);
  });

  it('refuse a misspelt option of create(), remove() and status()', async () => {
    const { lifecycle } = await started();
    const create = lifecycle.create({ tenantId: 'new' }, { resum: true } as never);
    await expect(create).rejects.toThrow(
      'create({ resum }) is not an option. Did you mean resume?',
    );
    const remove = lifecycle.remove('t001', { onlog: () => undefined } as never);
    await expect(remove).rejects.toThrow('remove({ onlog }) is not an option. Did you mean onLog?');
    const status = lifecycle.status({ tenant: ['t001'] } as never);
    await expect(status).rejects.toThrow(
      'status({ tenant }) is not an option. Did you mean tenants?',
    );
  });
});

describe('a tenant whose record in the store is invalid', () => {
  beforeAll(async () => {
    database = await createCentralDatabase();
    const { lifecycle } = await started();
    await lifecycle.migrate();
    await addTenants(ids(3));
    await database.ask(`update tenant set status = 'bogus' where id = 't001'`);
  });
  afterAll(() => database.drop());

  it('fails, and the others are listed and migrated', async () => {
    const { lifecycle, app } = await started();
    expect((await lifecycle.list()).map(({ tenantId }) => tenantId)).toEqual(['t000', 't002']);
    const report = await lifecycle.migrate();
    expect(report.ok).toBe(false);
    expect(those(report, 'done')).toEqual(['t000', 't002']);
    const failed = report.outcomes.find(({ status }) => status === 'failed');
    expect(failed).toMatchObject({ tenant: 't001', error: { code: 'TENANT_INVALID_OPTION' } });
    expect((failed!.error as Error).message).toContain('"t001" in the store is invalid');
    const status = await lifecycle.status({ pending: true });
    expect(status.ok).toBe(false);
    expect(status.tenants.find(({ tenant }) => tenant === 't001')).toMatchObject({
      status: null,
      invalid: expect.stringContaining('"bogus"'),
    });
    const ran: string[] = [];
    const outcomes = await app
      .get(Tenancy)
      .forEach('all', ({ tenantId }) => ran.push(tenantId), { onError: 'collect' });
    expect(ran).toEqual(['t000', 't002']);
    expect(outcomes).toHaveLength(3);
    await expect(lifecycle.create({ tenantId: 't001' })).rejects.toMatchObject({
      code: 'TENANT_EXISTS',
    });
  });

  it('is repaired by another status', async () => {
    const { lifecycle } = await started();
    await lifecycle.setStatus('t001', 'active');
    expect(await lifecycle.list()).toHaveLength(3);
    expect((await lifecycle.migrate()).ok).toBe(true);
  });

  it.each([
    ['undefined', undefined],
    ['a string', 'm2'],
    ['an object', { rows: [] }],
  ])('is not current if `pending` returns %s', async (given, found) => {
    const { fleet, lifecycle } = await started();
    Object.assign(fleet.lifecycle.tenant!, { pending: async () => found });
    await expect(lifecycle.status({ pending: true })).rejects.toMatchObject({
      code: 'TENANT_INVALID_OPTION',
      message: `The option \`tenant.pending\` returned ${given} for the tenant "t000", but must return a list of names.`,
    });
  });

  it.each(['bogus', 'ACTIVE', 'provisioning', undefined, null])(
    'is not made by setStatus(%j)',
    async (status) => {
      const { lifecycle } = await started();
      await expect(lifecycle.setStatus('t000', status as never)).rejects.toMatchObject({
        code: 'TENANT_INVALID_OPTION',
      });
      expect(await lifecycle.list()).toContainEqual({ tenantId: 't000', status: 'active' });
    },
  );
});
