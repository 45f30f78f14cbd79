// Needs Redis.
// Real queues on a real Redis, below a prefix of this run.
import { TENANT_CONTEXT, Tenancy, type TenantContext, TenantModule } from '@fledge/tenant';
import { TenantBullModule } from '@fledge/tenant/bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BullModule,
  InjectFlowProducer,
  InjectQueue,
  OnWorkerEvent,
  Processor,
  WorkerHost,
} from '@nestjs/bullmq';
import {
  Body,
  Controller,
  Inject,
  Injectable,
  Module,
  type OnModuleInit,
  Post,
  Scope,
} from '@nestjs/common';
import type { FlowProducer, Job, JobsOptions, Queue } from 'bullmq';
import { RedisCorner } from '../bullmq/redis.js';
import { call, closeAll, platforms, serve } from '../../../../test/support/platforms.js';
import { until } from '../../../../test/support/until.js';

const redis = new RedisCorner();
/** What the store says of tenants that are not simply there. */
const troubles = new Map<string, 'suspended' | 'maintenance' | 'gone'>();

/** Whose an identifier is, where it is not the tenant's id itself. */
const owners = new Map<string, string>();

interface Run {
  readonly name: string;
  readonly worker: string;
  readonly attempt: number;
  readonly data: unknown;
  /** The tenant when the job began, and after it waited. */
  readonly tenants: readonly (string | null)[];
}
const runs: Run[] = [];
const told: { event: string; name: string; tenant: string | null; error?: unknown }[] = [];
const runsOf = (name: string) => runs.filter((run) => run.name === name);
const toldOf = (...names: string[]) => told.filter(({ name }) => names.includes(name));
const tenantsOf = (name: string) => runsOf(name).map(({ tenants }) => tenants);

@Injectable()
class Witness {
  constructor(
    @Inject(TENANT_CONTEXT) private readonly tenant: TenantContext,
    private readonly tenancy: Tenancy,
  ) {}

  see(): string | null {
    return this.tenancy.currentOrNull() === null ? null : this.tenant.tenantId;
  }

  async work(worker: string, job: Job<unknown>): Promise<void> {
    const before = this.see();
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
    const { name, data, attemptsMade: attempt } = job;
    runs.push({ name, worker, attempt, data, tenants: [before, this.see()] });
    if (name.startsWith('fails once') && attempt === 0) throw new Error('Not yet');
  }
}

@Processor('mail', { concurrency: 10 })
class FirstWorker extends WorkerHost {
  constructor(private readonly witness: Witness) {
    super();
  }

  process(job: Job): Promise<void> {
    return this.witness.work('first', job);
  }
}

@Processor('mail', { concurrency: 10 })
class SecondWorker extends WorkerHost {
  constructor(private readonly witness: Witness) {
    super();
  }

  process(job: Job): Promise<void> {
    return this.witness.work('second', job);
  }
}

/** Works through its jobs one after the other, so that what one leaves behind would meet the next. */
@Processor('sheets', { autorun: false })
class LonelyWorker extends WorkerHost {
  signal: AbortSignal | undefined;

  constructor(private readonly witness: Witness) {
    super();
  }

  process(job: Job, _token?: string, signal?: AbortSignal): Promise<void> {
    this.signal = signal;
    return this.witness.work('lonely', job);
  }

  @OnWorkerEvent('completed')
  onCompleted({ name }: Job): void {
    told.push({ event: 'completed', name, tenant: this.witness.see() });
  }

  @OnWorkerEvent('failed')
  onFailed({ name }: Job, error: Error): void {
    told.push({ event: 'failed', name, tenant: this.witness.see(), error });
  }
}

/** What a pool of connections per tenant would be. */
const POOL = Symbol('pool');
const pools: (string | null)[] = [];

/** Created for each job, with its providers. */
@Processor({ name: 'scoped', scope: Scope.REQUEST })
class ScopedWorker extends WorkerHost {
  constructor(
    private readonly witness: Witness,
    @Inject(POOL) private readonly pool: string | null,
  ) {
    super();
  }

  async process(job: Job<unknown>): Promise<void> {
    await this.witness.work(`scoped ${this.pool}`, job);
  }
}

@Controller('jobs')
class JobsController {
  constructor(@InjectQueue('mail') private readonly mail: Queue) {}

  @Post()
  async add(@Body() { name, opts }: { name: string; opts?: JobsOptions }): Promise<void> {
    await this.mail.add(name, {}, opts);
  }
}

/** What adds jobs while the application starts finds its queues ready for it. */
@Injectable()
class Starter implements OnModuleInit {
  constructor(
    private readonly tenancy: Tenancy,
    @InjectQueue('mail') readonly mail: Queue,
    @InjectQueue('sheets') readonly sheets: Queue,
    @InjectQueue('scoped') readonly scoped: Queue,
    @InjectFlowProducer('flows') readonly flows: FlowProducer,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.tenancy.run('starter', () => this.mail.add('at the start', {}));
  }
}

const queues = [
  BullModule.registerQueue({ name: 'mail' }, { name: 'sheets' }, { name: 'scoped' }),
  BullModule.registerFlowProducer({ name: 'flows' }),
];

@Module({ imports: queues, providers: [Starter] })
class StarterModule {}

@Module({
  imports: [
    StarterModule,
    BullModule.forRoot({ connection: redis.connection, prefix: redis.prefix }),
    ...queues,
    TenantModule.forRoot({
      strategy: 'header',
      mode: 'universal',
      cache: false,
      store: async (tenantId) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
        const trouble = troubles.get(tenantId);
        if (trouble === 'gone') return null;
        return { tenantId: owners.get(tenantId) ?? tenantId, ...(trouble && { status: trouble }) };
      },
    }),
    TenantBullModule,
  ],
  controllers: [JobsController],
  providers: [
    Witness,
    FirstWorker,
    SecondWorker,
    LonelyWorker,
    ScopedWorker,
    {
      provide: POOL,
      scope: Scope.REQUEST,
      inject: [Tenancy],
      useFactory(tenancy: Tenancy) {
        const tenant = tenancy.currentOrNull()?.tenantId ?? null;
        pools.push(tenant);
        return tenant;
      },
    },
  ],
})
class AppModule {}

beforeAll(() => redis.reach());
afterAll(() => redis.clear());

describe.each(platforms)('jobs on $name', (platform) => {
  let url: string;
  let tenancy: Tenancy;
  let lonely: LonelyWorker;
  let queue: Pick<Starter, 'mail' | 'sheets' | 'scoped' | 'flows'>;

  beforeAll(async () => {
    const served = await serve(AppModule, platform);
    url = served.url;
    tenancy = served.app.get(Tenancy);
    queue = served.app.get(Starter);
    lonely = served.app.get(LonelyWorker);
    await until(() => runs.length === 1, 'the job added at the start');
    // What starts a worker inside a tenant's request must not become what its jobs belong to.
    await tenancy.run('intruder', () => void lonely.worker.run());
  });
  afterEach(() => {
    troubles.clear();
    owners.clear();
    told.length = 0;
    runs.length = 0;
    pools.length = 0;
  });
  afterAll(async () => {
    await queue.mail.obliterate({ force: true });
    await queue.sheets.obliterate({ force: true });
    await queue.scoped.obliterate({ force: true });
    await closeAll();
  });

  const request = (tenant: string | undefined, name: string, opts?: JobsOptions) =>
    call(`${url}/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(tenant && { 'x-tenant-id': tenant }) },
      body: JSON.stringify({ name, opts }),
    });

  it('can be added while the application starts', () => {
    expect(tenantsOf('at the start')).toEqual([['starter', 'starter']]);
  });

  it('run for the tenant that added them at each attempt, or without one', async () => {
    await request('a', 'fails once', { attempts: 2, backoff: 5 });
    await until(() => runs.length === 2, 'two attempts');
    await request(undefined, 'of nobody');
    await until(() => runs.length === 3, 'the job of nobody');
    expect(runs).toMatchObject([
      { name: 'fails once', attempt: 0, tenants: ['a', 'a'] },
      { name: 'fails once', attempt: 1, tenants: ['a', 'a'] },
      { name: 'of nobody', attempt: 0, tenants: [null, null] },
    ]);
  });

  it('are not mixed up by two workers with concurrency ten', async () => {
    const tenants = Array.from({ length: 100 }, (_, i) => ['a', 'b', 'c', undefined][i % 4]);
    await Promise.all(
      tenants.map((tenant, i) =>
        request(tenant, `${i % 7 === 0 ? 'fails once' : 'job'} ${i}`, { attempts: 2, backoff: 3 }),
      ),
    );
    const retried = Math.ceil(100 / 7);
    await until(() => runs.length === 100 + retried, 'all jobs done');
    const wrong = runs.filter(({ name, tenants: seen }) => {
      const whose = tenants[Number(name.split(' ').at(-1))] ?? null;
      return seen.some((tenant) => tenant !== whose);
    });
    expect(wrong).toEqual([]);
    expect(new Set(runs.map(({ worker }) => worker))).toEqual(new Set(['first', 'second']));
  });

  it('keep their tenant through delays, bulks and flows', async () => {
    await tenancy.run('a', async () => {
      await queue.mail.add('delayed', {}, { delay: 50 });
      await queue.mail.addBulk([
        { name: 'first of bulk', data: {} },
        { name: 'second of bulk', data: {}, opts: { delay: 5 } },
      ]);
      const children = [
        { name: 'child', queueName: 'sheets', children: [{ name: 'leaf', queueName: 'mail' }] },
        { name: 'other child', queueName: 'mail', opts: { delay: 5 } },
      ];
      await queue.flows.add({ name: 'parent', queueName: 'mail', children });
      await queue.flows.addBulk([{ name: 'flow of bulk', queueName: 'mail' }]);
    });
    await until(() => runs.length === 8, 'eight jobs');
    expect(runs.filter(({ tenants }) => tenants.join() !== 'a,a')).toEqual([]);
    expect(runs.map(({ name }) => name).sort()).toEqual(
      'child,delayed,first of bulk,flow of bulk,leaf,other child,parent,second of bulk'.split(','),
    );
  });

  it('that repeat run for the tenant that scheduled them', async () => {
    await tenancy.run('a', () =>
      queue.mail.upsertJobScheduler('report', { every: 30 }, { name: 'repeated' }),
    );
    await tenancy.run('b', () => queue.mail.upsertJobScheduler('bare', { every: 30 }));
    await until(() => runsOf('repeated').length > 3 && runsOf('bare').length > 3, 'repetitions');
    await queue.mail.removeJobScheduler('report');
    await queue.mail.removeJobScheduler('bare');
    expect(new Set(tenantsOf('repeated').flat())).toEqual(new Set(['a']));
    expect(new Set(tenantsOf('bare').flat())).toEqual(new Set(['b']));
  });

  it.each([
    ['a string', 'text'],
    ['nothing', null],
    ['a list', [1, { a: 2 }]],
    ['a number', 0],
  ])('keep their data as it was given: %s', async (_, data) => {
    const opts = Object.freeze({ attempts: 1 });
    await tenancy.run('a', () => queue.sheets.add('data', data, opts));
    await until(() => runsOf('data').length === 1, 'the job');
    expect(runsOf('data')).toMatchObject([{ data, tenants: ['a', 'a'] }]);
  });

  it('ignore a tenant in copied options', async () => {
    const ofB = { 'fledge-tenant': 'b', 'fledge-tenant-id': 'b', 'fledge-impersonated-by': 'sam' };
    const { opts } = await tenancy.runFrom(ofB, () => queue.mail.add('impersonated', {}));
    expect(opts).toMatchObject(ofB);
    const copied = await tenancy.run('a', () => queue.sheets.add('copied', {}, { ...opts }));
    await until(() => runsOf('copied').length === 1, 'the job');
    expect(tenantsOf('copied')).toEqual([['a', 'a']]);
    expect(copied.opts).not.toHaveProperty('fledge-impersonated-by');
  });

  it('have no tenant if added inside runCentral()', async () => {
    await tenancy.run('a', () =>
      tenancy.runCentral('nightly', () => queue.sheets.add('central', {})),
    );
    await until(() => runsOf('central').length === 1, 'the job');
    expect(tenantsOf('central')).toEqual([[null, null]]);
  });

  it.each([
    ['suspended', 'TENANT_SUSPENDED: The tenant is suspended'],
    ['gone', 'TENANT_UNKNOWN: There is no such tenant'],
  ] as const)('of a tenant that is %s fail at once, and nothing is done', async (what, reason) => {
    troubles.set('a', what);
    await queue.sheets.add('too late', {}, { 'fledge-tenant': 'a', attempts: 5 } as JobsOptions);
    await until(() => toldOf('too late').length === 1, 'the failure');
    const [failure] = toldOf('too late');
    expect(failure).toMatchObject({ event: 'failed', tenant: null });
    expect((failure!.error as Error).cause).toMatchObject({ code: reason.split(':')[0] });
    const [failed] = await queue.sheets.getFailed();
    expect(failed).toMatchObject({ failedReason: reason, attemptsMade: 1 });
    await failed?.remove();
    expect(runsOf('too late')).toEqual([]);
  });

  it('fail without being processed if the identifier belongs to another tenant', async () => {
    owners.set('shop', 'first-owner');
    await queue.sheets.pause();
    await tenancy.run('shop', async () => {
      await queue.sheets.add('moved', {}, { attempts: 5 });
      await queue.flows.add({ name: 'moved too', queueName: 'sheets' });
    });
    owners.set('shop', 'second-owner');
    await tenancy.run('shop', () => queue.sheets.add('stayed', {}));
    await queue.sheets.resume();
    await until(() => toldOf('moved', 'moved too', 'stayed').length === 3, 'three ends');
    expect(tenantsOf('stayed')).toEqual([['second-owner', 'second-owner']]);
    expect([...runsOf('moved'), ...runsOf('moved too')]).toEqual([]);
    const failed = await queue.sheets.getFailed();
    expect(failed).toHaveLength(2);
    for (const job of failed) {
      expect(job.attemptsMade).toBe(1);
      expect(job.failedReason).toMatch(/^TENANT_MISMATCH: /);
      await job.remove();
    }
  });

  it('of a scheduler fail if the identifier belongs to another tenant', async () => {
    owners.set('shop', 'first-owner');
    await tenancy.run('shop', () => queue.sheets.upsertJobScheduler('moving', { every: 20 }));
    await until(() => runsOf('moving').length > 0, 'a repetition of the first owner');
    owners.set('shop', 'second-owner');
    const failures = () => toldOf('moving').filter(({ event }) => event === 'failed');
    await until(() => failures().length > 1, 'two failures');
    await queue.sheets.removeJobScheduler('moving');
    expect(new Set(tenantsOf('moving').flat())).toEqual(new Set(['first-owner']));
    for (const job of await queue.sheets.getFailed()) await job.remove();
  });

  it.each(["x'; drop", 7, '', { a: 1 }])(
    'that name %j as their tenant fail at once',
    async (id) => {
      await queue.sheets.add('forged', {}, { 'fledge-tenant': id, attempts: 5 } as JobsOptions);
      await until(() => toldOf('forged').length === 1, 'the failure');
      const [failed] = await queue.sheets.getFailed();
      expect(failed).toMatchObject({
        failedReason: expect.stringMatching(/^TENANT_INVALID: /),
        attemptsMade: 1,
      });
      await failed?.remove();
      expect(runsOf('forged')).toEqual([]);
    },
  );

  it('of a tenant under maintenance are tried again', async () => {
    troubles.set('a', 'maintenance');
    await queue.sheets.add('patient', {}, {
      'fledge-tenant': 'a',
      attempts: 20,
      backoff: 20,
    } as JobsOptions);
    await until(() => toldOf('patient').length > 1, 'two failures');
    troubles.clear();
    await until(() => runsOf('patient').length === 1, 'the job');
    expect(tenantsOf('patient')).toEqual([['a', 'a']]);
  });

  it('emit worker events in the scope of their tenant', async () => {
    await tenancy.run('a', () => queue.sheets.add('fails once', {}, { attempts: 2 }));
    await queue.sheets.add('of nobody', {});
    await tenancy.run('b', () => queue.sheets.add('of b', {}));
    const events = () => toldOf('fails once', 'of nobody', 'of b');
    await until(() => events().length === 4, 'four events');
    expect(
      events()
        .map(({ event, name, tenant }) => `${event} ${name} ${tenant}`)
        .sort(),
    ).toEqual([
      'completed fails once a',
      'completed of b b',
      'completed of nobody null',
      'failed fails once a',
    ]);
  });

  it('create the providers of a request-scoped processor in the scope of their tenant', async () => {
    for (const tenant of ['a', 'b'])
      await tenancy.run(tenant, () => queue.scoped.add('pooled', {}));
    await queue.scoped.add('pooled', {});
    await until(() => runsOf('pooled').length === 3, 'three jobs');
    expect(
      runsOf('pooled')
        .map(({ worker, tenants }) => [worker, ...tenants].join(' '))
        .sort(),
    ).toEqual(['scoped a a a', 'scoped b b b', 'scoped null  ']);
    expect(pools).toHaveLength(3);
  });

  it('of a suspended tenant create no providers of a request-scoped processor', async () => {
    troubles.set('a', 'suspended');
    await queue.scoped.add('too late', {}, { 'fledge-tenant': 'a', attempts: 5 } as JobsOptions);
    await until(async () => (await queue.scoped.getFailedCount()) === 1, 'the failure');
    const [failed] = await queue.scoped.getFailed();
    expect(failed).toMatchObject({ attemptsMade: 1 });
    expect(failed?.failedReason).toMatch(/^TENANT_SUSPENDED: /);
    await failed?.remove();
    expect(pools).toEqual([]);
  });

  it('get an abort signal', () => {
    expect(lonely.signal).toBeInstanceOf(AbortSignal);
  });
});
