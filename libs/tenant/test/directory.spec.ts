import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Inject, Module, type Type } from '@nestjs/common';
import {
  TENANT_CONTEXT,
  Tenancy,
  type TenantAdapterOptions,
  TenantAdapter,
  type TenantContext,
  TenantModule,
} from '@fledge/tenant';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';

@Controller()
class WhoController {
  constructor(@Inject(TENANT_CONTEXT) private readonly tenant: TenantContext) {}

  @Get('whoami')
  whoami() {
    const { tenantId, identifier, source, data } = this.tenant;
    return { tenantId, identifier, source, data };
  }
}

function appOf(options: Omit<TenantAdapterOptions, 'strategy'>): Type {
  @Module({
    imports: [TenantModule.forRoot({ strategy: 'header', ...options })],
    controllers: [WhoController],
  })
  class AppModule {}
  return AppModule;
}

const as = (tenant: string) => ({ headers: { 'x-tenant-id': tenant } });
const later = (ms = 1) => new Promise<void>((resolve) => setTimeout(resolve, ms));

afterEach(closeAll);

describe.each(platforms)('the tenant store on $name', (platform) => {
  it('maps an identifier to a tenant with its data', async () => {
    const store = async (identifier: string) => {
      await later();
      return { tenantId: `t-${identifier}`, data: { plan: 'pro' } };
    };
    const { url } = await serve(appOf({ store }), platform);
    expect(await call(`${url}/whoami`, as('acme'))).toEqual({
      status: 200,
      body: { tenantId: 't-acme', identifier: 'acme', source: 'header', data: { plan: 'pro' } },
    });
  });

  it('answers 503 if the store returns an invalid record', async () => {
    let record: unknown = { id: 'acme' };
    let fallbacks = 0;
    const options = {
      store: async () => record as never,
      onTenantNotFound: () => `public-${(fallbacks += 1)}`,
    };
    const { url } = await serve(appOf(options), platform);
    const response = await fetch(`${url}/whoami`, as('acme'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toEqual({
      statusCode: 503,
      error: 'Service Unavailable',
      message: 'Tenants cannot be looked up at the moment',
      code: 'TENANT_STORE_UNAVAILABLE',
    });
    expect(fallbacks).toBe(0);
    record = { tenantId: 'acme' };
    expect(await call(`${url}/whoami`, as('acme'))).toMatchObject({ body: { tenantId: 'acme' } });
  });

  it('does not delay other tenants while it is slow for one', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let waiting = false;
    const store = async (identifier: string) => {
      if (identifier === 'slow') {
        waiting = true;
        await gate;
      }
      return { tenantId: identifier };
    };
    const { url, app } = await serve(appOf({ store }), platform);
    const order: string[] = [];
    const ask = async (tenant: string) => {
      await call(`${url}/whoami`, as(tenant));
      order.push(tenant);
    };
    const slow = [ask('slow'), ask('slow')];
    await until(() => waiting, 'the slow lookup');
    await ask('a');
    await ask('b');
    release();
    await Promise.all(slow);
    expect(order).toEqual(['a', 'b', 'slow', 'slow']);
    expect(app.get(TenantAdapter).introspect().metrics).toMatchObject({ cacheMisses: 4 });
  });

  it('lists the tenants for forEach', async () => {
    const records = [
      { tenantId: 'a' },
      { tenantId: 'b', status: 'suspended' as const },
      { tenantId: 'c' },
    ];
    const store = { find: () => null, list: async () => records };
    const { app } = await serve(appOf({ store }), platform);
    const tenancy = app.get(Tenancy);
    const outcomes = await tenancy.forEach('all', () => tenancy.current().tenantId);
    expect(outcomes).toMatchObject([{ value: 'a' }, { value: 'c' }]);
  });
});
