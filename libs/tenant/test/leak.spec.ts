import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Inject,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Scope,
  type Type,
} from '@nestjs/common';
import {
  CurrentTenant,
  TENANT_CONTEXT,
  Tenancy,
  type TenantContext,
  TenantModule,
  TenantOptionError,
  UniversalRoute,
} from '@fledge/tenant';
import {
  expectNoTenantLeak,
  sharedConnectionMiddleware,
  TenantLeakError,
} from '@fledge/tenant/testing';
import { ClsServiceManager } from 'nestjs-cls';
import { AsyncLocalStorage } from 'node:async_hooks';
import { closeAll, createApp, platforms, serve } from '../../../test/support/platforms.js';
import { describeManyRequests, random, Reader, Routes, tenants } from './many-requests.js';

afterEach(closeAll);

// soak/many-requests.spec.ts sends more.
describeManyRequests(100);

describe.each(platforms)('the detector on $name', (platform) => {
  /** Applications that leak, each by a mistake people make. */
  @Controller()
  class LastOne {
    private tenantId: string | null = null;

    @Get('whoami')
    async whoami(@CurrentTenant() given: TenantContext) {
      this.tenantId = given.tenantId;
      await random();
      return { tenantId: this.tenantId };
    }
  }

  @Controller()
  class FirstOne {
    private cached: string | undefined;

    @Get('whoami')
    whoami(@CurrentTenant() given: TenantContext) {
      this.cached ??= given.tenantId;
      return { tenantId: this.cached };
    }
  }

  /** Reads what a keep-alive connection's request before it entered and never left. */
  @Controller()
  class Entering {
    @Get('whoami')
    @UniversalRoute()
    async whoami(@CurrentTenant() given: TenantContext | null) {
      left.tenantId = given?.tenantId ?? left.tenantId;
      await random();
      return { tenantId: left.tenantId };
    }
  }
  const left: { tenantId: string | null } = { tenantId: null };

  it.each([LastOne, FirstOne, Entering])('detects %p', async (controller) => {
    @Module({
      imports: [TenantModule.forRoot({ strategy: 'header' })],
      controllers: [controller],
    })
    class AppModule {}
    const { app } = await serve(AppModule as Type, platform);
    const asking = expectNoTenantLeak(app, { tenants, requests: 200 });
    await expect(asking).rejects.toThrow(TenantLeakError);
    await expect(asking).rejects.toMatchObject({
      code: 'TENANT_LEAK',
      message: expect.stringMatching(/requests returned the wrong tenant:\n {2}http.*\/whoami/),
    });
  });

  it('detects a storage of the application, behind middleware with a callback', async () => {
    const storage = new AsyncLocalStorage<string | null>();
    @Controller()
    class Stored {
      @Get('whoami')
      @UniversalRoute()
      whoami() {
        return { tenantId: storage.getStore() ?? null };
      }
    }
    const fill = (req: { headers: Record<string, string> }, _: unknown, next: () => void) =>
      storage.run(req.headers['x-tenant-id'] ?? null, next);
    @Module({ imports: [TenantModule.forRoot({ strategy: 'header' })], controllers: [Stored] })
    class AppModule implements NestModule {
      configure(consumer: MiddlewareConsumer) {
        consumer.apply(fill, sharedConnectionMiddleware()).forRoutes('{*path}');
      }
    }
    const { app } = await serve(AppModule as Type, platform);
    await expect(
      expectNoTenantLeak(app, { tenants, requests: 100, connections: 1 }),
    ).rejects.toThrow(TenantLeakError);
  });

  it('throws if no response names a tenant', async () => {
    @Controller()
    class Silent {
      @Get('whoami')
      whoami() {
        return 'hello';
      }
    }
    @Module({ imports: [TenantModule.forRoot({ strategy: 'header' })], controllers: [Silent] })
    class AppModule {}
    const { app } = await serve(AppModule as Type, platform);
    await expect(
      expectNoTenantLeak(app, { tenants, requests: 20, withoutTenant: 1 }),
    ).rejects.toThrow(/nothing was tested/);
    // A tenant's request that tells no tenant is a leak of its own kind.
    await expect(expectNoTenantLeak(app, { tenants, requests: 20 })).rejects.toThrow(
      TenantLeakError,
    );
    await expect(expectNoTenantLeak(app, { tenants: ['a', 'a'] })).rejects.toThrow(
      TenantOptionError,
    );
  });
});

describe.each(platforms)('what runs before everything else on $name', (platform) => {
  it('does not see the tenant of the previous request on the connection', async () => {
    const seen: unknown[] = [];
    @Module({
      imports: [TenantModule.forRoot({ strategy: 'header' })],
      controllers: [Routes],
      providers: [Reader],
    })
    class AppModule {}
    const { app } = await serve(AppModule as Type, platform, (made) => {
      made.use((_: unknown, __: unknown, next: () => void) => {
        if (ClsServiceManager.getClsService().isActive()) seen.push('a store');
        next();
      });
    });
    await expectNoTenantLeak(app, { tenants, requests: 200, connections: 1 });
    expect(seen).toEqual([]);
  });
});

it.each(platforms)(
  'does not serve for the tenant that opened the server on $name',
  async (platform) => {
    @Module({
      imports: [TenantModule.forRoot({ strategy: 'header' })],
      controllers: [Routes],
      providers: [Reader],
    })
    class AppModule {}
    const app = await createApp(AppModule, platform.adapter());
    await app.get(Tenancy).run('opener', () => app.listen(0, '127.0.0.1'));
    await expectNoTenantLeak(app, { tenants, requests: 100, paths: ['/maybe'] });
  },
);

it.each(platforms)('makes no controller request-scoped on $name', async (platform) => {
  let made = 0;
  @Controller()
  class Counted {
    constructor(@Inject(TENANT_CONTEXT) private readonly tenant: TenantContext) {
      made += 1;
    }

    @Get('whoami')
    whoami() {
      return this.tenant;
    }
  }
  @Module({ imports: [TenantModule.forRoot({ strategy: 'header' })], controllers: [Counted] })
  class AppModule {}
  const { app } = await serve(AppModule as Type, platform);
  await expectNoTenantLeak(app, { tenants, requests: 100 });
  expect(made).toBe(1);
  expect(Reflect.getMetadata('scope:options', Counted)?.scope ?? Scope.DEFAULT).toBe(Scope.DEFAULT);
});
