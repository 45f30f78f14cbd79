import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  type INestApplication,
  Module,
  Param,
  RequestMethod,
  type Type,
  UseGuards,
  VersioningType,
} from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  CentralRoute,
  CurrentTenant,
  Tenancy,
  type TenantAdapterOptions,
  type TenantContext,
  TenantModule,
  type TenantStore,
} from '@fledge/tenant';
import { connect, type OutgoingHttpHeaders } from 'node:http2';
import { once } from '../../../test/support/once.js';
import { closeAll, type Platform, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { type RawAnswer, sendRaw } from './raw-http.js';

afterAll(closeAll);
beforeEach(() => {
  handled = [];
});

/** As passport would: the tenants a verified token names, under `req.user`. */
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

let handled: (string | null)[] = [];

@Controller()
@UseGuards(Login)
class Plain {
  @Get('whoami')
  whoami(@CurrentTenant() tenant: TenantContext) {
    handled.push(tenant.tenantId);
    return { tenantId: tenant.tenantId, source: tenant.source };
  }

  @Get('health')
  @CentralRoute()
  health() {
    return { ok: true };
  }

  @Get('healthcare')
  healthcare(@CurrentTenant() tenant: TenantContext) {
    return { tenantId: tenant.tenantId };
  }
}

@Controller(':tenant')
class Below {
  @Get('whoami')
  whoami(@CurrentTenant() { tenantId }: TenantContext, @Param('tenant') param: string) {
    handled.push(tenantId);
    return { tenantId, param };
  }
}

@Controller({ path: ':tenant', version: '1' })
class VersionedBelow extends Below {}

type Prepare = (app: INestApplication) => void;
type Send = (target: string, ...headers: string[]) => Promise<RawAnswer>;

/** What becomes of a request: its tenant, or its status and code. */
async function ends(answer: Promise<RawAnswer>): Promise<string> {
  const { status, body } = await answer;
  const { tenantId, code } = body as Record<string, string | undefined>;
  if (status === 200) return tenantId ?? 'nobody';
  return code === undefined ? String(status) : `${status} ${code}`;
}

/** The platform with every `X-Forwarded-` header believed. */
function behindProxy({ name }: Platform): Platform {
  if (name === 'Fastify') return { name, adapter: () => new FastifyAdapter({ trustProxy: true }) };
  const express = new ExpressAdapter();
  express.set('trust proxy', true);
  return { name, adapter: () => express };
}

describe.each(platforms)('identification on $name', (platform) => {
  const serveWith = async (
    options: TenantAdapterOptions,
    controllers: Type[] = [Plain],
    prepare?: Prepare,
    on = platform,
  ): Promise<{ send: Send; app: INestApplication; url: string }> => {
    @Module({ imports: [TenantModule.forRoot(options)], controllers, providers: [Login] })
    class AppModule {}
    const { app, url } = await serve(AppModule, on, prepare);
    return { app, url, send: (target, ...headers) => sendRaw(url, target, headers) };
  };
  const boot = async (...given: Parameters<typeof serveWith>) => (await serveWith(...given)).send;
  /** Applications that several tests send requests to. */
  const byHeader = once(() => boot({ strategy: 'header' }));
  const bySubdomain = once(() => boot({ strategy: 'subdomain' }));
  const belowDomains = once(() =>
    boot({ strategy: 'subdomain', subdomain: { baseDomains: ['example.com', 'example.co.uk'] } }),
  );

  describe('the host', () => {
    const hosts: [string, string][] = [
      ['acme.example.com', 'acme'],
      ['ACME.Example.COM:8443', 'acme'],
      ['acme.example.com.', 'acme'],
      ['acme.example.co.uk', 'acme'],
      ['eu.acme.example.com', 'eu'],
      ['xn--cme-5cd.example.com', 'xn--cme-5cd'],
      ['example.com', '400 TENANT_NOT_RESOLVED'],
      ['www.example.com', '400 TENANT_NOT_RESOLVED'],
      ['evilexample.com', '400 TENANT_NOT_RESOLVED'],
      ['acme.evilexample.com', '400 TENANT_NOT_RESOLVED'],
      ['acme.example.com.evil.com', '400 TENANT_NOT_RESOLVED'],
      ['localhost', '400 TENANT_NOT_RESOLVED'],
      ['127.0.0.1', '400 TENANT_NOT_RESOLVED'],
      ['127.0.0.1:3000', '400 TENANT_NOT_RESOLVED'],
      ['[::1]:3000', '400 TENANT_NOT_RESOLVED'],
      ['', '400 TENANT_NOT_RESOLVED'],
      ['acme.example.com@evil.com', '400 TENANT_INVALID'],
      ['acme.example.com/evil', '400 TENANT_INVALID'],
      ['acme\t.example.com', '400 TENANT_INVALID'],
      ['acme..example.com', '400 TENANT_INVALID'],
      ['-acme.example.com', '400 TENANT_INVALID'],
      ['\u00e4cme.example.com', '400 TENANT_INVALID'],
    ];

    it('is parsed strictly, below its base domains', async () => {
      const send = await belowDomains();
      const answered = [];
      for (const [host] of hosts)
        answered.push([host, await ends(send('/whoami', `Host: ${host}`))]);
      expect(answered).toEqual(hosts);
    });

    it('needs three labels or localhost without base domains', async () => {
      const send = await bySubdomain();
      expect(await ends(send('/whoami', 'Host: acme.localhost:3000'))).toBe('acme');
      expect(await ends(send('/whoami', 'Host: acme.example.com'))).toBe('acme');
      expect(await ends(send('/whoami', 'Host: example.com'))).toBe('400 TENANT_NOT_RESOLVED');
      expect(await ends(send('/whoami', 'Host: 127.0.0.1'))).toBe('400 TENANT_NOT_RESOLVED');
    });

    it('sent twice is refused', async () => {
      const send = await belowDomains();
      const twice = send('/whoami', 'Host: acme.example.com', 'Host: beta.example.com');
      expect(['400', '400 TENANT_AMBIGUOUS']).toContain(await ends(twice));
    });

    it('is read from X-Forwarded-Host only if that is trusted', async () => {
      const headers = ['Host: acme.example.com', 'X-Forwarded-Host: evil.example.com'];
      const closed = await belowDomains();
      expect(await ends(closed('/whoami', ...headers))).toBe('acme');
      const trust = { forwardedHost: true };
      const subdomain = { baseDomains: ['example.com'] };
      const open = await boot({ strategy: 'subdomain', subdomain, trust });
      expect(await ends(open('/whoami', ...headers))).toBe('evil');
      expect(await ends(open('/whoami', ...headers, 'X-Forwarded-Host: b.example.com'))).toBe(
        '400 TENANT_AMBIGUOUS',
      );
    });
  });

  describe('the header', () => {
    it('sent twice names more than one tenant', async () => {
      const send = await byHeader();
      const { status, body } = await send('/whoami', 'X-Tenant-ID: a', 'x-tenant-id: b');
      expect([status, body]).toEqual([
        400,
        {
          statusCode: 400,
          error: 'Bad Request',
          message: 'The header x-tenant-id contains more than one tenant',
          code: 'TENANT_AMBIGUOUS',
        },
      ]);
      expect(await ends(send('/whoami', 'X-Tenant-ID: a', 'X-Tenant-ID: a'))).toBe(
        '400 TENANT_AMBIGUOUS',
      );
    });

    const asked: string[] = [];
    const withStore = once(() => {
      const store = (identifier: string) => {
        asked.push(identifier);
        return { tenantId: identifier };
      };
      return boot({ strategy: 'header', store, onTenantNotFound: () => 'public' });
    });

    it.each([
      ['../etc'],
      ["a'b"],
      ['a:b'],
      ['a, b'],
      ['a b'],
      ['a\u0080'],
      ['x'.repeat(129)],
      ['x'.repeat(10_240)],
    ])('%j is refused before the store is called, and not echoed', async (value) => {
      const send = await withStore();
      const { status, body } = await send('/whoami', `X-Tenant-ID: ${value}`);
      expect([status, body]).toEqual([
        400,
        {
          statusCode: 400,
          error: 'Bad Request',
          message: 'The header x-tenant-id contains an invalid tenant identifier',
          code: 'TENANT_INVALID',
        },
      ]);
      expect(asked).toEqual([]);
    });

    it('a NUL in it never arrives', async () => {
      const send = await byHeader();
      expect((await send('/whoami', 'X-Tenant-ID: a\u0000')).status).toBe(400);
      expect(handled).toEqual([]);
    });

    it('of an untrusted peer is ignored', async () => {
      const of = async (header: NonNullable<TenantAdapterOptions['trust']>['header'] & {}) =>
        ends(
          (await boot({ strategy: 'header', trust: { header } }))('/whoami', 'X-Tenant-ID: acme'),
        );
      expect(await of(['10.0.0.0/8'])).toBe('400 TENANT_NOT_RESOLVED');
      expect(await of(['127.0.0.0/8'])).toBe('acme');
      expect(await of(false)).toBe('400 TENANT_NOT_RESOLVED');
      expect(await of((req) => req.headers['x-proxy'] === 'ours')).toBe('400 TENANT_NOT_RESOLVED');
    });

    it('ignores the trust proxy setting of the platform', async () => {
      const options: TenantAdapterOptions = {
        strategy: ['header', 'subdomain'],
        trust: { header: ['10.0.0.0/8'] },
      };
      const send = await boot(options, [Plain], undefined, behindProxy(platform));
      const spoofed = [
        'X-Tenant-ID: evil',
        'X-Forwarded-For: 10.0.0.1',
        'X-Forwarded-Host: e.vi.l',
      ];
      expect(await ends(send('/whoami', 'Host: acme.example.com', ...spoofed))).toBe('acme');
    });

    it('is not required in a preflight', async () => {
      const { url } = await serveWith({ strategy: 'header' }, [Plain], (app) => app.enableCors());
      const asks = ['Origin: https://a.example', 'Access-Control-Request-Method: GET'];
      expect((await sendRaw(url, '/whoami', asks, 'OPTIONS')).status).toBe(204);
      const bound = await serveWith(
        { strategy: 'subdomain', verify: { principal: () => undefined, required: true } },
        [Plain],
        (app) => app.enableCors(),
      );
      const named = ['Host: acme.example.com', ...asks];
      expect((await sendRaw(bound.url, '/whoami', named, 'OPTIONS')).status).toBe(204);
      const bare = await serveWith({ strategy: 'header' });
      expect((await sendRaw(bare.url, '/whoami', asks, 'OPTIONS')).status).not.toBe(400);
    });

    it.each<[string, Prepare | undefined, string]>([
      ['nothing else', undefined, 'x-tenant-id'],
      ['CORS', (app) => app.enableCors({ origin: ['https://a.example'] }), 'origin, x-tenant-id'],
    ])('is in Vary, beside %s', async (_what, prepare, expected) => {
      const send = await boot({ strategy: 'header' }, [Plain], prepare);
      for (const headers of [['X-Tenant-ID: acme'], []]) {
        const answer = await send('/whoami', 'Origin: https://a.example', ...headers);
        const names = (answer.headers['vary'] ?? '').toLowerCase().split(/, */);
        expect(names.sort().join(', ')).toBe(expected);
      }
    });
  });

  describe('the query', () => {
    const cases: [string, string][] = [
      ['?tenant=acme', 'acme'],
      ['?x=1&tenant=%61cme', 'acme'],
      ['?tenant=a&tenant=b', '400 TENANT_AMBIGUOUS'],
      ['?tenant=a&tenant=a', '400 TENANT_AMBIGUOUS'],
      ['?tenant[k]=b', '400 TENANT_INVALID'],
      ['?tenant=a&tenant[]=b', '400 TENANT_INVALID'],
      ['?tenant%5B%5D=b', '400 TENANT_INVALID'],
      ['?tenant=%E0%A4%A', '400 TENANT_INVALID'],
      ['?tenant=a%00', '400 TENANT_INVALID'],
      ['?tenant=', '400 TENANT_NOT_RESOLVED'],
      ['?Tenant=acme', '400 TENANT_NOT_RESOLVED'],
    ];

    it('is read as it was sent', async () => {
      const send = await boot({ strategy: 'query' });
      const answered = [];
      for (const [query] of cases) answered.push([query, await ends(send(`/whoami${query}`))]);
      expect(answered).toEqual(cases);
    });

    it('is read as sent, also if middleware changed req.url', async () => {
      const prepare: Prepare = (app) => {
        app.use((req: { url: string; query: unknown }, _res: unknown, next: () => void) => {
          req.url = '/whoami?tenant=evil';
          Object.defineProperty(req, 'query', { value: { tenant: 'evil' } });
          next();
        });
      };
      const send = await boot({ strategy: 'query' }, [Plain], prepare);
      expect(await ends(send('/whoami?tenant=acme'))).toBe('acme');
    });
  });

  describe('the path', () => {
    const byPath = once(() =>
      boot({ strategy: 'path', onTenantNotFound: () => 'public' }, [Below]),
    );
    const strictlyByPath = once(() => boot({ strategy: 'path' }, [Below]));

    it.each([
      ['/acme/whoami', 'acme'],
      ['/ac%6De/whoami', 'acme'],
      ['/acme/whoami?x=/b', 'acme'],
      ['/a%2Fb/whoami', '400 TENANT_INVALID'],
      ['/a%00/whoami', '400 TENANT_INVALID'],
      ['/a%2561/whoami', '400 TENANT_INVALID'],
      ['/%2e%2e/whoami', '400 TENANT_INVALID'],
      ['/acme;v=1/whoami', '400 TENANT_INVALID'],
      ['/a\\b/whoami', '400 TENANT_INVALID'],
      ['//acme/whoami', '404'],
      ['//evil//whoami', '404'],
    ])('of %s is the one that was sent, decoded once: %s', async (target, end) => {
      const send = await byPath();
      const answer = await send(target);
      expect(await ends(Promise.resolve(answer))).toBe(end);
      if (end === 'acme') expect(answer.body).toEqual({ tenantId: 'acme', param: 'acme' });
      else expect(handled).toEqual([]);
    });

    it('badly encoded, reaches no handler', async () => {
      const send = await strictlyByPath();
      expect((await send('/%E0%A4%A/whoami')).status).toBe(400);
      expect(handled).toEqual([]);
    });

    it('is read from an absolute target, whose host is ignored', async () => {
      const path = await strictlyByPath();
      expect(await ends(path('http://evil.example.com/acme/whoami'))).toBe('acme');
      const host = await bySubdomain();
      const headers = 'Host: beta.example.com';
      expect(await ends(host('http://evil.example.com/whoami', headers))).toBe('beta');
    });

    it('is read behind a global prefix and a version', async () => {
      const prepare: Prepare = (app) => {
        app.setGlobalPrefix('api', { exclude: [{ path: 'health', method: RequestMethod.GET }] });
        app.enableVersioning({ type: VersioningType.URI });
      };
      const path = { after: '/api', segment: 1 };
      const send = await boot({ strategy: 'path', path }, [VersionedBelow, Plain], prepare);
      expect(await ends(send('/api/v1/acme/whoami'))).toBe('acme');
      expect((await send('/health')).body).toEqual({ ok: true });
      expect((await send('/apix/v1/acme/whoami')).status).toBe(404);
      expect(handled).toEqual(['acme']);
    });

    it('may be part of the global prefix', async () => {
      const prepare: Prepare = (app) =>
        void app.setGlobalPrefix('api/:tenant', {
          exclude: [{ path: 'health', method: RequestMethod.GET }],
        });
      const send = await boot({ strategy: 'path', path: { after: '/api' } }, [Plain], prepare);
      expect(await ends(send('/api/acme/whoami'))).toBe('acme');
      expect((await send('/health')).body).toEqual({ ok: true });
    });
  });

  it('identifiers are case-sensitive, unless normalize changes that', async () => {
    const exact = await byHeader();
    expect(await ends(exact('/whoami', 'X-Tenant-ID: Acme'))).toBe('Acme');
    const normalize = (identifier: string) => identifier.toLowerCase();
    const lower = await boot({ strategy: 'header', identifier: { normalize } });
    expect(await ends(lower('/whoami', 'X-Tenant-ID: Acme'))).toBe('acme');
  });

  it('a central route is matched by its handler, not by its path', async () => {
    const send = await byHeader();
    expect((await send('/health')).body).toEqual({ ok: true });
    expect(await ends(send('/healthcare'))).toBe('400 TENANT_NOT_RESOLVED');
    // Whichever of these a platform takes for a route, it is that of the route: needs a tenant, or not.
    const answers = {
      '//health': ['404', '404'],
      '/Health': ['nobody', '404'],
      '/%68ealth': ['404', 'nobody'],
      '/HealthCare': ['400 TENANT_NOT_RESOLVED', '404'],
      '/%68ealthcare': ['404', '400 TENANT_NOT_RESOLVED'],
      '/health/../healthcare': ['404', '404'],
    };
    const [express, fastify] = [0, 1];
    const at = platform.name === 'Express' ? express : fastify;
    for (const [target, expected] of Object.entries(answers)) {
      expect([target, await ends(send(target))]).toEqual([target, expected[at]]);
    }
  });

  describe('several strategies', () => {
    const strategy = ['header', 'subdomain'] as const;
    const both = ['X-Tenant-ID: acme', 'Host: beta.example.com'];

    it('count in their order', async () => {
      const send = await boot({ strategy });
      expect((await send('/whoami', ...both)).body).toEqual({ tenantId: 'acme', source: 'header' });
      const other = await send('/whoami', 'Host: beta.example.com');
      expect(other.body).toEqual({ tenantId: 'beta', source: 'subdomain' });
    });

    it('must agree with combine: agree', async () => {
      const send = await boot({ strategy, combine: 'agree' });
      expect(await ends(send('/whoami', ...both))).toBe('400 TENANT_AMBIGUOUS');
      expect(await ends(send('/whoami', 'X-Tenant-ID: beta', 'Host: beta.example.com'))).toBe(
        'beta',
      );
      expect(await ends(send('/whoami', 'Host: beta.example.com'))).toBe('beta');
    });

    it('are compared after normalize', async () => {
      const send = await boot({
        strategy: [...strategy, 'query'],
        combine: 'agree',
        identifier: { normalize: (identifier) => identifier.toLowerCase() },
      });
      const alike = ['X-Tenant-ID: BETA', 'Host: beta.example.com'];
      expect(await ends(send('/whoami?tenant=Beta', ...alike))).toBe('beta');
      expect(await ends(send('/whoami?tenant=acme', ...alike))).toBe('400 TENANT_AMBIGUOUS');
      expect(await ends(send('/whoami?tenant=acme'))).toBe('acme');
    });
  });

  describe('verify', () => {
    const principal = (req: { user?: unknown }) =>
      (req.user as { tenants: string[] } | undefined)?.tenants;
    const beta = 'X-Tenant-ID: beta';

    it('a header does not give access to another user’s tenant', async () => {
      const send = await boot({ strategy: 'header', verify: { principal } });
      expect(await ends(send('/whoami', beta, 'X-User-Of: acme'))).toBe('403 TENANT_MISMATCH');
      expect(handled).toEqual([]);
      expect(await ends(send('/whoami', beta, 'X-User-Of: beta'))).toBe('beta');
      expect(await ends(send('/whoami', beta, 'X-User-Of: acme,beta'))).toBe('beta');
    });

    it('can require a user', async () => {
      const send = await boot({ strategy: 'header', verify: { principal, required: true } });
      expect(await ends(send('/whoami', beta))).toBe('403 TENANT_MISMATCH');
      expect(handled).toEqual([]);
    });
  });

  describe('the store', () => {
    const records = {
      acme: { tenantId: 't-1' },
      gone: { tenantId: 't-2', status: 'suspended' },
      busy: { tenantId: 't-3', status: 'maintenance', retryAfterSeconds: 90 },
    } as const;
    const find: TenantStore['find'] = (identifier) => {
      if (identifier === 'fail') throw new Error('The database is away');
      return records[identifier as keyof typeof records];
    };

    it.each([['at once'], ['later']])('answers %s for each tenant as it is', async (when) => {
      const fallbacks: string[] = [];
      const onTenantNotFound = () => {
        fallbacks.push('asked');
        return 'acme';
      };
      const store =
        when === 'later' ? async (id: string) => Promise.resolve().then(() => find(id)) : find;
      const send = await boot({ strategy: 'header', store, onTenantNotFound });
      const of = (identifier: string) => send('/whoami', `X-Tenant-ID: ${identifier}`);
      expect(await ends(of('acme'))).toBe('t-1');
      expect(await ends(of('nope'))).toBe('404 TENANT_UNKNOWN');
      expect(await ends(of('gone'))).toBe('403 TENANT_SUSPENDED');
      const busy = await of('busy');
      expect([busy.status, busy.headers['retry-after']]).toEqual([503, '90']);
      expect(await ends(of('fail'))).toBe('503 TENANT_STORE_UNAVAILABLE');
      expect(JSON.stringify((await of('fail')).body)).not.toContain('database');
      expect(fallbacks).toEqual([]);
    });

    it('is called once for a hundred requests, also for an unknown tenant', async () => {
      const asked: string[] = [];
      const store = async (identifier: string) => {
        asked.push(identifier);
        // The others arrive in the meantime.
        await until(() => arrived === 100);
        return identifier === 'acme' ? { tenantId: 'acme' } : null;
      };
      let arrived = 0;
      const count: Prepare = (app) =>
        void app.use((_req: unknown, _res: unknown, next: () => void) => {
          arrived += 1;
          next();
        });
      const send = await boot({ strategy: 'header', store }, [Plain], count);
      const hundred = Array.from({ length: 100 }, () => ends(send('/whoami', 'X-Tenant-ID: acme')));
      expect(new Set(await Promise.all(hundred))).toEqual(new Set(['acme']));
      for (let i = 0; i < 2; i += 1) {
        arrived = 99;
        expect(await ends(send('/whoami', 'X-Tenant-ID: nope'))).toBe('404 TENANT_UNKNOWN');
      }
      expect(asked).toEqual(['acme', 'nope']);
    });

    it('is called again after invalidate', async () => {
      let status: 'active' | 'suspended' = 'active';
      const store = (identifier: string) => ({ tenantId: identifier, status });
      const { app, send } = await serveWith({ strategy: 'header', store });
      const asAcme = () => ends(send('/whoami', 'X-Tenant-ID: acme'));
      expect(await asAcme()).toBe('acme');
      status = 'suspended';
      expect(await asAcme()).toBe('acme');
      app.get(Tenancy).invalidate('acme');
      expect(await asAcme()).toBe('403 TENANT_SUSPENDED');
    });

    it('shows nothing to unauthenticated clients with opaque errors', async () => {
      const send = await boot({ strategy: 'header', store: find, errors: { opaque: true } });
      const bodies = await Promise.all(
        ['nope', 'gone', 'busy'].map((id) => send('/whoami', `X-Tenant-ID: ${id}`)),
      );
      const shown = bodies.map(({ status, body, headers }) =>
        JSON.stringify([status, body, Object.keys(headers).sort()]),
      );
      expect(new Set(shown).size).toBe(1);
      expect(bodies[0]?.status).toBe(404);
    });
  });
});

it('reads :authority over HTTP/2, and refuses a Host beside it that differs', async () => {
  const platform: Platform = {
    name: 'Fastify',
    adapter: () => new FastifyAdapter({ http2: true } as object),
  };
  @Module({ imports: [TenantModule.forRoot({ strategy: 'subdomain' })], controllers: [Plain] })
  class AppModule {}
  const { url } = await serve(AppModule, platform);
  const client = connect(url);
  const ask = async (headers: OutgoingHttpHeaders) => {
    const stream = client.request({ ':path': '/whoami', ...headers });
    const chunks = (await stream.toArray()) as Buffer[];
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  };
  const acme = { ':authority': 'acme.example.com' };
  expect(await ask(acme)).toEqual({ tenantId: 'acme', source: 'subdomain' });
  expect(await ask({ ...acme, host: 'b.example.com' })).toMatchObject({ code: 'TENANT_AMBIGUOUS' });
  client.close();
});
