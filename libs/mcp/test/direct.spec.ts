// `direct: true`: requests to the endpoint go from the server to it, ahead of the platform.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, type LoggerService } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { WebSocketGateway } from '@nestjs/websockets';
import type { McpAdapterOptions } from '../src/index.js';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import { type AppSetup, controllers, type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { connectEra, eras } from './support/eras.js';
import { limitRates as limitRatesOfExpress } from './setups/express-rate-limit.js';
import { limitRates as limitRatesOfFastify } from './setups/fastify-rate-limit.js';
import { platforms } from '../../../test/support/platforms.js';
import { CALL_THING, MESSAGE, ThingsController } from './support/things.js';
import { until } from '../../../test/support/until.js';
import { INITIALIZE, wire } from './support/wire.js';

let release: (() => void) | undefined;

@Controller('slow')
class SlowController {
  @Get()
  @McpTool({ name: 'slow', description: 'Waits until released' })
  slow() {
    return new Promise((resolve) => (release = () => resolve({ done: true })));
  }
}

@WebSocketGateway()
class Gateway {}

const origin = 'https://app.example.com';
const preflight = {
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,mcp-session-id',
};

let running: RunningApp | undefined;
let seen: string[];
beforeEach(() => {
  seen = [];
  release = undefined;
});
afterEach(async () => {
  await running?.close();
  running = undefined;
});

type Next = () => void;
type Seen = IncomingMessage & { originalUrl?: string };

/** Middleware of the application, which notes what it sees. */
const note = (request: Seen, response: ServerResponse, next: Next) => {
  seen.push(request.originalUrl ?? String(request.url));
  response.setHeader('x-seen', 'yes');
  next();
};

describe.each(platforms)('direct: true on $name', ({ name, adapter }) => {
  async function start(mcp: Partial<McpAdapterOptions> = {}, setup: AppSetup = {}) {
    running = await startApp(adapter(), {
      ...controllers(ThingsController, SlowController),
      mcp: { direct: true, ...mcp },
      main: (app) => void app.use(note),
      ...setup,
    });
    return running;
  }

  it.each(eras)('middleware and guards see a call of %s once, at its route', async (era) => {
    const guarded: string[] = [];
    const { endpoint } = await start(
      {},
      {
        providers: [{ provide: APP_GUARD, useValue: { canActivate: () => guarded.push('guard') } }],
      },
    );
    const client = await connectEra(era, endpoint);
    expect(textOf(await client.call('things_get', { id: 'a' }))).toBe('{"id":"a"}');
    await client.close();
    expect([seen, guarded]).toEqual([['/things/a'], ['guard']]);
  });

  it('the platform answers other paths, and other spellings of the path', async () => {
    const { url } = await start();
    const answer = await fetch(`${url}/things/b`);
    expect([await answer.json(), answer.headers.get('x-seen')]).toEqual([{ id: 'b' }, 'yes']);
    expect((await wire(`${url}${MESSAGE}/`).post(INITIALIZE)).status).toBe(200);
    expect((await wire(`${url}${MESSAGE}?a=b`).post(INITIALIZE)).status).toBe(200);
    expect(seen).toEqual(['/things/b', `${MESSAGE}/`]);
  });

  it('several endpoints are served, outside of the global prefix', async () => {
    const { url } = await start(
      { endpoints: [{ path: '/mcp/a' }, { path: '/ai' }] },
      { main: (app) => void app.use(note).setGlobalPrefix('api') },
    );
    for (const path of ['/mcp/a', '/ai']) {
      const headers = { 'mcp-session-id': await wire(url + path).initialize() };
      expect((await wire(url + path).post(CALL_THING, headers)).status).toBe(200);
    }
    expect(seen).toEqual(['/api/things/a', '/api/things/a']);
  });

  it('answers are not sniffed, and have no headers of the application', async () => {
    const { headers } = await (await start()).wire.post(INITIALIZE);
    expect([headers.get('x-content-type-options'), headers.get('x-seen')]).toEqual([
      'nosniff',
      null,
    ]);
  });

  it('pages of allowedOrigins can call it, without enableCors', async () => {
    const { endpoint, wire } = await start({ allowedOrigins: [origin] });
    const { status, headers } = await fetch(endpoint, { method: 'OPTIONS', headers: preflight });
    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      vary: 'Origin',
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'authorization,mcp-session-id',
    });
    const answer = await wire.post(INITIALIZE, { origin });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'mcp-session-id, www-authenticate',
    });
  });

  it('pages of other origins get 403 and no permission, also where the application has CORS', async () => {
    const { endpoint, wire } = await start(
      { allowedOrigins: ['https://other.example.com'] },
      { main: (app) => app.enableCors() },
    );
    const { status, headers } = await fetch(endpoint, { method: 'OPTIONS', headers: preflight });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const answer = await wire.post(INITIALIZE, { origin });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  it('a preflight needs no token, and a page can read why its token is rejected', async () => {
    const auth = { type: 'bearer', validate: () => false } as const;
    const { endpoint, wire } = await start({ allowedOrigins: [origin], auth });
    expect((await fetch(endpoint, { method: 'OPTIONS', headers: preflight })).status).toBe(204);
    const { status, headers } = await wire.post(INITIALIZE, { origin });
    expect(status).toBe(401);
    expect(headers.get('access-control-expose-headers')).toContain('www-authenticate');
    expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it('metadata of the authorization stay on the platform', async () => {
    const resourceMetadata = { resource: 'https://a.b', authorization_servers: ['https://c.d'] };
    const { url } = await start({
      auth: { type: 'bearer', validate: () => true, resourceMetadata },
    });
    const { status } = await fetch(`${url}/.well-known/oauth-protected-resource${MESSAGE}`);
    expect([status, seen]).toEqual([200, [`/.well-known/oauth-protected-resource${MESSAGE}`]]);
  });

  it('a message above limits.requestBytes is rejected', async () => {
    const { wire } = await start({ limits: { requestBytes: 1_000 } });
    const large = { ...CALL_THING, params: { ...CALL_THING.params, filler: 'a'.repeat(1_000) } };
    expect((await wire.post(large)).status).toBe(413);
  });

  it('an endpoint without auth is warned of at startup, and one with auth is not', async () => {
    const warnings: string[] = [];
    const logger = { log() {}, error() {}, warn: (text: string) => warnings.push(text) };
    const auth = { type: 'bearer', validate: () => true } as const;
    const setup = { main: (app: INestApplication) => app.useLogger(logger as LoggerService) };
    await start({ endpoints: [{ path: '/a' }, { path: '/b', auth }] }, setup);
    expect(warnings).toEqual([
      '`direct` is true and `auth` is not set, so no middleware authenticates the requests to /a. Set ' +
        'McpModule.forRoot({ auth }), or remove `direct`.',
    ]);
  });

  it('rate limits count calls once, and lists not at all', async () => {
    const limitRates = name === 'Express' ? limitRatesOfExpress : limitRatesOfFastify;
    const { url, connect } = await start({}, { main: (app) => limitRates(app as never) });
    const client = await connect();
    await client.listTools();
    await client.call('things_get', { id: 'a' });
    await client.leave();
    const { headers } = await fetch(`${url}/things/a`);
    expect(headers.get('x-ratelimit-remaining')).toBe('98');
  });

  it('compression of the application leaves the answer as it is', async () => {
    const compress = (_request: unknown, response: ServerResponse, next: Next) => {
      response.setHeader('content-encoding', 'gzip');
      next();
    };
    const { wire } = await start({}, { main: (app) => void app.use(MESSAGE, compress) });
    const { headers, message } = await wire.post(INITIALIZE, { 'accept-encoding': 'gzip' });
    expect([headers.get('content-encoding'), message.result]).toMatchObject([
      null,
      { serverInfo: { name: 'spec' } },
    ]);
  });

  it('a server of the platform function, as supertest makes one, reaches the route', async () => {
    const { app } = await start();
    // supertest makes a server of a function: an application of Express, or Fastify's `routing`.
    const instance = app.getHttpAdapter().getInstance() as { routing?: unknown };
    const server = createServer((instance.routing ?? instance) as never);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${MESSAGE}`;
    expect((await wire(url).post(INITIALIZE)).status).toBe(200);
    expect(seen).toEqual([MESSAGE]);
    server.close();
  });

  it('a call that runs while the application closes is answered, and later ones are rejected', async () => {
    const { app, endpoint } = await start();
    const client = await connectEra('2026-07-28', endpoint);
    const slow = client.call('slow');
    await until(() => release !== undefined);
    const closed = app.close();
    running = undefined;
    await until(async () => {
      const { status } = await wire(endpoint).post(INITIALIZE);
      return status === 503;
    });
    release?.();
    expect(textOf(await slow)).toBe('{"done":true}');
    await closed;
    await expect(fetch(endpoint)).rejects.toThrow();
  });

  it('gateways of socket.io share the server', async () => {
    const { url, wire } = await start(
      {},
      {
        providers: [Gateway],
        main: (app) => void app.use(note).useWebSocketAdapter(new IoAdapter(app)),
      },
    );
    expect((await wire.post(INITIALIZE)).status).toBe(200);
    const polled = await fetch(`${url}/socket.io/?EIO=4&transport=polling`);
    expect(await polled.text()).toMatch(/^0\{"sid":/);
    expect(seen).toEqual([]);
  });

  it('socket.io that main.ts attached too early is an error, and after app.init() it is served', async () => {
    const attach = (app: INestApplication) => void new IoAdapter(app).createIOServer(0);
    await expect(start({}, { main: attach })).rejects.toMatchObject({ code: 'CORE_DIRECT_SERVER' });
    const { url, wire } = await start(
      {},
      {
        main: async (app) => {
          await app.init();
          attach(app);
        },
      },
    );
    expect((await wire.post(INITIALIZE)).status).toBe(200);
    const polled = await fetch(`${url}/socket.io/?EIO=4&transport=polling`);
    expect(await polled.text()).toMatch(/^0\{"sid":/);
  });
});
