import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Param } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import helmet from 'helmet';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { McpTool } from '../src/decorators/mcp-tool.decorator.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { platforms } from '../../../test/support/platforms.js';
import { INITIALIZE } from './support/wire.js';

@Controller('things')
class ThingsController {
  @Get(':id')
  @McpTool({ name: 'things_get', description: 'Reads a thing' })
  get(@Param('id') id: string) {
    return { id };
  }
}

const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'things_get', arguments: { id: 'a' } },
};

let running: RunningApp;
afterEach(() => running.close());

type Main = (app: INestApplication) => void;
type Next = () => void;

const pass = (_request: unknown, _response: unknown, next: Next) => next();

describe('On Express, requests to the endpoint', () => {
  const start = async (main: Main = () => undefined, adapter = new ExpressAdapter()) => {
    running = await startApp(adapter, { ...controllers(ThingsController), main });
  };

  /** Whether a message to a spelling of the endpoint is answered, and by way of Express. */
  async function wayTo(path = '/_mcp/messages'): Promise<string> {
    const { status, headers } = await fetch(`${running.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(INITIALIZE),
    });
    // Express puts it on every response before its first layer runs.
    return `${status} ${headers.has('x-powered-by') ? 'by Express' : 'straight'}`;
  }

  it('come straight where the application put nothing before it', async () => {
    await start();
    expect(await wayTo()).toBe('200 straight');
  });

  it('come straight to each of several endpoints that the application put nothing before', async () => {
    running = await startApp(new ExpressAdapter(), {
      ...controllers(ThingsController),
      mcp: { endpoints: [{ path: '/mcp/a' }, { path: '/mcp/b' }, { path: '/ai' }] },
      main: (app) => void app.use('/mcp/b', pass),
    });
    expect([await wayTo('/mcp/a'), await wayTo('/mcp/b'), await wayTo('/ai')]).toEqual([
      '200 straight',
      '200 by Express',
      '200 straight',
    ]);
  });

  it('come straight past what the application put before other paths', async () => {
    await start((app) => {
      app.use('/docs', pass);
      adapterOf(app).get('/health', (_: unknown, response: ServerResponse) => response.end());
    });
    expect(await wayTo()).toBe('200 straight');
  });

  it.each(['/_mcp/messages/', '/_MCP/messages', '/_mcp/messages?a=b'])(
    'come by Express when they spell its path %s',
    async (path) => {
      await start();
      expect(await wayTo(path)).toBe('200 by Express');
    },
  );

  it('leave the routes to Express', async () => {
    await start();
    const answer = await fetch(`${running.url}/things/a`);
    expect([await answer.json(), answer.headers.get('x-powered-by')]).toEqual([
      { id: 'a' },
      'Express',
    ]);
  });

  it.each<[name: string, main: Main]>([
    ['a middleware', (app) => app.use(pass)],
    ['a middleware of its path', (app) => app.use('/_mcp', pass)],
    ['helmet', (app) => app.use(helmet({ xPoweredBy: false }))],
    ['CORS', (app) => app.enableCors()],
    ['a request hook', (app) => adapterOf(app).setOnRequestHook((_q, _s, done) => done())],
    ['a response hook', (app) => adapterOf(app).setOnResponseHook(() => undefined)],
  ])('come by Express behind %s', async (_, main) => {
    await start(main);
    expect(await wayTo()).toBe('200 by Express');
  });

  it('come by Express behind what was there before Nest', async () => {
    const express = new ExpressAdapter().getInstance<object>();
    await start(undefined, new ExpressAdapter(express));
    expect(await wayTo()).toBe('200 by Express');
  });

  it('come by Express as soon as a hook or a layer is put before it', async () => {
    await start();
    const { stack } = adapterOf(running.app).getInstance<{ router: { stack: unknown[] } }>().router;
    const layer = stack.pop();
    stack.unshift(layer);
    expect(await wayTo()).toBe('200 by Express');
    stack.push(stack.shift());
    expect(await wayTo()).toBe('200 straight');
    const asked: string[] = [];
    adapterOf(running.app).setOnRequestHook(({ url }, _response, done) => {
      asked.push(url);
      done();
    });
    expect(await wayTo()).toBe('200 by Express');
    expect(asked).toEqual(['/_mcp/messages']);
  });
});

describe.each(platforms)('On $name, a tool call', ({ adapter }) => {
  let seen: string[];
  beforeEach(() => void (seen = []));
  const note = ({ url }: IncomingMessage) => void seen.push(String(url));
  const start = async (main: Main) => {
    running = await startApp(adapter(), { ...controllers(ThingsController), main });
    const headers = { 'mcp-session-id': await running.wire.initialize() };
    seen = [];
    return () => running.wire.post(CALL, headers);
  };

  it('is seen by other listeners of the server, however early they came', async () => {
    const call = await start((app) => {
      const server = app.getHttpServer() as Server;
      server.prependListener('request', note).on('request', note).once('request', note);
    });
    (running.app.getHttpServer() as Server).on('request', note);
    expect((await call()).status).toBe(200);
    const [message, request] = ['/_mcp/messages', '/things/a'];
    expect(seen).toEqual([message, message, message, request, request, request]);
  });

  it('passes the middleware of main.ts with its message and with its request', async () => {
    const call = await start((app) =>
      app.use((request: IncomingMessage & { originalUrl?: string }, _: unknown, next: Next) => {
        note(request);
        next();
      }),
    );
    expect((await call()).status).toBe(200);
    expect(seen).toEqual(['/_mcp/messages', '/things/a']);
  });
});

function adapterOf(app: INestApplication): ExpressAdapter {
  return app.getHttpAdapter() as unknown as ExpressAdapter;
}
