// A Nest application with one route that answers its tenant.
// Arguments: platform (Express | Fastify), then how it knows: `bare` (it does not: the answer is
// fixed), `fledge`, `proxy` (a proxy provider of nestjs-cls) or `request` (a REQUEST-scoped provider).
import 'reflect-metadata';
import type { IncomingMessage } from 'node:http';
import { Controller, type DynamicModule, Get, Inject, Module, Scope } from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import { TENANT_CONTEXT, TenantModule } from '@fledge/tenant';
import { CLS_REQ, ClsModule } from 'nestjs-cls';
import { listen, platformAdapter } from './platform.js';
import { report } from './report.js';

const TENANT = Symbol('tenant');

interface Tenant {
  readonly tenantId: string;
}

const tenantOf = ({ headers }: IncomingMessage): Tenant => ({
  tenantId: headers['x-tenant-id'] as string,
});

@Module({})
class TenantSource {}

const sources: Record<string, DynamicModule> = {
  bare: {
    module: TenantSource,
    providers: [{ provide: TENANT, useValue: { tenantId: 'acme' } }],
    exports: [TENANT],
  },
  fledge: {
    module: TenantSource,
    imports: [TenantModule.forRoot({ strategy: 'header' })],
    providers: [{ provide: TENANT, useExisting: TENANT_CONTEXT }],
    exports: [TENANT],
  },
  proxy: {
    module: TenantSource,
    imports: [
      ClsModule.forRoot({ middleware: { mount: true } }),
      ClsModule.forFeatureAsync({ provide: TENANT, inject: [CLS_REQ], useFactory: tenantOf }),
    ],
    exports: [ClsModule],
  },
  request: {
    module: TenantSource,
    providers: [{ provide: TENANT, scope: Scope.REQUEST, inject: [REQUEST], useFactory: tenantOf }],
    exports: [TENANT],
  },
};

const [platform, known = ''] = process.argv.slice(2);
const source = sources[known];
if (source === undefined) throw new Error(`No such source of tenants: ${known}`);

@Controller()
class WhoAmI {
  constructor(@Inject(TENANT) private readonly tenant: Tenant) {}

  @Get('whoami')
  whoami() {
    return { tenantId: this.tenant.tenantId };
  }
}

@Module({ imports: [source], controllers: [WhoAmI] })
class AppModule {}

const app = await NestFactory.create(AppModule, platformAdapter(platform), {
  logger: ['error', 'warn'],
});
report(await listen(app));
