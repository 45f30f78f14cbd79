import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  Catch,
  Controller,
  Delete,
  ForbiddenException,
  Get,
  HttpException,
  Inject,
  Injectable,
  type INestApplication,
  Module,
  type ModuleMetadata,
  Req,
  type Type,
  VersioningType,
} from '@nestjs/common';
import { BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import {
  CentralRoute,
  TENANT_CONTEXT,
  type TenantAdapterOptions,
  type TenantContext,
  TenantModule,
  UniversalRoute,
} from '@fledge/tenant';
import { inspect } from 'node:util';
import { ClsModule } from 'nestjs-cls';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { sendRaw } from './raw-http.js';

afterEach(closeAll);

const notResolved = {
  statusCode: 400,
  error: 'Bad Request',
  message: 'Tenant could not be resolved',
  code: 'TENANT_NOT_RESOLVED',
};

let built = { services: 0, controllers: 0 };

@Injectable()
class WhoService {
  constructor(@Inject(TENANT_CONTEXT) readonly tenant: TenantContext) {
    built.services += 1;
  }
}

class Who {
  constructor(@Inject(WhoService) protected readonly who: WhoService) {
    built.controllers += 1;
  }

  @Get('whoami')
  whoami() {
    return { tenantId: this.who.tenant.tenantId };
  }
}

@Controller()
class Plain extends Who {
  @Get('url')
  url(@Req() req: { originalUrl: string; url: string; raw?: { url: string } }) {
    const { tenantId } = this.who.tenant;
    return { tenantId, originalUrl: req.originalUrl, url: req.raw?.url ?? req.url };
  }

  @Get('central')
  @CentralRoute()
  central() {
    return { ok: true };
  }

  @Get('central/reads')
  @CentralRoute()
  centralReads() {
    return { tenantId: this.who.tenant.tenantId };
  }

  @Get('universal')
  @UniversalRoute()
  universal() {
    return { tenantId: 'tenantId' in this.who.tenant ? this.who.tenant.tenantId : null };
  }

  @Get('shown')
  async shown() {
    const { tenant } = this.who;
    return {
      json: JSON.stringify(tenant),
      spread: { ...tenant },
      keys: Object.keys(tenant),
      has: 'tenantId' in tenant,
      inspected: inspect(tenant),
      awaited: (await Promise.resolve(tenant)) === tenant,
    };
  }

  @Delete('whoami')
  write() {
    const { tenant } = this.who as unknown as { tenant: { tenantId?: string } };
    const attempts = [
      () => (tenant.tenantId = 'evil'),
      () => delete tenant.tenantId,
      () => Object.assign(tenant, { tenantId: 'evil' }),
      () => Object.defineProperty(tenant, 'tenantId', { value: 'evil' }),
      () => Object.setPrototypeOf(tenant, { tenantId: 'evil' }) as unknown,
    ];
    return { errors: attempts.map(nameOfError), tenantId: tenant.tenantId };
  }
}

@Controller(':tenant')
class Below extends Who {}

@Controller({ version: '1' })
class Versioned extends Who {}

function nameOfError(attempt: () => unknown): string {
  try {
    attempt();
    return 'none';
  } catch (error) {
    return (error as Error).name;
  }
}

interface Setup {
  readonly controller?: Type;
  readonly imports?: (
    tenants: NonNullable<ModuleMetadata['imports']>[number],
  ) => ModuleMetadata['imports'];
  readonly prepare?: (app: INestApplication) => void;
}

describe.each(platforms)('the contract on $name', (platform) => {
  const boot = async (options: TenantAdapterOptions, setup: Setup = {}) => {
    built = { services: 0, controllers: 0 };
    const tenants = TenantModule.forRoot(options);
    @Module({
      imports: setup.imports?.(tenants) ?? [tenants],
      controllers: [setup.controller ?? Plain],
      providers: [WhoService],
    })
    class AppModule {}
    const { url } = await serve(AppModule, platform, setup.prepare);
    return async (target: string, headers: readonly string[] = [], method = 'GET') => {
      const { status, body } = await sendRaw(url, target, headers, method);
      return { status, body };
    };
  };
  const tenant = (tenantId: string | null) => ({ status: 200, body: { tenantId } });
  const refused = { status: 400, body: notResolved };
  const acme = ['X-Tenant-ID: acme'];

  it('the header', async () => {
    const get = await boot({ strategy: 'header' });
    expect(await get('/whoami', acme)).toEqual(tenant('acme'));
    expect(await get('/whoami', ['x-TENANT-id: beta'])).toEqual(tenant('beta'));
  });

  it('another header', async () => {
    const get = await boot({ strategy: 'header', header: 'X-Org' });
    expect(await get('/whoami', ['x-org: beta'])).toEqual(tenant('beta'));
    expect(await get('/whoami', acme)).toEqual(refused);
  });

  it.each([[[]], [['X-Tenant-ID:']], [['X-Tenant-ID:   ']]])('no tenant in %j', async (headers) => {
    const get = await boot({ strategy: 'header' });
    expect(await get('/whoami', headers)).toEqual(refused);
  });

  it.each([
    ['at once', () => 'public'],
    ['later', () => Promise.resolve('public')],
  ])('a fallback, found %s', async (_when, onTenantNotFound) => {
    const get = await boot({ strategy: 'header', onTenantNotFound });
    expect(await get('/whoami')).toEqual(tenant('public'));
    expect(await get('/whoami', acme)).toEqual(tenant('acme'));
  });

  it.each<[string, () => string | Promise<string>, number, object]>([
    [
      'an HTTP error',
      () => {
        throw new ForbiddenException('no');
      },
      403,
      { statusCode: 403, error: 'Forbidden', message: 'no' },
    ],
    [
      'an error',
      () => {
        throw new Error('secret');
      },
      500,
      { statusCode: 500, message: 'Internal server error' },
    ],
    [
      'an HTTP error later',
      () => Promise.reject(new ForbiddenException('no')),
      403,
      { statusCode: 403, error: 'Forbidden', message: 'no' },
    ],
    ['nothing', () => '', 400, notResolved],
  ])('a fallback that ends with %s', async (_what, onTenantNotFound, status, body) => {
    const get = await boot({ strategy: 'header', onTenantNotFound });
    expect(await get('/whoami')).toEqual({ status, body });
  });

  it('the subdomain', async () => {
    const get = await boot({ strategy: 'subdomain' });
    expect(await get('/whoami', ['Host: acme.example.com'])).toEqual(tenant('acme'));
    expect(await get('/whoami', ['Host: example.com'])).toEqual(refused);
  });

  it('the path', async () => {
    const get = await boot({ strategy: 'path' }, { controller: Below });
    expect(await get('/acme/whoami')).toEqual(tenant('acme'));
    expect((await get('/')).status).toBe(404);
    expect((await get('/acme')).status).toBe(404);
  });

  it('the path behind a global prefix', async () => {
    const prepare = (app: INestApplication) => void app.setGlobalPrefix('api');
    const options = { strategy: 'path', path: { after: '/api' } } as const;
    const get = await boot(options, { controller: Below, prepare });
    expect(await get('/api/acme/whoami')).toEqual(tenant('acme'));
    expect((await get('/acme/whoami')).status).toBe(404);
  });

  it('the path, stripped before routes are matched', async () => {
    const get = await boot({ strategy: 'path', path: { strip: true, reserved: ['central'] } });
    expect(await get('/acme/whoami')).toEqual(tenant('acme'));
    expect(await get('/acme/url?x=%20y')).toEqual({
      status: 200,
      body: { tenantId: 'acme', originalUrl: '/acme/url?x=%20y', url: '/url?x=%20y' },
    });
    expect(await get('/acme/whoami', [], 'DELETE')).toMatchObject({ body: { tenantId: 'acme' } });
    expect(await get('/central')).toEqual({ status: 200, body: { ok: true } });
    expect((await get('/whoami')).status).toBe(404);
    expect((await get("/a'b/whoami")).body).toMatchObject({ code: 'TENANT_INVALID' });
  });

  it('the query', async () => {
    const get = await boot({ strategy: 'query' });
    expect(await get('/whoami?tenant=acme')).toEqual(tenant('acme'));
    const other = await boot({ strategy: 'query', queryParam: 'org' });
    expect(await other('/whoami?org=acme')).toEqual(tenant('acme'));
    expect(await other('/whoami?tenant=acme')).toEqual(refused);
  });

  it('a function', async () => {
    const now = await boot({ strategy: (req) => req.headers['x-a'] as string | undefined });
    expect(await now('/whoami', ['X-A: beta'])).toEqual(tenant('beta'));
    expect(await now('/whoami')).toEqual(refused);
    const later = await boot({
      strategy: async (req) => Promise.resolve(req.headers['x-a'] as string),
    });
    expect(await later('/whoami', ['X-A: beta'])).toEqual(tenant('beta'));
    for (const strategy of [
      () => {
        throw new HttpException('teapot', 418);
      },
      () => Promise.reject(new HttpException('teapot', 418)),
    ]) {
      const failing = await boot({ strategy });
      expect(await failing('/whoami')).toEqual({
        status: 418,
        body: { statusCode: 418, message: 'teapot' },
      });
      expect((await failing('/central')).status).toBe(200);
    }
  });

  it('one service and one controller for all tenants', async () => {
    const get = await boot({ strategy: 'header' });
    for (let i = 0; i < 100; i += 1) {
      const tenantId = i % 2 === 0 ? 'acme' : 'beta';
      expect(await get('/whoami', [`X-Tenant-ID: ${tenantId}`])).toEqual(tenant(tenantId));
    }
    expect(built).toEqual({ services: 1, controllers: 1 });
  });

  it('an unknown route', async () => {
    const get = await boot({ strategy: 'header' });
    expect((await get('/nowhere')).status).toBe(404);
    expect((await get('/nowhere', acme)).status).toBe(404);
    expect((await get('/nowhere', ['X-Tenant-ID: ../etc'])).status).toBe(404);
  });

  it('a central route', async () => {
    const get = await boot({ strategy: 'header' });
    expect(await get('/central')).toEqual({ status: 200, body: { ok: true } });
    const internal = { statusCode: 500, message: 'Internal server error' };
    expect(await get('/central/reads')).toEqual({ status: 500, body: internal });
    expect(await get('/central/reads', acme)).toEqual({ status: 500, body: internal });
  });

  it('a universal route', async () => {
    const get = await boot({ strategy: 'header' });
    expect(await get('/universal')).toEqual(tenant(null));
    expect(await get('/universal', acme)).toEqual(tenant('acme'));
  });

  it('versions in the path', async () => {
    const prepare = (app: INestApplication) =>
      void app.enableVersioning({ type: VersioningType.URI });
    const get = await boot({ strategy: 'header' }, { controller: Versioned, prepare });
    expect(await get('/v1/whoami', acme)).toEqual(tenant('acme'));
    expect(await get('/v1/whoami')).toEqual(refused);
  });

  it('the context looks like a plain object', async () => {
    const get = await boot({ strategy: 'header' });
    expect((await get('/shown', acme)).body).toEqual({
      json: '{"tenantId":"acme"}',
      spread: { tenantId: 'acme' },
      keys: ['tenantId'],
      has: true,
      inspected: "{ tenantId: 'acme' }",
      awaited: true,
    });
  });

  it('the context is read-only', async () => {
    const get = await boot({ strategy: 'header' });
    expect(await get('/whoami', acme, 'DELETE')).toEqual({
      status: 200,
      body: { errors: Array(5).fill('TypeError') as string[], tenantId: 'acme' },
    });
  });

  it.each<[string, NonNullable<Setup['imports']>]>([
    ['none', (tenants) => [tenants]],
    [
      'its middleware before',
      (tenants) => [ClsModule.forRoot({ middleware: { mount: true } }), tenants],
    ],
    [
      'its middleware after',
      (tenants) => [tenants, ClsModule.forRoot({ middleware: { mount: true } })],
    ],
    [
      'its interceptor',
      (tenants) => [ClsModule.forRoot({ interceptor: { mount: true } }), tenants],
    ],
    ['its guard', (tenants) => [ClsModule.forRoot({ guard: { mount: true } }), tenants]],
  ])('of ClsModule: %s', async (_which, imports) => {
    const get = await boot({ strategy: 'header' }, { imports });
    expect(await get('/whoami', acme)).toEqual(tenant('acme'));
    expect(await get('/whoami')).toEqual(refused);
  });

  it('exception filters get the refusal, once', async () => {
    const caught: unknown[] = [];
    @Catch()
    class Filter extends BaseExceptionFilter {
      override catch(error: unknown, host: ArgumentsHost) {
        caught.push(error);
        super.catch(error, host);
      }
    }
    const prepare = (app: INestApplication) => {
      app.useGlobalFilters(new Filter(app.get(HttpAdapterHost).httpAdapter));
    };
    const get = await boot({ strategy: 'header' }, { prepare });
    expect(await get('/whoami')).toEqual(refused);
    expect(caught).toEqual([expect.objectContaining({ code: 'TENANT_NOT_RESOLVED' })]);
  });
});
