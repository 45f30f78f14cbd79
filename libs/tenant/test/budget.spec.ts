// The budget of connections over all tenants, with instances that count what is open.
import { request } from 'node:http';
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

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const DB = Symbol('DB');
const of = (tenant: string) => ({ headers: { 'x-tenant-id': tenant } });

class Db {
  constructor(readonly of: string) {}
}

@Controller()
class DbController {
  constructor(
    @Inject(DB) private readonly db: Db,
    private readonly tenancy: Tenancy,
  ) {}

  @Get('use')
  async use(@Query('ms') ms = '0') {
    await later(Number(ms));
    return { of: this.db.of };
  }

  @Get('inside')
  async inside(@Query('other') other: string) {
    await later(30);
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

afterEach(async () => {
  jest.restoreAllMocks();
  await closeAll();
});

describe.each(platforms)('a budget of connections on $name', (platform) => {
  it('is kept with more tenants at once than it has room for, and each gets its instance', async () => {
    const { module, seen } = appOf({ connections: 8 });
    const { url, app } = await serve(module, platform);
    const tenants = Array.from({ length: 300 }, (_, i) => `t${i % 30}`);
    const answers = await Promise.all(tenants.map((t) => call(`${url}/use?ms=5`, of(t))));
    answers.forEach(({ body }, i) => expect(body).toEqual({ of: tenants[i] }));
    expect(seen.most).toBe(8);
    const { budget, pools } = metricsOf(app);
    expect(budget).toMatchObject({ connections: 8, waiting: 0, timedOut: 0, left: 0 });
    expect(budget['used']).toBeLessThanOrEqual(8);
    expect(budget['evicted']).toBeGreaterThanOrEqual(26);
    expect(budget['waited']).toBeGreaterThan(200);
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

  it('answers 503 with Retry-After if no connection gets free in time', async () => {
    const { module, seen } = appOf({ connections: 2, waitMs: 60 });
    const { url, app } = await serve(module, platform);
    const slow = call(`${url}/use?ms=400`, of('a'));
    await until(() => seen.open === 2, 'the slow request');
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
    expect(await slow).toMatchObject({ status: 200 });
    expect(await call(`${url}/use`, of('b'))).toMatchObject({ status: 200, body: { of: 'b' } });
  });

  it('gives up the place of a client that leaves', async () => {
    const { module, seen } = appOf({ connections: 2, waitMs: 10_000 });
    const { url, app } = await serve(module, platform);
    const slow = call(`${url}/use?ms=300`, of('a'));
    await until(() => seen.open === 2, 'the slow request');
    const leaving = request(`${url}/use`, of('gone')).on('error', () => undefined);
    leaving.end();
    await until(() => metricsOf(app).budget['waiting'] === 1, 'the wait');
    leaving.destroy();
    await until(() => metricsOf(app).budget['waiting'] === 0, 'the end of the wait');
    expect(metricsOf(app).budget).toMatchObject({ left: 1, timedOut: 0 });
    await slow;
    expect(metricsOf(app).pools['DB']).toMatchObject({ created: 1 });
  });

  it('serves a tenant while others send requests without a pause', async () => {
    const { module, seen } = appOf({ connections: 4, waitMs: 4_000 });
    const { url } = await serve(module, platform);
    let going = true;
    // Staggered, so that the tenant is never without a request.
    const hammer = async (tenant: string, index: number) => {
      await later(index * 50);
      const statuses = new Set<number>();
      while (going) statuses.add((await call(`${url}/use?ms=150`, of(tenant))).status);
      return [...statuses];
    };
    const floods = ['a', 'b', 'a', 'b', 'a', 'b'].map(hammer);
    await later(400);
    const began = performance.now();
    const answer = await call(`${url}/use`, of('c'));
    const waited = performance.now() - began;
    going = false;
    // At first the others go on for a turn.
    // Those that yielded go on.
    expect(await Promise.all(floods)).toEqual(floods.map(() => [200]));
    expect(answer).toMatchObject({ status: 200, body: { of: 'c' } });
    expect(waited).toBeGreaterThan(100);
    expect(waited).toBeLessThan(1_500);
    expect(seen.most).toBe(4);
  });

  it('gives a tenant with many waiting requests one place in line', async () => {
    const { module, seen } = appOf({ connections: 2, waitMs: 8_000 });
    const { url } = await serve(module, platform);
    const order: string[] = [];
    const use = async (tenant: string, ms = 0) => {
      await call(`${url}/use?ms=${ms}`, of(tenant));
      order.push(tenant);
    };
    const slow = use('slow', 150);
    await until(() => seen.open === 2, 'the slow request');
    const flood = Array.from({ length: 500 }, () => use('flood'));
    const modest = use('modest');
    await Promise.all([slow, modest, ...flood]);
    expect(new Set(order.slice(0, 501))).toEqual(new Set(['slow', 'flood']));
    expect(order[501]).toBe('modest');
  });

  it('makes newcomers of a tenant with an endless request wait for a second at most', async () => {
    const { module } = appOf({ connections: 2, waitMs: 3_000 });
    const { url } = await serve(module, platform);
    const endless = call(`${url}/use?ms=1600`, of('a'));
    await later(250);
    const waits = call(`${url}/use`, of('b'));
    await later(400);
    const began = performance.now();
    expect(await call(`${url}/use`, of('a'))).toMatchObject({ status: 200 });
    expect(performance.now() - began).toBeLessThan(1_300);
    expect(await endless).toMatchObject({ status: 200 });
    expect(await waits).toMatchObject({ status: 200, body: { of: 'b' } });
  });

  it('takes the connections of all providers at once, so halves wait for nothing', async () => {
    const { module, seen } = appOf({ connections: 12, waitMs: 3_000 }, {}, 2);
    const { url, app } = await serve(module, platform);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => call(`${url}/use?ms=3`, of(`t${i % 10}`))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(seen.most).toBeLessThanOrEqual(12);
    expect(metricsOf(app).budget).toMatchObject({ timedOut: 0 });
  });

  it('ends a wait of two tenants for each other, and goes on', async () => {
    const { module, seen } = appOf({ connections: 4, waitMs: 150 });
    const { url } = await serve(module, platform);
    const [a, b] = await Promise.all([
      call(`${url}/inside?other=c`, of('a')),
      call(`${url}/inside?other=d`, of('b')),
    ]);
    expect([a.status, b.status]).toContain(503);
    expect(await call(`${url}/inside?other=c`, of('a'))).toMatchObject({ status: 200 });
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
    const { module } = appOf({ connections: 2, waitMs: 1_000 }, fails);
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
    const { module, seen } = appOf({ connections: 2, waitMs: 20_000 });
    const { url, app } = await serve(module, platform);
    // Without keep-alive, for which Fastify waits.
    const once = (id: string) => ({ headers: { ...of(id).headers, connection: 'close' } });
    const slow = call(`${url}/use?ms=300`, once('a'));
    await until(() => seen.open === 2, 'the slow request');
    const waits = call(`${url}/use`, once('b'));
    await until(() => metricsOf(app).budget['waiting'] === 1, 'the wait');
    const closing = app.close();
    expect(await waits).toMatchObject({ status: 503, body: { code: 'TENANT_CONNECTIONS_BUSY' } });
    expect(await slow).toMatchObject({ status: 200, body: { of: 'a' } });
    await closing;
    expect(seen.open).toBe(0);
  });

  it('counts an invalidated instance until its last request ends', async () => {
    const { module, seen } = appOf({ connections: 2, waitMs: 3_000 });
    const { url, app } = await serve(module, platform);
    const slow = call(`${url}/use?ms=200`, of('a'));
    await until(() => seen.open === 2, 'the slow request');
    app.get(Tenancy).invalidate('a');
    expect(await call(`${url}/use`, of('a'))).toMatchObject({ status: 200, body: { of: 'a' } });
    expect(await slow).toMatchObject({ status: 200, body: { of: 'a' } });
    expect(seen.most).toBe(2);
  });
});

describe('the options of a budget', () => {
  const boot = (module: Type) =>
    NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });

  it.each([
    [{ connections: 0 }, 'budget.connections is 0'],
    [{ connections: 4, waitMs: -1 }, 'budget.waitMs is -1'],
    [{ connections: 1 }, 'a tenant takes 2 connections, but budget.connections is 1'],
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
    await expect(boot(of({}))).rejects.toThrow('Set connections to the largest number');
    await (await boot(of({ connections: 2 }))).close();
  });
});
