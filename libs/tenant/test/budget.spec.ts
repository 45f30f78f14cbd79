// The budget of connections over all tenants, with instances that count what is open.
import { request, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, Inject, Logger, Module, Query, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  Tenancy,
  TenantAdapter,
  type TenantBudgetOptions,
  TenantModule,
  type TenantProvider,
} from '@fledge/tenant';
import { TenantConnectionsModule } from '@fledge/tenant/connections';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { LONGEST_WAIT_MS } from '../../../test/support/longest-wait.js';

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const DB = Symbol('DB');
const of = (tenant: string) => ({ headers: { 'x-tenant-id': tenant } });

/** Longer than any wait of a test, also on a busy machine. */

class Db {
  constructor(readonly of: string) {}
}

/** Requests in the handler that wait for `release()`, and names of those that need not wait. */
const held = new Map<string, () => void>();
const released = new Set<string>();
let names = 0;

/** Sends a request that stays in the handler until it is released. */
function hold(url: string, tenant: string, headers: object = {}) {
  const name = String((names += 1));
  return {
    answer: call(`${url}/use?hold=${name}`, { headers: { ...of(tenant).headers, ...headers } }),
    hasBegun: () => held.has(name),
    begun: () => until(() => held.has(name), 'the request in its handler'),
    release() {
      released.add(name);
      held.get(name)?.();
    },
  };
}

@Controller()
class DbController {
  constructor(
    @Inject(DB) private readonly db: Db,
    private readonly tenancy: Tenancy,
  ) {}

  @Get('use')
  async use(@Query('hold') name?: string) {
    if (name !== undefined && !released.has(name)) {
      await new Promise<void>((release) => held.set(name, release));
    }
    return { of: this.db.of };
  }

  @Get('inside')
  async inside(@Query('other') other: string, @Query('beside') beside?: string) {
    const { db } = this;
    if (beside !== undefined) {
      held.set(db.of, () => undefined);
      await until(() => held.has(beside));
    }
    return this.tenancy.run(other, () => ({ of: this.db.of }));
  }
}

/** An application whose instances count: `open` is how many there are, `most` how many there were at once. */
function appOf(budget: TenantBudgetOptions, more: Partial<TenantProvider<Db>> = {}, extra = 0) {
  const seen = { open: 0, most: 0 };
  const provider: TenantProvider<Db> = {
    provide: DB,
    connections: 2,
    useFactory: async ({ tenantId }) => {
      seen.most = Math.max(seen.most, (seen.open += 2));
      await later(2);
      return new Db(tenantId);
    },
    dispose: async () => {
      await later(2);
      seen.open -= 2;
    },
    ...more,
  };
  const others = Array.from({ length: extra }, (_, i): TenantProvider<Db> => ({
    ...provider,
    provide: `OTHER_${i}`,
  }));

  @Module({
    imports: [
      TenantModule.forRoot({ strategy: 'header', budget }),
      TenantModule.forFeature([provider, ...others]),
    ],
    controllers: [DbController],
  })
  class AppModule {}
  return { module: AppModule, seen };
}

interface Metrics {
  readonly budget: Record<string, number>;
  readonly pools: Record<string, Record<string, number>>;
}
const metricsOf = (app: { get(type: typeof TenantAdapter): TenantAdapter }) =>
  app.get(TenantAdapter).introspect().metrics as unknown as Metrics;

const waitingIn = (app: Parameters<typeof metricsOf>[0]) => metricsOf(app).budget['waiting']!;

afterEach(async () => {
  jest.restoreAllMocks();
  for (const release of held.values()) release();
  held.clear();
  await closeAll();
});

describe.each(platforms)('a budget of connections on $name', (platform) => {
  it('is kept with more tenants at once than it has room for, and each gets its instance', async () => {
    const { module, seen } = appOf({ connections: 8, waitMs: LONGEST_WAIT_MS });
    const { url, app } = await serve(module, platform);
    const first = ['t0', 't1', 't2', 't3'].map((tenant) => hold(url, tenant));
    await Promise.all(first.map(({ begun }) => begun()));
    const tenants = Array.from({ length: 120 }, (_, i) => `t${i % 30}`);
    const answers = tenants.map((tenant) => call(`${url}/use`, of(tenant)));
    await until(() => waitingIn(app) >= 104, 'the requests of the 26 other tenants');
    for (const { release } of first) release();
    const bodies = (await Promise.all(answers)).map(({ body }) => body);
    expect(bodies).toEqual(tenants.map((tenant) => ({ of: tenant })));
    expect(seen.most).toBe(8);
    const { budget, pools } = metricsOf(app);
    expect(budget).toMatchObject({ connections: 8, waiting: 0, timedOut: 0, left: 0 });
    expect(budget['used']).toBeLessThanOrEqual(8);
    expect(budget['evicted']).toBeGreaterThanOrEqual(26);
    expect(budget['waited']).toBeGreaterThanOrEqual(104);
    expect(budget['waitedMs']).toBeGreaterThan(0);
    expect(pools['DB']!['created']).toBe(pools['DB']!['disposed']! + pools['DB']!['alive']!);
    expect(pools['DB']!['evicted']).toBe(budget['evicted']);
  });

  it('ends the instances of the tenant that was unused for longest', async () => {
    const ended: string[] = [];
    const { module } = appOf({ connections: 4 }, { dispose: ({ of: id }) => ended.push(id) });
    const { url } = await serve(module, platform);
    for (const tenant of ['a', 'b', 'a', 'c']) await call(`${url}/use`, of(tenant));
    expect(ended).toEqual(['b']);
  });

  it('gives an instance back after a response without `close`, as of some serverless adapters', async () => {
    const { module } = appOf({ connections: 2, waitMs: 2_000 });
    const { url } = await serve(module, platform, (app) =>
      app.use((_: unknown, res: ServerResponse, next: () => void) => {
        const emit = res.emit.bind(res);
        res.emit = (name: string, ...args: unknown[]) => name !== 'close' && emit(name, ...args);
        next();
      }),
    );
    for (const tenant of ['a', 'b', 'c']) {
      // The connection stays open.
      const answer = await fetch(`${url}/use`, of(tenant));
      expect(await answer.json()).toEqual({ of: tenant });
    }
  });

  it('answers 503 with Retry-After if no connection gets free in time', async () => {
    const { module } = appOf({ connections: 2, waitMs: 60 });
    const { url, app } = await serve(module, platform);
    const slow = hold(url, 'a');
    await slow.begun();
    const refused = await fetch(`${url}/use`, of('b'));
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toEqual({
      statusCode: 503,
      error: 'Service Unavailable',
      message: 'All connections are in use by other tenants',
      code: 'TENANT_CONNECTIONS_BUSY',
    });
    expect((await call(`${url}/use`, of('a'))).body).toEqual({ of: 'a' });
    expect(metricsOf(app).budget).toMatchObject({ timedOut: 1, waiting: 0 });
    slow.release();
    expect(await slow.answer).toMatchObject({ status: 200 });
    await until(async () => (await call(`${url}/use`, of('b'))).status === 200);
  });

  it('gives up the place of a client that leaves', async () => {
    const { module } = appOf({ connections: 2, waitMs: LONGEST_WAIT_MS });
    const { url, app } = await serve(module, platform);
    const slow = hold(url, 'a');
    await slow.begun();
    const leaving = request(`${url}/use`, of('gone')).on('error', () => undefined);
    leaving.end();
    await until(() => waitingIn(app) === 1, 'the wait');
    leaving.destroy();
    await until(() => waitingIn(app) === 0, 'the end of the wait');
    expect(metricsOf(app).budget).toMatchObject({ left: 1, timedOut: 0 });
    slow.release();
    await slow.answer;
    expect(metricsOf(app).pools['DB']).toMatchObject({ created: 1 });
  });

  it('serves a tenant while others send requests without a pause', async () => {
    const { module, seen } = appOf({ connections: 4, waitMs: LONGEST_WAIT_MS });
    const { url, app } = await serve(module, platform);
    let going = true;
    // The next request arrives before the last one ends, so that the tenant is never without one.
    const flood = async (tenant: string, first: ReturnType<typeof hold>) => {
      const statuses = new Set<number>();
      let last = first;
      while (going) {
        const next = hold(url, tenant);
        await until(() => next.hasBegun() || waitingIn(app) > 1 || !going);
        last.release();
        statuses.add((await last.answer).status);
        last = next;
      }
      last.release();
      return [...statuses.add((await last.answer).status)];
    };
    const first = [hold(url, 'a'), hold(url, 'b')] as const;
    await Promise.all(first.map(({ begun }) => begun()));
    const modest = call(`${url}/use`, of('c'));
    await until(() => waitingIn(app) === 1);
    const floods = [flood('a', first[0]), flood('b', first[1])];
    expect(await modest).toMatchObject({ status: 200, body: { of: 'c' } });
    going = false;
    // Those that yielded go on.
    expect(await Promise.all(floods)).toEqual([[200], [200]]);
    expect(seen.most).toBe(4);
  });

  it('gives a tenant with many waiting requests one place in line', async () => {
    const { module } = appOf({ connections: 2, waitMs: LONGEST_WAIT_MS });
    const { url, app } = await serve(module, platform);
    const order: string[] = [];
    const slow = hold(url, 'slow');
    await slow.begun();
    const use = (tenant: string) => call(`${url}/use`, of(tenant)).then(() => order.push(tenant));
    const flood = Array.from({ length: 100 }, () => use('flood'));
    await until(() => waitingIn(app) === 100);
    const modest = use('modest');
    await until(() => waitingIn(app) === 101);
    slow.release();
    await Promise.all([slow.answer, modest, ...flood]);
    expect(order).toEqual([...Array<string>(100).fill('flood'), 'modest']);
  });

  it('makes newcomers of a tenant with an endless request wait for a second at most', async () => {
    const { module } = appOf({ connections: 2, waitMs: LONGEST_WAIT_MS });
    const { url, app } = await serve(module, platform);
    const endless = hold(url, 'a');
    await endless.begun();
    const waits = call(`${url}/use`, of('b'));
    await until(() => waitingIn(app) === 1);
    let hasWaited = false;
    // The first ones do not wait: a keeps its connections for a while.
    while (!hasWaited) {
      let isAnswered = false;
      const newcomer = call(`${url}/use`, of('a')).finally(() => (isAnswered = true));
      await until(() => isAnswered || (hasWaited = waitingIn(app) === 2));
      // The endless request goes on.
      expect(await newcomer).toMatchObject({ status: 200, body: { of: 'a' } });
    }
    endless.release();
    expect(await endless.answer).toMatchObject({ status: 200 });
    expect(await waits).toMatchObject({ status: 200, body: { of: 'b' } });
  });

  it('takes the connections of all providers at once, so halves wait for nothing', async () => {
    const { module, seen } = appOf({ connections: 12, waitMs: LONGEST_WAIT_MS }, {}, 2);
    const { url, app } = await serve(module, platform);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => call(`${url}/use`, of(`t${i % 10}`))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(seen.most).toBeLessThanOrEqual(12);
    expect(metricsOf(app).budget).toMatchObject({ timedOut: 0 });
  });

  it('ends a wait of two tenants for each other, and goes on', async () => {
    const { module, seen } = appOf({ connections: 4, waitMs: 1_000 });
    const { url } = await serve(module, platform);
    const [a, b] = await Promise.all([
      call(`${url}/inside?other=c&beside=b`, of('a')),
      call(`${url}/inside?other=d&beside=a`, of('b')),
    ]);
    expect([a.status, b.status]).toContain(503);
    await until(async () => (await call(`${url}/inside?other=c`, of('a'))).status === 200);
    expect(await call(`${url}/inside?other=a`, of('a'))).toMatchObject({ body: { of: 'a' } });
    expect(seen.most).toBe(4);
  });

  it('gives connections back if making or ending an instance fails', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const fails = {
      useFactory: async ({ tenantId }: { tenantId: string }) => {
        await later(1);
        if (tenantId.startsWith('bad')) throw new Error('ECONNREFUSED');
        return new Db(tenantId);
      },
      dispose: () => Promise.reject(new Error('already closed')),
    };
    const { module } = appOf({ connections: 2, waitMs: LONGEST_WAIT_MS }, fails);
    const { url, app } = await serve(module, platform);
    for (const tenant of ['bad1', 'a', 'bad2', 'b', 'c']) {
      const { status } = await call(`${url}/use`, of(tenant));
      expect(status).toBe(tenant.startsWith('bad') ? 500 : 200);
    }
    expect(metricsOf(app)).toMatchObject({
      budget: { used: 2, waiting: 0 },
      pools: { DB: { created: 5, failed: 2, disposeFailed: 2, alive: 1 } },
    });
  });

  it('refuses those that wait at shutdown at once, and lets the others finish', async () => {
    const { module, seen } = appOf({ connections: 2, waitMs: LONGEST_WAIT_MS });
    const { url, app } = await serve(module, platform);
    // Without keep-alive, for which Fastify waits.
    const once = { connection: 'close' };
    const slow = hold(url, 'a', once);
    await slow.begun();
    const waits = hold(url, 'b', once);
    await until(() => waitingIn(app) === 1, 'the wait');
    const closing = app.close();
    expect(await waits.answer).toMatchObject({
      status: 503,
      body: { code: 'TENANT_CONNECTIONS_BUSY' },
    });
    slow.release();
    expect(await slow.answer).toMatchObject({ status: 200, body: { of: 'a' } });
    await closing;
    expect(seen.open).toBe(0);
  });

  it('counts an invalidated instance until its last request ends', async () => {
    const { module, seen } = appOf({ connections: 2, waitMs: LONGEST_WAIT_MS });
    const { url, app } = await serve(module, platform);
    const slow = hold(url, 'a');
    await slow.begun();
    app.get(Tenancy).invalidate('a');
    const next = call(`${url}/use`, of('a'));
    await until(() => waitingIn(app) === 1);
    slow.release();
    expect(await next).toMatchObject({ status: 200, body: { of: 'a' } });
    expect(await slow.answer).toMatchObject({ status: 200, body: { of: 'a' } });
    expect(seen.most).toBe(2);
  });
});

describe('the options of a budget', () => {
  const boot = (module: Type) =>
    NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });

  it.each([
    [{ connections: 0 }, '({ budget.connections }) is 0'],
    [{ connections: 4, waitMs: -1 }, '({ budget.waitMs }) is -1'],
    [{ connections: 1 }, 'each tenant needs 2 connections, but `budget.connections` is 1'],
  ])('refuse %j', async (budget, message) => {
    await expect(boot(appOf(budget).module)).rejects.toThrow(message);
  });

  it('require that connections say how many they open', async () => {
    const connection = { provide: DB, create: () => new Db('a'), dispose: () => undefined };
    const of = (more: { connections?: number }): Type => {
      @Module({
        imports: [
          TenantModule.forRoot({ strategy: 'header', budget: { connections: 4 } }),
          TenantConnectionsModule.forRoot({ ...connection, ...more }),
        ],
      })
      class AppModule {}
      return AppModule;
    };
    await expect(boot(of({}))).rejects.toThrow(
      'Set `connections` to the maximum number of connections of one instance',
    );
    await (await boot(of({ connections: 2 }))).close();
  });
});
