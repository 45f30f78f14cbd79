// Code that runs before the guards reads the tenant of a rejected request.
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Inject,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Scope,
} from '@nestjs/common';
import { RequestContext } from '@fledge/core';
import {
  Tenancy,
  TENANT_CONTEXT,
  type TenantAdapterOptions,
  type TenantContext,
  TenantModule,
  UniversalRoute,
} from '@fledge/tenant';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { sendRaw } from './raw-http.js';

afterAll(closeAll);

@Injectable({ scope: Scope.REQUEST })
class ByContext {
  readonly of: string;
  constructor(@Inject(TENANT_CONTEXT) tenant: TenantContext) {
    this.of = tenant.tenantId;
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class Durable extends ByContext {}

@Injectable({ scope: Scope.REQUEST })
class ByTenancy {
  readonly of: string;
  constructor(tenancy: Tenancy) {
    this.of = tenancy.current().tenantId;
  }
}

@Injectable({ scope: Scope.REQUEST })
class ByRequire {
  readonly of: string;
  constructor(ctx: RequestContext) {
    this.of = ctx.require<TenantContext>('tenant').tenantId;
  }
}

const readers = { ByContext, Durable, ByTenancy, ByRequire };
const controllers = Object.entries(readers).map(([path, Reader]) => {
  @Controller(path)
  class Routes {
    constructor(@Inject(Reader) private readonly reader: ByContext) {}

    @Get()
    read() {
      return { of: this.reader.of };
    }
  }
  return Routes;
});

@Controller()
class Others {
  constructor(@Inject(TENANT_CONTEXT) private readonly tenant: TenantContext) {}

  @Get('middleware')
  middleware() {
    return {};
  }

  @Get('universal')
  @UniversalRoute()
  universal() {
    return { of: this.tenant.tenantId };
  }
}

const STATUS = { gone: 'suspended', busy: 'maintenance' } as const;

describe.each(platforms)('code before the guards on $name', (platform) => {
  async function boot(options: Partial<TenantAdapterOptions> = {}) {
    @Module({
      imports: [
        TenantModule.forRoot({
          strategy: 'header',
          store: async (tenantId) =>
            tenantId === 'unknown'
              ? null
              : { tenantId, status: STATUS[tenantId as keyof typeof STATUS] ?? 'active' },
          ...options,
        }),
      ],
      controllers: [...controllers, Others],
      providers: Object.values(readers),
    })
    class AppModule implements NestModule {
      constructor(private readonly tenancy: Tenancy) {}

      configure(consumer: MiddlewareConsumer) {
        const read = (_req: unknown, _res: unknown, next: () => void) => {
          this.tenancy.current();
          next();
        };
        consumer.apply(read).forRoutes('middleware');
      }
    }
    const { url } = await serve(AppModule, platform);
    return (path: string, tenant: string) =>
      sendRaw(url, path, tenant === '' ? [] : [`X-Tenant-ID: ${tenant}`]);
  }

  const rejections: [tenant: string, status: number, code: string][] = [
    ['gone', 403, 'TENANT_SUSPENDED'],
    ['busy', 503, 'TENANT_MAINTENANCE'],
    ['unknown', 404, 'TENANT_UNKNOWN'],
    ["a'b", 400, 'TENANT_INVALID'],
    ['', 400, 'TENANT_NOT_RESOLVED'],
  ];

  it.each([...Object.keys(readers), 'middleware'])('gets the rejection: %s', async (path) => {
    const rejected: string[] = [];
    const send = await boot({
      hooks: { rejected: (error) => rejected.push((error as { code: string }).code) },
    });
    for (const [tenant, status, code] of rejections) {
      const response = await send(`/${path}`, tenant);
      expect(response).toMatchObject({ status, body: { statusCode: status, code } });
      expect(response.headers['retry-after'] !== undefined).toBe(status === 503);
    }
    expect(rejected).toEqual(rejections.map(([, , code]) => code));
    expect(await send(`/${path}`, 'acme')).toMatchObject({ status: 200 });
  });

  it('keeps a mistake in a route that accepts requests without a tenant a 500', async () => {
    const send = await boot();
    expect(await send('/universal', '')).toMatchObject({ status: 500 });
    expect(await send('/universal', 'gone')).toMatchObject({ status: 403 });
  });
});
