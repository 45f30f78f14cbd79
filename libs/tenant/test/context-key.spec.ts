// The tenant in the request's context, where handlers, context decorators and resolvers look for it.
import {
  ContextModule,
  Ctx,
  defineHttpContextDecorator,
  FromContext,
  RequestContext,
} from '@fledge/core';
import { CentralRoute, type TenantContext, TenantModule, UniversalRoute } from '@fledge/tenant';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

const LoadPlan = defineHttpContextDecorator({
  key: 'plan',
  dependsOn: ['tenant'],
  resolve: (ctx) => `plan of ${ctx.get<TenantContext>('tenant')?.tenantId ?? 'nobody'}`,
});

@Controller()
class PlansController {
  constructor(private readonly ctx: RequestContext) {}

  @LoadPlan
  @Get('plan')
  async plan(@Ctx() ctx: RequestContext, @FromContext('tenant') tenant: TenantContext) {
    await new Promise((resolve) => setImmediate(resolve));
    return [ctx.require('plan'), tenant.tenantId, this.ctx.get<TenantContext>('tenant')?.tenantId];
  }

  @LoadPlan
  @UniversalRoute()
  @Get('universal')
  universal(@Ctx() ctx: RequestContext) {
    return [ctx.require('plan'), ctx.get('tenant') ?? null];
  }

  @LoadPlan
  @CentralRoute()
  @Get('central')
  central(@Ctx() ctx: RequestContext) {
    return [ctx.require('plan'), ctx.get('tenant') ?? null];
  }
}

@Controller()
class OwnController {
  @Get('own')
  @CentralRoute()
  own(@Ctx() ctx: RequestContext) {
    return [ctx.get('tenant')];
  }
}

@Module({ imports: [TenantModule.forRoot({ strategy: 'header' })], controllers: [PlansController] })
class AppModule {}

const Own = defineHttpContextDecorator({ key: 'tenant', resolve: () => 'own' });

@Module({
  imports: [
    ContextModule.forRoot({ contributors: [Own] }),
    TenantModule.forRoot({ strategy: 'header' }),
  ],
  controllers: [OwnController],
})
class OwnModule {}

const of = (tenant: string) => ({ headers: { 'x-tenant-id': tenant } });

describe.each(platforms)("ctx.get('tenant') on $name", (platform) => {
  it("is the request's tenant, and context decorators can depend on it", async () => {
    const { url } = await serve(AppModule, platform);
    const tenants = ['a', 'b', 'c', 'a'];
    const answers = await Promise.all(tenants.map((id) => call(`${url}/plan`, of(id))));
    expect(answers.map(({ body }) => body)).toEqual(tenants.map((id) => [`plan of ${id}`, id, id]));
  });

  it('is undefined without a tenant and on central routes', async () => {
    const { url } = await serve(AppModule, platform);
    const nobody = ['plan of nobody', null];
    expect((await call(`${url}/universal`)).body).toEqual(nobody);
    expect((await call(`${url}/central`, of('a'))).body).toEqual(nobody);
  });

  it("is the application's value if it supplies the key", async () => {
    const { url } = await serve(OwnModule, platform);
    expect((await call(`${url}/own`, of('a'))).body).toEqual(['own']);
  });
});
