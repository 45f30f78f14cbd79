// What the application puts before the endpoint runs for its messages, on both platforms.
import { channel } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fastifyHelmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import {
  type ArgumentsHost,
  Catch,
  Controller,
  ForbiddenException,
  HttpException,
  type INestApplication,
  type MiddlewareConsumer,
  Module,
  VersioningType,
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Server } from 'node:http';
import { type AppSetup, controllers, type RunningApp, startApp } from './support/app.js';
import { platforms } from '../../../test/support/platforms.js';
import { CALL_THING, MESSAGE, ThingsController } from './support/things.js';
import { INITIALIZE } from './support/wire.js';

const ROUTE = '/things/a';

type Adapter = ExpressAdapter | FastifyAdapter;
type Next = () => void;

let running: RunningApp;
let seen: string[];
beforeEach(() => void (seen = []));
afterEach(() => running.close());

const note = ({ url }: { url?: string | undefined }) => void seen.push(String(url));

async function start(adapter: Adapter, setup: AppSetup = {}): Promise<void> {
  running = await startApp(adapter, { ...controllers(ThingsController), ...setup });
}

/** The status of a message to a spelling of the endpoint. */
async function send(path = MESSAGE): Promise<number> {
  return (await post(path)).status;
}

function post(path: string): Promise<Response> {
  return fetch(`${running.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(INITIALIZE),
  });
}

const adapterOf = (app: INestApplication) => app.getHttpAdapter() as unknown as FastifyAdapter;
const fastifyOf = (app: INestApplication) => adapterOf(app).getInstance<FastifyInstance>();

describe.each(platforms)('On $name, a message', ({ adapter }) => {
  it('is seen by other listeners of the server, however early they came', async () => {
    await start(adapter(), {
      main(app) {
        const server = app.getHttpServer() as Server;
        server.prependListener('request', note).on('request', note).once('request', note);
      },
    });
    const headers = { 'mcp-session-id': await running.wire.initialize() };
    seen = [];
    (running.app.getHttpServer() as Server).on('request', note);
    expect((await running.wire.post(CALL_THING, headers)).status).toBe(200);
    expect(seen).toEqual([MESSAGE, MESSAGE, MESSAGE, ROUTE, ROUTE, ROUTE]);
  });

  it('passes the hooks of the adapter, also those that are set later', async () => {
    const set = (app: INestApplication) => {
      adapterOf(app).setOnRequestHook((req: { url: string }, _res: unknown, done: Next) => {
        note(req);
        done();
      });
      adapterOf(app).setOnResponseHook(({ url }: { url: string }, _res: unknown, done?: Next) => {
        note({ url: `${url} ends` });
        done?.();
      });
    };
    await start(adapter());
    expect(await send()).toBe(200);
    expect(seen).toEqual([]);
    set(running.app);
    expect(await send()).toBe(200);
    expect(seen).toEqual([MESSAGE, `${MESSAGE} ends`]);
  });

  it('passes the middleware of modules', async () => {
    @Module({})
    class LoggingModule {
      configure(consumer: MiddlewareConsumer): void {
        const log = (req: { originalUrl?: string }, _res: unknown, next: Next) => {
          note({ url: req.originalUrl });
          next();
        };
        consumer.apply(log).forRoutes('*path');
      }
    }
    await start(adapter(), { imports: [LoggingModule] });
    expect(await send()).toBe(200);
    // Express runs them in their order, and the endpoint is before those of modules.
    expect(seen).toEqual(adapter() instanceof FastifyAdapter ? [MESSAGE] : []);
  });

  it('reaches the endpoint with a query string too', async () => {
    await start(adapter());
    expect(await send(`${MESSAGE}?a=b`)).toBe(200);
  });
});

describe('On Express, a message', () => {
  it('reaches the endpoint in upper case', async () => {
    await start(new ExpressAdapter());
    expect(await send('/_MCP/messages')).toBe(200);
  });

  it('reaches the endpoint of an application that was there before Nest', async () => {
    await start(new ExpressAdapter(new ExpressAdapter().getInstance<object>()));
    expect(await send()).toBe(200);
  });
});

describe('On Fastify, a message', () => {
  it.each<[name: string, main: (app: INestApplication) => unknown]>([
    ['@fastify/helmet', (app) => fastifyOf(app).register(fastifyHelmet)],
    ['@fastify/rate-limit', (app) => fastifyOf(app).register(rateLimit, { max: 9 })],
    ['a plugin that wraps handlers', (app) => fastifyOf(app).addHook('onRoute', wrapHandler)],
    ['security headers', (app) => app.useSecurityHeaders()],
  ])('passes %s', async (_, main) => {
    await start(new FastifyAdapter(), { main: async (app) => void (await main(app)) });
    expect(await send()).toBe(200);
  });

  it.each(['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onResponse'])(
    'passes a hook for %s',
    async (name) => {
      const hook = (request: { url: string }, ...rest: unknown[]) => {
        note(request);
        (rest.at(-1) as Next)();
      };
      await start(new FastifyAdapter(), {
        main: (app) => void fastifyOf(app).addHook(name as 'onRequest', hook),
      });
      expect(await send()).toBe(200);
      expect(seen).toEqual([MESSAGE]);
    },
  );

  it.each<[name: string, options: object]>([
    ['a logger', { logger: { level: 'silent' } }],
    ['rewriteUrl', { rewriteUrl: ({ url }: { url: string }) => url }],
    ['genReqId', { genReqId: () => 'a' }],
    ['forceCloseConnections', { forceCloseConnections: true }],
    ['handlerTimeout', { handlerTimeout: 60_000 }],
    ['a constraint', { routerOptions: { constraints: { tier: constraint('tier') } } }],
  ])('is answered with the option %s', async (_, options) => {
    await start(new FastifyAdapter(options));
    expect(await send()).toBe(200);
  });

  it('is answered where versions are read by a function of the application', async () => {
    @Controller({ path: 'versioned', version: '1' })
    class VersionedController extends ThingsController {}
    await start(new FastifyAdapter(), {
      ...controllers(VersionedController),
      main: (app) =>
        void app.enableVersioning({ type: VersioningType.CUSTOM, extractor: () => '1' }),
    });
    expect(await send()).toBe(200);
  });

  it('is seen by tracers of handlers', async () => {
    await start(new FastifyAdapter());
    const started = channel('tracing:fastify.request.handler:start');
    const traced = (message: unknown) => note((message as { request: { url: string } }).request);
    started.subscribe(traced);
    try {
      expect(await send()).toBe(200);
    } finally {
      started.unsubscribe(traced);
    }
    expect(seen).toEqual([MESSAGE]);
  });

  it('is refused by a hook of Nest once the application is closing', async () => {
    await start(new FastifyAdapter(), { app: { return503OnClosing: true } });
    expect(await send()).toBe(200);
    adapterOf(running.app).beforeClose();
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

describe('On Fastify, a hook that fails', () => {
  const forbidden = new ForbiddenException();
  it.each(['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const)(
    'rejects the message: %s',
    async (hook) => {
      for (const rejects of [
        async () => Promise.reject(forbidden),
        (...args: unknown[]) => (args.at(-1) as (error: Error) => void)(forbidden),
      ]) {
        await start(new FastifyAdapter(), {
          main: (app) => void fastifyOf(app).addHook(hook as 'onRequest', rejects as never),
        });
        expect([rejects.length, await send()]).toEqual([rejects.length, 403]);
        await running.close();
      }
    },
  );

  it('sends no internals, and passes the exception filters', async () => {
    @Catch()
    class Filter extends BaseExceptionFilter {
      override catch(error: Error, host: ArgumentsHost) {
        seen.push(error.message);
        super.catch(error, host);
      }
    }
    await start(new FastifyAdapter(), {
      providers: [{ provide: APP_FILTER, useClass: Filter }],
      main: (app) =>
        void fastifyOf(app).addHook('preHandler', async () => {
          throw Object.assign(new Error('10.0.0.5 is down'), { code: 'ECONNREFUSED' });
        }),
    });
    const response = await post(MESSAGE);
    expect([response.status, await response.json()]).toEqual([
      500,
      { statusCode: 500, message: 'Internal server error' },
    ]);
    expect(seen).toEqual(['10.0.0.5 is down']);
  });

  it('also protects a session from messages with a malformed content type', async () => {
    let isOpen = true;
    await start(new FastifyAdapter(), {
      main: (app) =>
        void fastifyOf(app).addHook('preHandler', async () => {
          if (!isOpen) throw forbidden;
        }),
    });
    const session = { 'mcp-session-id': await running.wire.initialize() };
    isOpen = false;
    const end = (headers: object) =>
      fetch(running.url + MESSAGE, { method: 'DELETE', headers: { ...session, ...headers } });
    expect((await end({})).status).toBe(403);
    expect((await end({ 'content-type': 'garbage;;' })).status).toBe(415);
    isOpen = true;
    expect((await end({})).status).toBe(200);
  });

  it('is the rate limit of a plugin', async () => {
    await start(new FastifyAdapter(), {
      main: async (app) =>
        void (await fastifyOf(app).register(rateLimit, {
          max: 2,
          errorResponseBuilder: (_request, { statusCode }) =>
            new HttpException('Too Many Requests', statusCode),
        })),
    });
    expect([await send(), await send(), await send()]).toEqual([200, 200, 429]);
  });
});
