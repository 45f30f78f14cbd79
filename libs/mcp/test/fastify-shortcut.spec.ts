import { channel } from 'node:diagnostics_channel';
import { afterEach, describe, expect, it } from '@jest/globals';
import fastifyHelmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import {
  Controller,
  Get,
  type INestApplication,
  type MiddlewareConsumer,
  Module,
  Param,
  VersioningType,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, RouteOptions } from 'fastify';
import helmet from 'helmet';
import { McpTool } from '../src/decorators/mcp-tool.decorator.js';
import { type AppSetup, controllers, type RunningApp, startApp } from './support/app.js';
import { INITIALIZE } from './support/wire.js';

@Controller('things')
class ThingsController {
  @Get(':id')
  @McpTool({ name: 'things_get', description: 'Reads a thing' })
  get(@Param('id') id: string) {
    return { id };
  }
}

/** Counts the requests that pass through Fastify: one of the adapter's hooks asks this of each. */
class CountingAdapter extends FastifyAdapter {
  passed = 0;

  constructor(options: object) {
    super(options);
    const isRoutableRequestTarget = (url: string) => {
      this.passed += 1;
      return url.startsWith('/');
    };
    Object.assign(this, { isRoutableRequestTarget });
  }
}

type Next = () => void;

const pass = (_request: unknown, _response: unknown, next: Next) => next();

@Module({})
class LoggingModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(pass).forRoutes('*path');
  }
}

let running: RunningApp;
let adapter: CountingAdapter;
afterEach(() => running.close());

async function start(setup: AppSetup = {}, options: object = {}): Promise<void> {
  adapter = new CountingAdapter(options);
  running = await startApp(adapter, { ...controllers(ThingsController), ...setup });
}

/** Whether a message to a spelling of the endpoint is answered, and by way of Fastify. */
async function wayTo(path = '/_mcp/messages'): Promise<string> {
  const before = adapter.passed;
  const { status } = await fetch(`${running.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(INITIALIZE),
  });
  return `${status} ${adapter.passed > before ? 'by Fastify' : 'straight'}`;
}

describe('On Fastify, requests to the endpoint', () => {
  it('come straight where the application put nothing before it', async () => {
    await start();
    expect(await wayTo()).toBe('200 straight');
  });

  it('come straight past what the application put before other paths', async () => {
    await start({
      main: (app) => {
        app.use('/docs', pass);
        fastifyOf(app).get('/health', () => 'up');
        app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' });
      },
    });
    expect(await wayTo()).toBe('200 straight');
  });

  it('come straight to each of several endpoints that the application put nothing before', async () => {
    await start({
      mcp: { endpoints: [{ path: '/mcp/a' }, { path: '/mcp/b' }, { path: '/ai' }] },
      main: (app) => void app.use('/mcp/b', pass),
    });
    expect([await wayTo('/mcp/a'), await wayTo('/mcp/b'), await wayTo('/ai')]).toEqual([
      '200 straight',
      '200 by Fastify',
      '200 straight',
    ]);
  });

  it('come by Fastify when they spell its path another way', async () => {
    await start();
    expect(await wayTo('/_mcp/messages?a=b')).toBe('200 by Fastify');
  });

  it('leave the routes to Fastify', async () => {
    await start();
    const answer = await fetch(`${running.url}/things/a`);
    expect([await answer.json(), adapter.passed]).toEqual([{ id: 'a' }, 1]);
  });

  it.each<[name: string, main: (app: INestApplication) => unknown]>([
    ['a middleware', (app) => app.use(pass)],
    ['a middleware of its path', (app) => app.use('/_MCP/', pass)],
    ['a middleware of a pattern', (app) => app.use('/*path', pass)],
    ['helmet', (app) => app.use(helmet())],
    ['@fastify/helmet', (app) => fastifyOf(app).register(fastifyHelmet)],
    ['@fastify/rate-limit', (app) => fastifyOf(app).register(rateLimit, { max: 9 })],
    ['a plugin that wraps handlers', (app) => fastifyOf(app).addHook('onRoute', wrapHandler)],
    ['CORS', (app) => app.enableCors()],
    ['security headers', (app) => app.useSecurityHeaders()],
    ['a request hook', (app) => adapterOf(app).setOnRequestHook((_q, _s, done) => done())],
    ['a response hook', (app) => adapterOf(app).setOnResponseHook((_q, _s, done) => done())],
  ])('come by Fastify behind %s', async (_, main) => {
    await start({ main: async (app) => void (await main(app)) });
    expect(await wayTo()).toBe('200 by Fastify');
  });

  it.each(['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onResponse', 'onTimeout'])(
    'come by Fastify behind a hook for %s',
    async (name) => {
      const seen: string[] = [];
      const hook = (request: { url: string }, ...rest: unknown[]) => {
        seen.push(request.url);
        (rest.at(-1) as Next)();
      };
      await start({ main: (app) => void fastifyOf(app).addHook(name as 'onRequest', hook) });
      expect(await wayTo()).toBe('200 by Fastify');
      if (name !== 'onTimeout') expect(seen).toEqual(['/_mcp/messages']);
    },
  );

  it.each<[name: string, options: object]>([
    ['a logger', { logger: { level: 'silent' } }],
    ['rewriteUrl', { rewriteUrl: ({ url }: { url: string }) => url }],
    ['genReqId', { genReqId: () => 'a' }],
    ['forceCloseConnections', { forceCloseConnections: true }],
    ['handlerTimeout', { handlerTimeout: 60_000 }],
    ['a constraint', { routerOptions: { constraints: { tier: constraint('tier') } } }],
  ])('come by Fastify with its option %s', async (_, options) => {
    await start({}, options);
    expect(await wayTo()).toBe('200 by Fastify');
  });

  it('come by Fastify behind the middleware of a module', async () => {
    await start({ imports: [LoggingModule] });
    expect(await wayTo()).toBe('200 by Fastify');
  });

  it('come by Fastify where versions are read by a function of the application', async () => {
    @Controller({ path: 'versioned', version: '1' })
    class VersionedController extends ThingsController {}
    await start({
      ...controllers(VersionedController),
      main: (app) =>
        void app.enableVersioning({ type: VersioningType.CUSTOM, extractor: () => '1' }),
    });
    expect(await wayTo()).toBe('200 by Fastify');
  });

  it('come by Fastify as soon as a hook of the adapter is set', async () => {
    await start();
    expect(await wayTo()).toBe('200 straight');
    const asked: unknown[] = [];
    adapter.setOnRequestHook(({ url }: { url: string }, _response: unknown, done: Next) => {
      asked.push(url);
      done();
    });
    expect(await wayTo()).toBe('200 by Fastify');
    expect(asked).toEqual(['/_mcp/messages']);
  });

  it('come by Fastify while its handlers are traced', async () => {
    await start();
    const started = channel('tracing:fastify.request.handler:start');
    const urls: string[] = [];
    const note = (message: unknown) =>
      void urls.push((message as { request: { url: string } }).request.url);
    started.subscribe(note);
    try {
      expect(await wayTo()).toBe('200 by Fastify');
    } finally {
      started.unsubscribe(note);
    }
    expect(urls).toEqual(['/_mcp/messages']);
    expect(await wayTo()).toBe('200 straight');
  });

  it('come by Fastify once the application is closing, which refuses them in a hook', async () => {
    await start({ app: { return503OnClosing: true } });
    expect(await wayTo()).toBe('200 straight');
    adapter.beforeClose();
    const refused = await fetch(running.endpoint, { method: 'POST' });
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { error: 'Service Unavailable' },
    ]);
  });
});

/** A routing constraint that takes no part in the endpoint's path. */
function constraint(name: string): object {
  const stored = new Map<unknown, unknown>();
  return {
    name,
    storage: () => ({
      get: (key: unknown) => stored.get(key) ?? null,
      set: (key: unknown, value: unknown) => stored.set(key, value),
      del: (key: unknown) => stored.delete(key),
      empty: () => stored.clear(),
    }),
    validate: () => true,
    deriveConstraint: () => undefined,
  };
}

/** As plugins for tracing do. */
function wrapHandler(route: RouteOptions): void {
  const { handler } = route;
  route.handler = function (request, reply) {
    return handler.call(this, request, reply);
  };
}

function adapterOf(app: INestApplication): FastifyAdapter {
  return app.getHttpAdapter() as unknown as FastifyAdapter;
}

function fastifyOf(app: INestApplication): FastifyInstance {
  return adapterOf(app).getInstance<FastifyInstance>();
}
