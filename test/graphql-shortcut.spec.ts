// Requests that come to a mount past the platform: they are answered as by the platform, only faster.
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import fastifyHelmet from '@fastify/helmet';
import type { RequestContext } from '@fledge/core';
import { GraphqlMountModule, type GraphqlMountOptions } from '@fledge/graphql';
import { McpModule } from '@fledge/mcp';
import { TenantModule } from '@fledge/tenant';
import {
  All,
  Controller,
  Get,
  type INestApplication,
  type MiddlewareConsumer,
  Module,
  Post,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { closeAll, type Platform, platforms, serve } from './support/platforms.js';

afterEach(closeAll);

type Next = () => void;
type Routing = { handle(...args: unknown[]): void };
const pass = (_request: unknown, _response: unknown, next: Next) => next();

const SEEN = ['url', 'originalUrl', 'baseUrl', 'hostname', 'protocol', 'ip', 'ips', 'query'];

/** What a resolver finds at its request. */
const rootValue = {
  seen: (_args: object, { ctx }: { ctx: RequestContext }) => {
    const req = ctx.req as unknown as Record<string, unknown>;
    const res = ctx.res as unknown as Record<string, unknown>;
    const get = req['get'] as ((name: string) => string) | undefined;
    return JSON.stringify({
      ...Object.fromEntries(SEEN.map((name) => [name, req[name]])),
      params: req['params'],
      route: (req['route'] as { path?: string } | undefined)?.path,
      id: typeof req['id'],
      log: typeof (req['log'] as { info?: unknown } | undefined)?.info,
      got: get?.call(req, 'x-word'),
      locals: res['locals'],
      status: typeof res['status'],
      pairs: [req['res'] === res, res['req'] === req],
    });
  },
  hello: () => 'world',
  broken: () => {
    throw new Error('secret');
  },
};
const typeDefs = 'type Query { seen: String, hello: String, broken: String, tenant: String }';

const mount = (options: Partial<GraphqlMountOptions> = {}) =>
  GraphqlMountModule.forRoot({ typeDefs, rootValue, explorer: false, ...options });

interface Setup {
  readonly imports?: readonly unknown[];
  readonly controllers?: readonly (new () => object)[];
  readonly main?: (app: INestApplication) => unknown;
  readonly options?: object;
}

/** Starts an application, and counts the requests that pass through the platform. */
async function start(platform: Platform, setup: Setup = {}) {
  const { imports = [], controllers = [], main = () => undefined, options } = setup;
  let passed = 0;
  const adapter = platform.adapter();
  if (adapter instanceof FastifyAdapter) {
    // One of the adapter's hooks asks this for each request.
    const versionExtractorErrors = {
      has: () => {
        passed += 1;
        return false;
      },
    };
    Object.assign(adapter, { versionExtractorErrors });
  }
  const metadata = { imports: [...imports, mount()], controllers: [...controllers] };
  const { app, url } = await serve(
    metadata as never,
    { ...platform, adapter: () => adapter },
    (made) => void main(made),
    options,
  );
  if (!(adapter instanceof FastifyAdapter)) {
    const { router } = app.getHttpAdapter().getInstance() as { router: Routing };
    const handle = router.handle.bind(router);
    Object.assign(router, {
      handle: (...args: unknown[]) => {
        passed += 1;
        handle(...args);
      },
    });
  }
  /** How a request came: straight, or by the platform. */
  const way = async (path = '/graphql', init: RequestInit = post({ query: '{ hello }' })) => {
    const before = passed;
    const { status } = await fetch(`${url}${path}`, init);
    return `${status} ${passed > before ? 'by the platform' : 'straight'}`;
  };
  return { app, url, way };
}

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const tools = McpModule.forRoot({ name: 'app', version: '1.0.0' });
const initialize = post(
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'client', version: '1.0.0' },
    },
  },
  { accept: 'application/json, text/event-stream' },
);

describe.each(platforms)('on $name, operations of a mount', (platform) => {
  it('come straight where the application put nothing before it', async () => {
    const { way } = await start(platform);
    expect(await way()).toBe('200 straight');
  });

  it('come straight past what the application put before other paths', async () => {
    @Controller()
    class Pages {
      @Get(':page')
      page() {
        return 'a page';
      }
    }
    const { way } = await start(platform, {
      controllers: [Pages],
      main: (app) => app.use('/docs', pass),
    });
    expect(await way()).toBe('200 straight');
    expect(await way('/elsewhere', { method: 'GET' })).toBe('200 by the platform');
  });

  it.each<[name: string, path: string, init: RequestInit]>([
    ['a query string', '/graphql?a=b', post({ query: '{ hello }' })],
    ['another spelling of the path', '/graphql/', post({ query: '{ hello }' })],
    ['GET', '/graphql?query={hello}', { headers: { accept: 'application/json' } }],
  ])('come by the platform with %s', async (_name, path, init) => {
    const { way } = await start(platform);
    expect(await way(path, init)).toMatch(/by the platform$/);
  });

  @Module({})
  class PassModule {
    configure(consumer: MiddlewareConsumer) {
      consumer.apply(pass).forRoutes('graphql');
    }
  }
  @Module({})
  class PassAllModule {
    configure(consumer: MiddlewareConsumer) {
      consumer.apply(pass).forRoutes('*path');
    }
  }
  @Controller()
  class Everything {
    @All(':page')
    answer() {
      return 'anything';
    }
  }
  it.each<[name: string, setup: Setup]>([
    ['middleware', { main: (app) => app.use(pass) }],
    ['middleware of its path', { main: (app) => app.use('/GraphQL', pass) }],
    ['helmet', { main: (app) => app.use(helmet()) }],
    ['CORS', { main: (app) => app.enableCors() }],
    ['middleware of a module', { imports: [PassModule] }],
    ['middleware of a module for all paths', { imports: [PassAllModule] }],
    ['an onRequest hook', { main: (app) => setHook(app, 'setOnRequestHook') }],
    ['an onResponse hook', { main: (app) => setHook(app, 'setOnResponseHook') }],
  ])('come by the platform after %s', async (_name, setup) => {
    const { way } = await start(platform, setup);
    expect(await way()).toBe('200 by the platform');
  });

  it('come by the platform from when a hook is set', async () => {
    const { app, way } = await start(platform);
    expect(await way()).toBe('200 straight');
    setHook(app, 'setOnRequestHook');
    expect(await way()).toBe('200 by the platform');
  });

  it('come straight or by the platform as each of two mounts allows', async () => {
    const other = mount({ name: 'other', path: '/other' });
    const { way } = await start(platform, {
      imports: [other],
      main: (app) => app.use('/other', pass),
    });
    expect([await way('/graphql'), await way('/other')]).toEqual([
      '200 straight',
      '200 by the platform',
    ]);
  });

  it('come straight beside an MCP endpoint, as its messages do', async () => {
    const { way } = await start(platform, { imports: [tools] });
    expect(await way('/_mcp/messages', initialize)).toBe('200 straight');
    expect(await way()).toBe('200 straight');
  });

  it('are answered equally by both ways', async () => {
    const straight = await start(platform);
    const around = await start(platform, { main: (app) => app.use(pass) });
    const requests: Record<string, RequestInit> = {
      seen: post({ query: '{ seen }' }, { 'x-word': 'a' }),
      broken: post({ query: '{ hello broken }' }),
      unknown: post({ query: '{ nope }' }),
      malformed: post('{ "query": '),
      empty: post(''),
      number: post('1'),
      large: post({ query: '{ hello }', variables: { a: 'a'.repeat(2_000_000) } }),
      charset: post({ query: '{ hello }' }, { 'content-type': 'application/json; charset=latin2' }),
      zipped: {
        ...post({}, { 'content-encoding': 'gzip' }),
        body: gzipSync(JSON.stringify({ query: '{ hello }' })),
      },
      unzipped: post({ query: '{ hello }' }, { 'content-encoding': 'gzip' }),
      type: post({ query: '{ hello }' }, { 'content-type': 'application/jsonp' }),
      accept: post({ query: '{ hello }' }, { accept: 'text/html' }),
      graphql: post({ query: '{ hello }' }, { accept: 'application/graphql-response+json' }),
    };
    for (const [name, init] of Object.entries(requests)) {
      const answers = await Promise.all(
        [straight.url, around.url].map((url) => answerOf(url, init)),
      );
      expect([name, answers[0]]).toEqual([name, answers[1]]);
    }
  });

  it.each(['a.example:8080', '[::1]:8080'])(
    'name their host equally by both ways: %s',
    async (host) => {
      const straight = await start(platform);
      const around = await start(platform, { main: (app) => app.use(pass) });
      const seen = await Promise.all([straight.url, around.url].map((url) => seenAt(url, host)));
      expect(seen[0]).toContain('hostname');
      expect(seen[0]).toBe(seen[1]);
    },
  );

  it('are served for their tenant, in a context of their own, at once', async () => {
    const tenants = TenantModule.forRoot({ strategy: 'header' });
    const resolvers = {
      tenant: async (_args: object, { ctx }: { ctx: RequestContext }) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return `${(ctx.get('tenant') as { tenantId: string }).tenantId} ${String(ctx.req.headers['x-word'])}`;
      },
    };
    const module = GraphqlMountModule.forRoot({
      typeDefs,
      rootValue: resolvers,
      explorer: false,
      path: '/tenants',
      name: 'tenants',
    });
    const { url, way } = await start(platform, { imports: [tenants, module] });
    const init = (i: number) =>
      post({ query: '{ tenant }' }, { 'x-tenant-id': `t${i}`, 'x-word': `w${i}` });
    expect(await way('/tenants', init(0))).toBe('200 straight');
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => (await fetch(`${url}/tenants`, init(i))).json()),
    );
    expect(answers).toEqual(answers.map((_, i) => ({ data: { tenant: `t${i} w${i}` } })));
  });

  it('end when the client leaves, and leave the application answering', async () => {
    const { url, way } = await start(platform);
    await new Promise<void>((resolve) => {
      const half = httpRequest(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': 100 },
      });
      half.on('error', () => resolve()).write('{ "query": ');
      setTimeout(() => half.destroy(), 20);
    });
    expect(await way()).toBe('200 straight');
  });

  it('leave a route of the application for its path behind the mount', async () => {
    const { url } = await start(platform, { controllers: [Everything] });
    const answer = await fetch(`${url}/graphql`, post({ query: '{ hello }' }));
    expect(await answer.json()).toEqual({ data: { hello: 'world' } });
  });
});

describe('on Fastify, operations of a mount', () => {
  const fastify = platforms.find(({ name }) => name === 'Fastify') as Platform;

  it.each<[name: string, main: (app: INestApplication) => unknown]>([
    ['@fastify/helmet', (app) => fastifyOf(app).register(fastifyHelmet)],
    ['a hook', (app) => fastifyOf(app).addHook('onRequest', (_q, _r, done) => done())],
  ])('come by the platform after %s', async (_name, main) => {
    const { way } = await start(fastify, { main });
    expect(await way()).toBe('200 by the platform');
  });

  it.each([{ trustProxy: true }, { requestIdHeader: 'x-id' }, { logger: { level: 'fatal' } }])(
    'come by the platform with the option %j',
    async (options) => {
      const { way } = await start({ ...fastify, adapter: () => new FastifyAdapter(options) });
      expect(await way()).toBe('200 by the platform');
    },
  );

  it.each(['/_mcp/messages', '_mcp/messages', '_mcp/*path', '*path', ':any/messages'])(
    'leave MCP messages behind middleware of a module for %s',
    async (path) => {
      const seen: unknown[] = [];
      @Module({})
      class SeeingModule {
        configure(consumer: MiddlewareConsumer) {
          const see = (request: IncomingMessage, _response: unknown, next: Next) => {
            seen.push(request.method);
            next();
          };
          consumer.apply(see).forRoutes(path);
        }
      }
      const { way } = await start(fastify, { imports: [SeeingModule, tools] });
      expect(await way('/_mcp/messages', initialize)).toBe('200 by the platform');
      expect(seen).toEqual(['POST']);
    },
  );
});

describe('on Express, operations of a mount', () => {
  const express = platforms.find(({ name }) => name === 'Express') as Platform;

  it('are parsed with the limit and the raw body of the application', async () => {
    const { way } = await start(express, {
      main: (app) =>
        (app as never as { useBodyParser: Function }).useBodyParser('json', { limit: 40 }),
      options: { rawBody: true },
    });
    expect(await way()).toBe('200 straight');
    expect(
      await way('/graphql', post({ query: '{ hello }', variables: { a: 'aaaaaaaaaaaa' } })),
    ).toBe('413 straight');
  });

  it('come by the platform where the application adds a route for its path', async () => {
    @Controller('graphql')
    class Own {
      @Post()
      answer() {
        return 'mine';
      }
    }
    const { way } = await start(express, { controllers: [Own] });
    expect(await way()).toBe('200 by the platform');
  });
});

/** Status, headers and body of an answer, without what differs each time. */
async function answerOf(url: string, init: RequestInit) {
  const response = await fetch(`${url}/graphql`, init);
  const headers = Object.fromEntries(response.headers);
  delete headers['date'];
  return { status: response.status, headers, body: (await response.text()).replaceAll(url, '') };
}

function setHook(app: INestApplication, name: 'setOnRequestHook' | 'setOnResponseHook'): void {
  const adapter = app.getHttpAdapter() as unknown as Record<typeof name, (hook: unknown) => void>;
  adapter[name]((_request: unknown, _response: unknown, done?: Next) => done?.());
}

function fastifyOf(app: INestApplication): FastifyInstance {
  return app.getHttpAdapter().getInstance() as FastifyInstance;
}

/** What the resolver sees of a request with a `Host` of its own, which fetch does not send. */
async function seenAt(url: string, host: string): Promise<string> {
  const headers = { 'content-type': 'application/json', host };
  const request = httpRequest(`${url}/graphql`, { method: 'POST', headers });
  request.end(JSON.stringify({ query: '{ seen }' }));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return (await response.toArray()).join('');
}
