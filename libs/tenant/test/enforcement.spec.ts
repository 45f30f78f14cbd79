import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  type NestApplicationOptions,
  type NestInterceptor,
  Options,
  Post,
  Query,
  type Type,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import {
  CentralRoute,
  CurrentTenant,
  SameTenant,
  type TenantAdapterOptions,
  TenantAdapter,
  type TenantContext,
  Tenancy,
  TenantModule,
  TenantRoute,
  UniversalRoute,
} from '@fledge/tenant';
import { call, closeAll, platforms, post, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

/** As passport would: whoever the token names, under `req.user`. */
@Injectable()
class Login implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const req = execution
      .switchToHttp()
      .getRequest<{ headers: Record<string, string>; user: unknown }>();
    const tenants = req.headers['x-user-of'];
    if (tenants !== undefined) req.user = { tenants: tenants.split(',') };
    return true;
  }
}

/** A guard of a method, the last to run: whoever `x-late-user-of` names. */
class LateLogin implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const req = execution
      .switchToHttp()
      .getRequest<{ headers: Record<string, string>; user: unknown }>();
    req.user = { tenants: [req.headers['x-late-user-of']] };
    return true;
  }
}

/** As multer would for a multipart body. */
class ParseBody implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler) {
    const req = execution.switchToHttp().getRequest<{ body: unknown }>();
    req.body = { tenantId: '8' };
    return next.handle();
  }
}

const handled: string[] = [];
const note = (name: string, tenant: TenantContext | null) => {
  handled.push(name);
  return { tenantId: tenant?.tenantId ?? null };
};

@Controller()
@UseGuards(Login)
class Routes {
  constructor(private readonly tenancy: Tenancy) {}

  @Get('default')
  default(@CurrentTenant() tenant: TenantContext) {
    return note('default', tenant);
  }

  @Get('tenant')
  @TenantRoute()
  tenant(@CurrentTenant() tenant: TenantContext) {
    return note('tenant', tenant);
  }

  @Get('universal')
  @UniversalRoute()
  universal(@CurrentTenant() tenant: TenantContext | null) {
    return note('universal', tenant);
  }

  @Get('central')
  @CentralRoute()
  central(@CurrentTenant() tenant: TenantContext | null) {
    return note('central', tenant);
  }

  @Get('central/reads')
  @CentralRoute()
  centralReads() {
    return this.tenancy.current();
  }

  @Get('late')
  @UseGuards(LateLogin)
  late(@CurrentTenant() tenant: TenantContext) {
    return note('late', tenant);
  }

  @Post('same')
  @SameTenant('body.tenantId', 'query.tenant')
  same(@Body() _: object, @Query() __: object, @CurrentTenant() tenant: TenantContext) {
    return note('same', tenant);
  }

  @Post('parsed')
  @SameTenant('body.tenantId')
  @UseInterceptors(ParseBody)
  parsed(@CurrentTenant() tenant: TenantContext) {
    return note('parsed', tenant);
  }

  @Options('default')
  preflight(@CurrentTenant() tenant: TenantContext | null) {
    return note('preflight', tenant);
  }
}

type User = { user?: { tenants: string[] } };
const principal = (req: object) => (req as User).user?.tenants;

describe.each(platforms)('enforcement on $name', (platform) => {
  const boot = async (
    options: Partial<TenantAdapterOptions> = {},
    more: NestApplicationOptions = {},
  ) => {
    @Module({
      imports: [TenantModule.forRoot({ strategy: 'header', ...options })],
      controllers: [Routes],
    })
    class AppModule {}
    handled.length = 0;
    return serve(AppModule as Type, platform, undefined, more);
  };
  const of = (tenant: string, more: Record<string, string> = {}) => ({
    headers: { 'x-tenant-id': tenant, ...more },
  });

  describe('routes', () => {
    it.each([
      ['tenant', { default: 400, tenant: 400, universal: 200, central: 200 }],
      ['universal', { default: 200, tenant: 400, universal: 200, central: 200 }],
      ['central', { default: 200, tenant: 400, universal: 200, central: 200 }],
    ] as const)('of an application in mode %s, without a tenant', async (mode, expected) => {
      const { url } = await boot({ mode });
      for (const [route, status] of Object.entries(expected)) {
        expect([route, (await call(`${url}/${route}`)).status]).toEqual([route, status]);
      }
    });

    it('get their tenant, except central ones', async () => {
      const { url } = await boot();
      const told = async (route: string) => (await call(`${url}/${route}`, of('acme'))).body;
      expect(await told('default')).toEqual({ tenantId: 'acme' });
      expect(await told('universal')).toEqual({ tenantId: 'acme' });
      expect(await told('central')).toEqual({ tenantId: null });
    });

    it('answer 500 if they are central and read the tenant', async () => {
      const { url } = await boot();
      expect(await call(`${url}/central/reads`, of('acme'))).toEqual({
        status: 500,
        body: { statusCode: 500, message: 'Internal server error' },
      });
    });

    it('answer 404 if they do not exist, and let preflights pass', async () => {
      const { url } = await boot();
      expect((await call(`${url}/nowhere`)).status).toBe(404);
      expect((await call(`${url}/nowhere`, of("a'b"))).status).toBe(404);
      const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } };
      expect((await call(`${url}/default`, preflight)).status).toBe(200);
    });

    it('need no tenant in a preflight, and verify one that it names', async () => {
      const { url } = await boot({
        store: {
          find(tenantId) {
            if (tenantId === 'gone') return { tenantId, status: 'suspended' };
            return tenantId === 'acme' ? { tenantId } : null;
          },
        },
        verify: { principal, required: true },
      });
      const preflight = async (headers: Record<string, string>) => {
        const asks = { 'access-control-request-method': 'GET', ...headers };
        return (await call(`${url}/default`, { method: 'OPTIONS', headers: asks })).status;
      };
      expect(await preflight({})).toBe(200);
      handled.length = 0;
      // A handler of `@All()` would run without a tenant.
      expect(await preflight({ 'x-tenant-id': 'unknown' })).toBe(404);
      expect(await preflight({ 'x-tenant-id': 'gone' })).toBe(403);
      expect(await preflight({ 'x-tenant-id': "a'b" })).toBe(400);
      expect(handled).toEqual([]);
      // Anybody can send such a request, and the handler would run for the tenant.
      expect(await preflight({ 'x-tenant-id': 'acme' })).toBe(403);
      expect(await preflight({ 'x-tenant-id': 'acme', 'x-user-of': 'acme' })).toBe(200);
    });

    it('set Vary for shared caches', async () => {
      const { url } = await boot({ header: 'X-Org' });
      const { headers } = await fetch(`${url}/default`, { headers: { 'x-org': 'acme' } });
      expect(headers.get('vary')?.toLowerCase()).toContain('x-org');
    });

    it('set Vary for shared caches behind a proxy that forwards the host', async () => {
      const trust = { forwardedHost: true };
      const { url } = await boot({ strategy: 'subdomain', trust });
      const forwarded = { headers: { 'x-forwarded-host': 'acme.example.com' } };
      const response = await fetch(`${url}/default`, forwarded);
      expect(await response.json()).toEqual({ tenantId: 'acme' });
      expect(response.headers.get('vary')?.toLowerCase()).toContain('x-forwarded-host');
    });
  });

  describe('verify', () => {
    const mismatch = { status: 403, body: expect.objectContaining({ code: 'TENANT_MISMATCH' }) };

    it('refuses the tenant of another user before the handler', async () => {
      const { url, app } = await boot({ verify: { principal } });
      const ask = (tenant: string, user: string) =>
        call(`${url}/default`, of(tenant, { 'x-user-of': user }));
      expect(await ask('beta', 'acme')).toEqual(mismatch);
      expect(handled).toEqual([]);
      expect((await ask('acme', 'acme')).status).toBe(200);
      expect((await ask('beta', 'acme,beta')).status).toBe(200);
      expect(app.get(TenantAdapter).introspect().metrics).toMatchObject({
        mismatch: 1,
        resolved: 3,
      });
    });

    it('waits for a promise of the tenants, such as memberships in a table', async () => {
      const later = async (req: object) => {
        await new Promise((resolve) => setImmediate(resolve));
        return principal(req);
      };
      const { url } = await boot({ verify: { principal: later, required: true } });
      const ask = (tenant: string, user?: string) =>
        call(`${url}/default`, of(tenant, user === undefined ? {} : { 'x-user-of': user }));
      expect(await ask('beta', 'acme')).toEqual(mismatch);
      expect(await ask('beta')).toEqual(mismatch);
      expect(handled).toEqual([]);
      expect(await ask('acme', 'acme')).toEqual({ status: 200, body: { tenantId: 'acme' } });
      const failing = await boot({ verify: { principal: () => Promise.reject(new Error('x')) } });
      expect((await call(`${failing.url}/default`, of('acme'))).status).toBe(500);
      expect(handled).toEqual([]);
    });

    it('compares after all guards, the last of which sets the user', async () => {
      const { url } = await boot({ verify: { principal, required: true } });
      const ask = (tenant: string) =>
        call(`${url}/late`, of(tenant, { 'x-user-of': 'beta', 'x-late-user-of': 'acme' }));
      expect(await ask('beta')).toEqual(mismatch);
      expect(handled).toEqual([]);
      expect(await ask('acme')).toEqual({ status: 200, body: { tenantId: 'acme' } });
    });

    it('lets requests without a user pass, unless required is set', async () => {
      const lenient = await boot({ verify: { principal } });
      expect((await call(`${lenient.url}/default`, of('acme'))).status).toBe(200);
      const strict = await boot({ verify: { principal, required: true } });
      expect(await call(`${strict.url}/default`, of('acme'))).toEqual(mismatch);
      expect(handled).toEqual([]);
      expect((await call(`${strict.url}/central`, of('acme'))).status).toBe(200);
    });

    it.each([[[]], ['']])('refuses a user without tenants: %j', async (none) => {
      const { url } = await boot({
        verify: { principal: (req) => (req.headers['x-user-of'] === undefined ? null : none) },
      });
      expect(await call(`${url}/default`, of('acme', { 'x-user-of': 'none' }))).toEqual(mismatch);
      expect(handled).toEqual([]);
      expect((await call(`${url}/default`, of('acme'))).status).toBe(200);
    });

    it('warns at startup if it does not say what happens without a user', async () => {
      const warnings: unknown[] = [];
      const quiet = () => undefined;
      const warn = (message: unknown) => void warnings.push(message);
      const logger = { log: quiet, error: quiet, warn };
      for (const more of [{ required: true }, { required: false }, {}]) {
        await boot({ verify: { principal, ...more } }, { logger });
      }
      expect(warnings).toEqual([expect.stringContaining('verify.required')]);
    });

    it('accepts one tenant as a string', async () => {
      const { url } = await boot({ verify: { principal: (req) => principal(req)?.[0] } });
      expect((await call(`${url}/default`, of('acme', { 'x-user-of': 'acme' }))).status).toBe(200);
      // Not a part of it.
      expect(await call(`${url}/default`, of('acm', { 'x-user-of': 'acme' }))).toEqual(mismatch);
    });
  });

  describe('@SameTenant', () => {
    const send = (url: string, body: unknown, query = '') =>
      call(`${url}/same${query}`, {
        ...post(body),
        headers: { 'content-type': 'application/json', 'x-tenant-id': '7' },
      });

    it.each([
      [{ tenantId: '7' }, '', 201],
      [{ tenantId: 7 }, '', 201],
      [{}, '', 201],
      [{ tenantId: '8' }, '', 403],
      [{ tenantId: ['7'] }, '', 403],
      [{ tenantId: null }, '', 403],
      [{ tenantId: { toString: '7' } }, '', 403],
      [{ tenantId: '7' }, '?tenant=8', 403],
      [[], '?tenant=7', 201],
      [[{ tenantId: '8' }], '', 403],
      [[[[{ tenantId: '8' }]]], '', 403],
      [[[[{ tenantId: '7' }]]], '', 201],
    ])('answers %j%s with %i', async (body, query, status) => {
      const { url } = await boot();
      const answer = await send(url, body, query);
      expect(answer.status).toBe(status);
      expect(handled).toEqual(status === 201 ? ['same'] : []);
      if (status === 403) expect(answer.body).toMatchObject({ code: 'TENANT_MISMATCH' });
    });

    it('checks a body that an interceptor below it has parsed', async () => {
      const { url } = await boot();
      const answer = await call(`${url}/parsed`, { method: 'POST', ...of('7') });
      expect(answer).toMatchObject({ status: 403, body: { code: 'TENANT_MISMATCH' } });
      expect(handled).toEqual([]);
    });
  });

  describe('opaque errors', () => {
    const store = (identifier: string) =>
      identifier === 'nope'
        ? null
        : {
            tenantId: identifier,
            status: identifier === 'gone' ? ('suspended' as const) : ('active' as const),
          };

    it('look alike to an unauthenticated client', async () => {
      const { url } = await boot({
        store,
        verify: { principal: () => 'acme' },
        errors: { opaque: true },
      });
      const answers = [];
      for (const tenant of ['nope', 'gone', 'beta']) {
        answers.push(await call(`${url}/default`, of(tenant)));
      }
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 404, body: { code: 'TENANT_UNKNOWN' } });
    });
  });

  it('calls the hooks for resolved and refused requests', async () => {
    const told: unknown[] = [];
    const { url } = await boot({
      hooks: {
        resolved: ({ tenantId }, req) => void told.push(tenantId, req.url),
        rejected: (error) => void told.push((error as { code: string }).code),
      },
    });
    await call(`${url}/default`, of('acme'));
    await call(`${url}/default`);
    await call(`${url}/universal`);
    expect(told).toEqual(['acme', '/default', 'TENANT_NOT_RESOLVED']);
  });

  it('reports its state and counters', async () => {
    const { url, app } = await boot({ strategy: ['header', { type: 'query' }, () => null] });
    await call(`${url}/default?tenant=acme`);
    await call(`${url}/default`);
    await call(`${url}/default`, of("a'b"));
    await call(`${url}/default`, of('beta'));
    await call(`${url}/default`, of('beta'));
    const snapshot: unknown = JSON.parse(JSON.stringify(app.get(TenantAdapter).introspect()));
    expect(snapshot).toEqual({
      protocolVersion: 1,
      name: 'TenantAdapter',
      kind: 'adapter',
      state: { strategy: 'header, query, function', mode: 'tenant' },
      metrics: expect.objectContaining({
        ...{ resolved: 3, notFound: 1, invalid: 1, mismatch: 0 },
        byTenant: { acme: 1, beta: 2 },
      }),
    });
  });
});

it.each([
  [{ mode: 'all' }, /mode/],
  [{ verify: {} }, /principal/],
  [{ onTenantNotFound: 'public' }, /onTenantNotFound/],
])('an application with the options %j does not boot', async (options, message) => {
  @Module({ imports: [TenantModule.forRoot({ strategy: 'header', ...options } as never)] })
  class AppModule {}
  await expect(serve(AppModule as Type, platforms[0]!)).rejects.toMatchObject({
    code: 'TENANT_INVALID_OPTION',
    message: expect.stringMatching(message),
  });
});
