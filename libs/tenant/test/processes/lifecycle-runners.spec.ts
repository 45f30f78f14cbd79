// Needs PostgreSQL.
// Runners in processes of their own, on the built package.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../test/support/until.js';
import {
  type CentralDatabase,
  createCentralDatabase,
} from '../../../../test/support/central-database.js';
import { runner } from '../lifecycle/runners.js';

let database: CentralDatabase;
const ids = (count: number) => Array.from({ length: count }, (_, i) => `t${i + 10}`);
const ledger = () =>
  database.ask(`select tenant_id as tenant, step, status, attempt, error from fledge_tenant_step
    where tenant_id <> '' order by tenant_id, step`);
const called = async () =>
  (await database.ask('select tenant from called order by tenant')).map(({ tenant }) => tenant);
const fleet = () => ({ url: database.url, names: ['m1', 'm2', 'select pg_sleep(0.15)'] });

beforeEach(async () => {
  database = await createCentralDatabase();
});
afterEach(() => database.drop());

async function addSchemas(names: readonly string[]) {
  await runner({ url: database.url }).report;
  for (const name of names) {
    await database.ask(`insert into tenant values ($1, 'active')`, [name]);
    await database.ask(`create schema ${name}`);
  }
}

describe('two runners at once', () => {
  it('make the ledger and the central database once', async () => {
    const both = [runner({ url: database.url }), runner({ url: database.url })];
    const reports = await Promise.all(both.map(({ report }) => report));
    const central = reports.map(({ outcomes }) => outcomes[0]?.status);
    expect(central.toSorted()).toEqual(['current', 'done']);
  });

  it('share the tenants: each is migrated once, by one of them', async () => {
    await addSchemas(ids(20));
    const both = [
      runner({ ...fleet(), run: { lock: 'wait' } }),
      runner({ ...fleet(), run: { lock: 'wait' } }),
    ];
    const reports = await Promise.all(both.map(({ report }) => report));
    expect(reports.map(({ ok }) => ok)).toEqual([true, true]);
    const done = reports.map(({ outcomes }) => outcomes.filter(({ status }) => status === 'done'));
    expect(done.every(({ length }) => length > 0)).toBe(true);
    expect(
      done
        .flat()
        .map(({ tenant }) => tenant)
        .toSorted(),
    ).toEqual(ids(20));
    // The table `working` refuses two at a time; `called` has each tenant once.
    expect(await called()).toEqual(ids(20));
    expect(await ledger()).toEqual(
      ids(20).map((tenant) => ({
        tenant,
        step: 'migrate',
        status: 'done',
        attempt: 1,
        error: null,
      })),
    );
  });

  it('say which tenants the other had', async () => {
    await addSchemas(['slow']);
    await database.ask('select pg_advisory_lock(4711)');
    // Waits for that lock, so that the second runner meets the first one however slow the machine is.
    const slow = { ...fleet(), names: ['m1', 'select pg_advisory_xact_lock(4711)'] };
    const first = runner(slow);
    await until(() => first.lines.length > 0);
    const second = await runner({ ...slow, central: false }).report;
    await database.ask('select pg_advisory_unlock(4711)');
    expect(second.outcomes).toMatchObject([{ tenant: 'slow', status: 'locked' }]);
    expect(second.ok).toBe(false);
    expect((await first.report).ok).toBe(true);
  });
});

describe.each(['SIGKILL', 'a lost connection'] as const)('a runner that ends by %s', (end) => {
  it('leaves what it began as interrupted, and the rerun touches only what is left', async () => {
    await addSchemas(ids(12));
    const names = ['m1', 'select pg_sleep(0.6)'];
    const run = { canary: 0, concurrency: 3 };
    const first = runner({ ...fleet(), names, run });
    // Three are done, three are in the middle.
    await until(
      () => first.lines.filter(({ text }) => text === 'migrates select pg_sleep(0.6)').length > 4,
    );
    if (end === 'SIGKILL') {
      first.process.kill('SIGKILL');
      await first.report;
    } else {
      // Not in other databases: other specs have their own ledgers there.
      await database.ask(`select pg_terminate_backend(pid) from pg_locks
        join pg_database on pg_database.oid = database and datname = current_database()
        where locktype = 'advisory' and granted group by pid`);
      const { outcomes, stopped } = await first.report;
      expect(stopped).toBe('ledger');
      const codes = outcomes.map(({ status, error }) =>
        `${status} ${(error as { code?: string })?.code ?? ''}`.trim(),
      );
      expect(new Set(codes)).toEqual(
        new Set(['current', 'done', 'failed TENANT_LOCK_LOST', 'skipped']),
      );
    }
    const halted = await ledger();
    const done = halted.filter(({ status }) => status === 'done').map(({ tenant }) => tenant);
    const running = halted.filter(({ status }) => status === 'running').map(({ tenant }) => tenant);
    expect(done.length).toBeGreaterThanOrEqual(3);
    expect(running.length).toBeGreaterThanOrEqual(1);
    expect(done.length + running.length).toBeLessThan(12);

    await database.ask('truncate called');
    const second = await runner({ ...fleet(), names, run }).report;
    expect(second.ok).toBe(true);
    expect(await called()).toEqual(ids(12).filter((id) => !done.includes(id)));
    const attempts = new Map((await ledger()).map(({ tenant, attempt }) => [tenant, attempt]));
    expect(running.map((tenant) => attempts.get(tenant))).toEqual(running.map(() => 2));
    expect((await ledger()).map(({ status }) => status)).toEqual(Array(12).fill('done'));
    // What the ledger says is so.
    for (const id of ids(12)) {
      expect(await database.ask(`select name from ${id}.migration order by name`)).toHaveLength(2);
    }
  });
});

describe('20 databases', () => {
  it('are created, one resumed after SIGKILL, and migrated by two runners', async () => {
    const model = 'database' as const;
    await runner({ url: database.url, model }).report;
    const names = ['m1', 'select pg_sleep(1)'];
    const killed = runner({ url: database.url, model, names, create: { tenantId: 't10' } });
    await until(() => killed.lines.length > 1);
    killed.process.kill('SIGKILL');
    await killed.report;
    expect(await database.ask('select * from tenant')).toEqual([
      { id: 't10', status: 'provisioning' },
    ]);
    expect(await ledger()).toMatchObject([
      { step: 'migrate', status: 'running' },
      { step: 'provision', status: 'done' },
    ]);
    // A run over all leaves it to its creation.
    const { outcomes } = await runner({ url: database.url, model }).report;
    expect(outcomes).toMatchObject([{ status: 'current' }, { tenant: 't10', status: 'skipped' }]);
    // Without resume, the name is taken.
    const refused = await runner({ url: database.url, model, create: { tenantId: 't10' } }).report;
    expect(refused.code).toBe('TENANT_EXISTS');

    const create = ids(20)
      .slice(1)
      .map((tenantId) => ({ tenantId }));
    const created = await runner({ url: database.url, model, create }).report;
    expect(
      created.outcomes.map(({ tenant, step, status }) => `${tenant} ${step} ${status}`),
    ).toEqual(
      create.flatMap(({ tenantId }) =>
        ['provision', 'migrate', 'seed'].map((step) => `${tenantId} ${step} done`),
      ),
    );
    await database.ask('truncate called');
    const run = { lock: 'wait' as const };
    const both = [1, 2].map(() => runner({ url: database.url, model, names: ['m1', 'm2'], run }));
    const reports = await Promise.all(both.map(({ report }) => report));
    expect(reports.map(({ ok }) => ok)).toEqual([true, true]);
    expect(await called()).toEqual(ids(20).slice(1));
  });
});
