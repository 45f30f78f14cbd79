// Runs over many tenants and their status, on PGlite.
import { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type TenantContext, TenantModule, type TenantRecord } from '@fledge/tenant';
import {
  singleConnectionLedger,
  TenantLifecycle,
  TenantLifecycleModule,
} from '@fledge/tenant/lifecycle';

let pglite: PGlite;
let app: INestApplicationContext;
let lifecycle: TenantLifecycle;
/** Ids of tenants whose step fails. */
const failing = new Set<string>();
const records = new Map<string, TenantRecord>();
let target: string;
let centralRuns: number;
let listFails: boolean;

let whileMigrating: () => Promise<unknown> | void;
/** The tenants of steps and tasks. */
let worked: TenantContext[];

const migrate = async (tenant: TenantContext) => {
  worked.push(tenant);
  await whileMigrating();
  if (failing.has(tenant.tenantId)) throw new Error('broken');
};
const pending = ({ tenantId }: TenantContext) => {
  if (failing.has(tenantId)) throw new Error('The query failed', { cause: new Error('no server') });
  return [];
};
const add = (record: object) => {
  const { tenantId } = record as TenantRecord;
  records.set(tenantId, record as TenantRecord);
};

beforeAll(async () => {
  pglite = await PGlite.create();
});
afterAll(() => pglite.close());

beforeEach(async () => {
  records.clear();
  failing.clear();
  whileMigrating = () => undefined;
  [target, centralRuns, listFails, worked] = ['one', 0, false, []];
  await pglite.query('drop table if exists fledge_tenant_step');
  const store = {
    find: (name: string) =>
      [...records.values()].find(({ tenantId, identifier }) => (identifier ?? tenantId) === name),
    list: () => {
      if (listFails) throw new Error('there is no table yet');
      return records.values();
    },
    save: (record: TenantRecord) => records.set(record.tenantId, record),
    remove: (tenantId: string) => records.delete(tenantId),
  };
  @Module({
    imports: [
      TenantModule.forRoot({ strategy: 'header', store }),
      TenantLifecycleModule.forRoot({
        ledger: singleConnectionLedger(pglite),
        central: {
          migrate: () => {
            centralRuns += 1;
            listFails = false;
          },
        },
        tenant: {
          provision: () => undefined,
          migrate,
          target: () => target,
          pending,
          seed: migrate,
          drop: () => undefined,
        },
        tasks: { recount: migrate },
      }),
    ],
  })
  class AppModule {}
  app = await NestFactory.createApplicationContext(AppModule, {
    logger: false,
    abortOnError: false,
  });
  lifecycle = app.get(TenantLifecycle);
});
afterEach(() => app.close());

/** `acme done`, for each tenant. */
async function migrated(options: Parameters<TenantLifecycle['migrate']>[0]) {
  const { outcomes, stopped } = await lifecycle.migrate(options);
  const lines = outcomes.flatMap(({ tenant, status }) =>
    tenant === null ? [] : [`${tenant} ${status}`],
  );
  return { lines, stopped };
}

describe('a named canary', () => {
  beforeEach(() => ['a', 'b', 'c'].forEach((tenantId) => add({ tenantId })));

  it('is not replaced by another tenant if it is current', async () => {
    await lifecycle.migrate({ tenants: ['c'] });
    failing.add('a');
    expect(await migrated({ canary: ['c'], concurrency: 1 })).toEqual({
      lines: ['c current', 'a failed', 'b done'],
      stopped: undefined,
    });
  });

  it('stops the run if it fails, and the other canary is skipped', async () => {
    failing.add('b');
    expect(await migrated({ canary: ['b', 'c'] })).toEqual({
      lines: ['b failed', 'c skipped', 'a skipped'],
      stopped: 'canary',
    });
  });
});

describe('a tenant whose creation did not finish', () => {
  beforeEach(async () => {
    add({ tenantId: 'acme' });
    await lifecycle.migrate();
    failing.add('eta');
    const created = lifecycle.create({ tenantId: 'eta', identifier: 'eta-corp' });
    await expect(created).rejects.toMatchObject({ code: 'TENANT_STEP_FAILED' });
  });

  it('is skipped by a run, with the reason and the fix', async () => {
    const { outcomes } = await lifecycle.migrate();
    expect(outcomes.find(({ tenant }) => tenant === 'eta')).toMatchObject({
      status: 'skipped',
      reason:
        'The tenant is being created, or its creation did not finish. To continue a failed ' +
        'creation: fledge tenant create eta --resume',
    });
  });

  it('is not ok until the creation is resumed', async () => {
    expect((await lifecycle.status()).ok).toBe(false);
    failing.clear();
    const other = lifecycle.create({ tenantId: 'eta', identifier: 'x' }, { resume: true });
    await expect(other).rejects.toMatchObject({ code: 'TENANT_EXISTS' });
    await lifecycle.create({ tenantId: 'eta' }, { resume: true });
    expect(records.get('eta')).toEqual({
      tenantId: 'eta',
      identifier: 'eta-corp',
      status: 'active',
    });
    expect((await lifecycle.status()).ok).toBe(true);
  });

  it('is not ok if a step was interrupted', async () => {
    await pglite.query(
      `update fledge_tenant_step set status = 'running', finished_at = null where tenant_id = 'eta' and step = 'migrate'`,
    );
    expect((await lifecycle.status()).ok).toBe(false);
    expect((await lifecycle.status({ tenants: ['acme'] })).ok).toBe(true);
  });

  it('is ignored while its creation runs', async () => {
    failing.clear();
    let during: boolean | undefined;
    whileMigrating = async () => {
      during = (await lifecycle.status()).ok;
    };
    await lifecycle.create({ tenantId: 'eta', identifier: 'eta-corp' }, { resume: true });
    expect(during).toBe(true);
  });
});

describe('a record of the store', () => {
  it.each(['data', 'identifier', 'retryAfterSeconds'])('may have null as its %s', async (name) => {
    add({ tenantId: 'acme', [name]: null });
    expect(await migrated({})).toMatchObject({ lines: ['acme done'] });
    expect(await lifecycle.list()).toHaveLength(1);
  });

  it('that is invalid is reported as such by a run and by create() with resume', async () => {
    const fault =
      'The record of the tenant "acme" in the store is invalid: `data` is a number, but must be an ' +
      'object. Correct the record in the store.';
    add({ tenantId: 'acme', status: 'provisioning', data: 7 });
    const { outcomes } = await lifecycle.migrate();
    expect(outcomes.at(-1)).toMatchObject({
      status: 'failed',
      error: { code: 'TENANT_INVALID_OPTION', message: fault },
    });
    const resumed = lifecycle.create({ tenantId: 'acme' }, { resume: true });
    await expect(resumed).rejects.toMatchObject({ code: 'TENANT_INVALID_OPTION', message: fault });
  });
});

describe('names of unknown tenants', () => {
  beforeEach(() => add({ tenantId: 'acme' }));

  it.each(['tenants', 'skip', 'canary'])(
    'in %s stop the run before the central migration',
    async (option) => {
      const run = lifecycle.migrate({ [option]: ['nobody'] });
      await expect(run).rejects.toMatchObject({ code: 'TENANT_NOT_LISTED' });
      expect(centralRuns).toBe(0);
    },
  );

  it('are found after the central migration if the store cannot list tenants before', async () => {
    listFails = true;
    const run = lifecycle.migrate({ tenants: ['nobody'] });
    await expect(run).rejects.toMatchObject({ code: 'TENANT_NOT_LISTED' });
    expect(centralRuns).toBe(1);
    listFails = true;
    expect(await migrated({ tenants: ['acme'] })).toMatchObject({ lines: ['acme done'] });
  });
});

describe.each(['migrate', 'seed', 'run'] as const)('a tenant that changes during %s()', (call) => {
  const begin = () => {
    const options = { concurrency: 1, canary: 0 };
    return call === 'run' ? lifecycle.run('recount', options) : lifecycle[call](options);
  };
  /** Runs once, in the step of the first tenant. */
  const during = (change: () => Promise<unknown> | void) => {
    whileMigrating = () => {
      whileMigrating = () => undefined;
      return change();
    };
  };
  beforeEach(() => ['a', 'b'].forEach((tenantId) => add({ tenantId })));

  it('is skipped if it was removed, and leaves no entry in the ledger', async () => {
    during(() => lifecycle.remove('b'));
    const { outcomes, ok } = await begin();
    expect(outcomes.at(-1)).toMatchObject({
      tenant: 'b',
      status: 'skipped',
      reason: 'The tenant was removed from the store during the run.',
    });
    expect(ok).toBe(true);
    expect(worked.map(({ tenantId }) => tenantId)).toEqual(['a']);
    const { rows } = await pglite.query(`select from fledge_tenant_step where tenant_id = 'b'`);
    expect(rows).toEqual([]);
  });

  it('is skipped if it was removed and its new creation failed', async () => {
    during(async () => {
      await lifecycle.remove('b');
      failing.add('b');
      await lifecycle.create({ tenantId: 'b' }).catch(() => worked.splice(1));
    });
    const { outcomes } = await begin();
    expect(outcomes.at(-1)).toMatchObject({
      status: 'skipped',
      reason: expect.stringContaining('fledge tenant create b --resume'),
    });
    expect(worked).toHaveLength(1);
  });

  it('is processed with its new identifier and data', async () => {
    during(() => add({ tenantId: 'b', identifier: 'b-corp', data: { url: 'new' } }));
    expect((await begin()).outcomes.at(-1)).toMatchObject({ tenant: 'b', status: 'done' });
    const { identifier, data } = worked[1]!;
    expect({ identifier, data }).toEqual({ identifier: 'b-corp', data: { url: 'new' } });
  });

  it('fails if its record is now invalid', async () => {
    during(() => add({ tenantId: 'b', identifier: 'b-corp', data: 7 }));
    expect((await begin()).outcomes.at(-1)).toMatchObject({
      tenant: 'b',
      status: 'failed',
      error: { code: 'TENANT_INVALID_OPTION' },
    });
    expect(worked).toHaveLength(1);
  });
});

describe('an error of onOutcome', () => {
  const onOutcome = () => {
    throw new Error('of the listener');
  };

  it('does not stop create(), migrate() and remove()', async () => {
    expect(await lifecycle.create({ tenantId: 'acme' }, { onOutcome })).toHaveLength(3);
    expect(records.get('acme')).toMatchObject({ status: 'active' });
    expect((await lifecycle.migrate({ onOutcome })).ok).toBe(true);
    expect(await lifecycle.remove('acme', { onOutcome })).toHaveLength(1);
    expect(records.size).toBe(0);
  });
});

describe('an error of `pending`', () => {
  it('is in the state of its tenant, and the other states are reported', async () => {
    ['a', 'b', 'c'].forEach((tenantId) => add({ tenantId }));
    await lifecycle.migrate();
    expect((await lifecycle.status({ pending: true })).ok).toBe(true);
    failing.add('b');
    const { tenants, ok } = await lifecycle.status({ pending: true });
    expect(
      tenants.map(({ tenant, pending, pendingError }) => [tenant, pending, pendingError]),
    ).toEqual([
      [null, undefined, undefined],
      ['a', [], undefined],
      ['b', undefined, 'The query failed: no server'],
      ['c', [], undefined],
    ]);
    expect(ok).toBe(false);
  });
});
