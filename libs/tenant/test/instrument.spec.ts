// Instance decorators of tracers wrap every provider in a Proxy.
import { TENANT_CONTEXT, type TenantContext, TenantModule } from '@fledge/tenant';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Inject, Module } from '@nestjs/common';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

const POOL = Symbol('pool');

@Controller()
class Routes {
  constructor(
    @Inject(TENANT_CONTEXT) private readonly tenant: TenantContext,
    @Inject(POOL) private readonly pool: { readonly of: string },
  ) {}

  @Get('whoami')
  whoami() {
    return { tenantId: this.tenant.tenantId, pool: this.pool.of, all: { ...this.tenant } };
  }
}

@Module({
  imports: [
    TenantModule.forRoot({ strategy: 'header' }),
    TenantModule.forFeature([
      {
        provide: POOL,
        useFactory: ({ tenantId }: TenantContext) => ({ of: tenantId }),
        inject: [TENANT_CONTEXT],
      },
    ]),
  ],
  controllers: [Routes],
})
class AppModule {}

/** Passes on every property, with methods bound to their object. */
function inProxy(instance: unknown): unknown {
  if (typeof instance !== 'object' || instance === null) return instance;
  return new Proxy(instance, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' && key !== 'constructor' ? value.bind(target) : value;
    },
  });
}

describe.each(platforms)('An instance decorator that returns a Proxy, on $name', (platform) => {
  it('leaves the application as it is', async () => {
    const { url } = await serve(AppModule, platform, undefined, {
      instrument: { instanceDecorator: inProxy },
    });
    for (const tenantId of ['acme', 'beta']) {
      expect(await call(`${url}/whoami`, { headers: { 'x-tenant-id': tenantId } })).toEqual({
        status: 200,
        body: { tenantId, pool: tenantId, all: { tenantId } },
      });
    }
    expect((await call(`${url}/whoami`)).status).toBe(400);
  });
});
