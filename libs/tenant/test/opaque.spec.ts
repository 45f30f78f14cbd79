// What a stranger can see of whether a tenant exists, where `errors.opaque` is set.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Inject,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  Scope,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { defineHttpContextDecorator, RequestContext } from '@fledge/core';
import {
  CentralRoute,
  CurrentTenant,
  Tenancy,
  TENANT_CONTEXT,
  type TenantAdapterOptions,
  type TenantContext,
  TenantModule,
  type TenantStore,
  UniversalRoute,
} from '@fledge/tenant';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { type RawAnswer, sendRaw } from './raw-http.js';

afterAll(closeAll);

interface Request {
  readonly headers: Readonly<Record<string, string | undefined>>;
  user?: { tenantId: string };
}

@Injectable()
class Login implements CanActivate {
  canActivate(execution: ExecutionContext): boolean | Promise<boolean> {
    const req = execution.switchToHttp().getRequest<Request>();
    const tenantId = req.headers['x-user-of'];
    if (tenantId === undefined) throw new UnauthorizedException();
    req.user = { tenantId };
    return true;
  }
}

/** Has a secret for each tenant. */
@Injectable()
class LoginOfTenant extends Login {
  constructor(@Inject(TENANT_CONTEXT) private readonly tenant: TenantContext) {
    super();
  }

  override canActivate(execution: ExecutionContext): boolean | Promise<boolean> {
    const { headers } = execution.switchToHttp().getRequest<Request>();
    if (headers['x-secret'] !== `secret of ${this.tenant.tenantId}`) {
      throw new UnauthorizedException();
    }
    return super.canActivate(execution);
  }
}

/** What reads the tenant in a guard, in different ways. */
const SHELF = Symbol('shelf');
const READS: Readonly<Record<string, (guard: ReadingLogin, tenant: string) => unknown>> = {
  feature: ({ shelf }) => shelf.title,
  'feature, in': ({ shelf }) => 'title' in shelf,
  'feature, keys': ({ shelf }) => Object.keys(shelf),
  run: ({ tenancy }, tenant) => tenancy.run(tenant, () => true),
  current: ({ tenancy }) => tenancy.current(),
  'ctx.require()': ({ ctx }) => ctx.require('tenant'),
};

@Injectable()
class ReadingLogin extends Login {
  constructor(
    @Inject(SHELF) readonly shelf: { readonly title: string },
    readonly tenancy: Tenancy,
    readonly ctx: RequestContext,
  ) {
    super();
  }

  override async canActivate(execution: ExecutionContext): Promise<boolean> {
    const { headers } = execution.switchToHttp().getRequest<Request>();
    await READS[headers['x-read'] as string]?.(this, headers['x-tenant-id'] as string);
    return super.canActivate(execution);
  }
}

/** Created before the guards run. */
@Injectable({ scope: Scope.REQUEST })
class EarlyReader {
  readonly tenantId: string;

  constructor(@Inject(TENANT_CONTEXT) tenant: TenantContext) {
    this.tenantId = tenant.tenantId;
  }
}

@Controller()
class EarlyRoutes {
  constructor(private readonly reader: EarlyReader) {}

  @Get('early')
  @UseGuards(Login)
  early() {
    return { of: this.reader.tenantId };
  }
}

@Injectable()
class Never implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException();
  }
}

/** Runs before the guards. */
const RequireTenant = defineHttpContextDecorator({
  key: 'required-tenant',
  dependsOn: ['tenant'],
  resolve: (ctx) => ctx.require('tenant'),
});

@Controller()
class Routes {
  @Get('login')
  @UseGuards(Login)
  login(@CurrentTenant() tenant: TenantContext) {
    return { of: tenant.tenantId };
  }

  @Get('pipe/:id')
  @UseGuards(Login)
  pipe(@Param('id', ParseIntPipe) id: number) {
    return { id };
  }

  @Get('universal')
  @UniversalRoute()
  @UseGuards(Login)
  universal(@CurrentTenant() tenant: TenantContext | null) {
    return { of: tenant?.tenantId ?? null };
  }

  @Get('by-tenant')
  @UseGuards(LoginOfTenant)
  byTenant() {
    return {};
  }

  @Get('reads')
  @UseGuards(ReadingLogin)
  reads() {
    return {};
  }

  @Get('decorated')
  @RequireTenant
  @UseGuards(Login)
  decorated() {
    return {};
  }

  @Get('never')
  @UseGuards(Never)
  never() {
    return {};
  }

  @Get('central')
  @CentralRoute()
  central() {
    return {};
  }
}

const STATUS = { gone: 'suspended', busy: 'maintenance', new: 'provisioning' } as const;
const store: TenantStore['find'] = async (tenantId) => {
  await Promise.resolve();
  if (tenantId === 'down') throw new Error('down');
  if (tenantId === 'unknown') return null;
  return { tenantId, status: STATUS[tenantId as keyof typeof STATUS] ?? 'active' };
};

describe.each(platforms)('opaque errors on $name', (platform) => {
  async function boot(options: Partial<TenantAdapterOptions> = {}) {
    @Module({
      imports: [
        TenantModule.forRoot({
          strategy: 'header',
          store,
          errors: { opaque: true },
          verify: { principal: (req) => (req as Request).user?.tenantId },
          ...options,
        }),
        TenantModule.forFeature([
          {
            provide: SHELF,
            useFactory({ tenantId }) {
              if (tenantId.startsWith('broken')) throw new Error(`No shelf of ${tenantId}`);
              return { title: tenantId };
            },
          },
        ]),
      ],
      controllers: [Routes, EarlyRoutes],
      providers: [EarlyReader],
    })
    class AppModule {}
    const { url } = await serve(AppModule, platform);
    return async (path: string, tenant: string, ...headers: string[]) => {
      const answer = await sendRaw(url, path, [`X-Tenant-ID: ${tenant}`, ...headers]);
      const { date, ...rest } = answer.headers;
      expect(date).toBeDefined();
      return { ...answer, headers: rest } satisfies RawAnswer;
    };
  }

  let send: Awaited<ReturnType<typeof boot>>;
  beforeAll(async () => {
    send = await boot();
  });

  const all = ['acme', 'beta', 'unknown', 'gone', 'busy', 'new', 'down', 'broken'];

  it.each([
    ['/login', 401],
    ['/pipe/x', 401],
    ['/universal', 401],
    ['/by-tenant', 401],
    ['/early', 401],
    ['/never', 403],
    ['/nowhere', 404],
    ['/central', 200],
  ])('answer strangers at %s the same for each tenant, to the byte', async (path, status) => {
    const [first, ...others] = await Promise.all(all.map((tenant) => send(path, tenant)));
    expect(first?.status).toBe(status);
    for (const other of others) expect(other).toEqual(first);
  });

  it.each(Object.keys(READS))('answer the same if a guard reads the tenant: %s', async (read) => {
    const [first, ...others] = await Promise.all(
      all.map((tenant) => send('/reads', tenant, `X-Read: ${read}`)),
    );
    expect(first?.status).toBe(401);
    for (const other of others) expect(other).toEqual(first);
    const known = await send('/reads', 'acme', `X-Read: ${read}`, 'X-User-Of: acme');
    expect(known.status).toBe(200);
  });

  it('answer strangers the same if a context decorator requires the tenant', async () => {
    const [first, ...others] = await Promise.all(all.map((tenant) => send('/decorated', tenant)));
    expect(first?.status).toBe(401);
    for (const other of others) expect(other).toEqual(first);
    expect(await send('/decorated', 'acme', 'X-User-Of: acme')).toMatchObject({ status: 200 });
  });

  it.each(['/login', '/pipe/x', '/universal'])(
    'answer users at %s the same for each tenant that is not theirs',
    async (path) => {
      const foreign = ['beta', 'unknown', 'gone', 'busy', 'new', 'broken'];
      const [first, ...others] = await Promise.all(
        foreign.map((tenant) => send(path, tenant, 'X-User-Of: acme')),
      );
      expect(first).toMatchObject({ status: 404, body: { code: 'TENANT_UNKNOWN' } });
      for (const other of others) expect(other).toEqual(first);
    },
  );

  it('let users in, also without verify', async () => {
    expect(await send('/login', 'acme', 'X-User-Of: acme')).toMatchObject({
      status: 200,
      body: { of: 'acme' },
    });
    const free = await boot({ verify: undefined } as never);
    expect(await free('/login', 'beta', 'X-User-Of: acme')).toMatchObject({ status: 200 });
    expect(await free('/login', 'unknown', 'X-User-Of: acme')).toMatchObject({ status: 404 });
    expect(await free('/login', 'down', 'X-User-Of: acme')).toMatchObject({ status: 503 });
  });

  it('show users that a resource of their own tenant failed', async () => {
    expect(await send('/login', 'broken', 'X-User-Of: broken')).toMatchObject({ status: 500 });
  });

  it('refuse malformed and missing tenants before the guards', async () => {
    expect(await send('/login', "a'b")).toMatchObject({ status: 400 });
    expect(await send('/login', '')).toMatchObject({ status: 400 });
  });

  it('are off by default: the tenant is refused before the guards', async () => {
    const shown = await boot({ errors: {} });
    expect(await shown('/login', 'unknown')).toMatchObject({ status: 404 });
    expect(await shown('/login', 'acme')).toMatchObject({ status: 401 });
  });
});
