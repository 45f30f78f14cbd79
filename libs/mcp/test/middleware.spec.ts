// The set-ups of docs/middleware.md, run as they stand there.
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  type INestApplication,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpTool } from '../src/index.js';
import { type AppSetup, controllers, type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { connectEra } from './support/eras.js';
import { platforms } from '../../../test/support/platforms.js';
import { INITIALIZE } from './support/wire.js';
import { checkForms, generateCsrfToken } from './setups/csrf.js';
import { limitRates as limitRatesOfExpress } from './setups/express-rate-limit.js';
import { limitRates as limitRatesOfFastify } from './setups/fastify-rate-limit.js';
import { admitInspector } from './setups/inspector.js';

@Controller('tasks')
class TasksController {
  @Get()
  @McpTool({ name: 'list', description: 'x' })
  list() {
    return ['task'];
  }

  @Get('token')
  token(@Req() request: never, @Res({ passthrough: true }) response: never) {
    return { token: generateCsrfToken(request, response) };
  }

  @Post()
  @McpTool({ name: 'create', description: 'x' })
  create() {
    return { created: true };
  }
}

let running: RunningApp;
afterEach(() => running.close());

const start = async (adapter: Parameters<typeof startApp>[0], setup: AppSetup) => {
  running = await startApp(adapter, { ...controllers(TasksController), ...setup });
};

async function called(tool: string) {
  const client = await running.connect();
  const result = await client.call(tool);
  await client.leave();
  return result;
}

const get = (headers: Record<string, string> = {}) => fetch(`${running.url}/tasks`, { headers });
const post = (headers: Record<string, string> = {}) =>
  fetch(`${running.url}/tasks`, { method: 'POST', headers });

describe('docs/middleware.md', () => {
  it('shows the set-ups of this folder, each as it stands', () => {
    const folder = new URL('setups/', import.meta.url);
    const page = readFileSync(new URL('../docs/middleware.md', import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    const files = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
    expect(blocks.sort()).toEqual(files.sort());
    running = { close: () => Promise.resolve() } as RunningApp;
  });
});

describe.each(platforms)('middleware on $name', ({ name, adapter }) => {
  it('of a module does not run at the endpoint on Express', async () => {
    const paths: string[] = [];
    @Module({})
    class LoggingModule implements NestModule {
      configure(consumer: MiddlewareConsumer): void {
        const log = (
          request: { originalUrl?: string; url: string },
          _: object,
          next: () => void,
        ) => {
          paths.push(request.originalUrl ?? request.url);
          next();
        };
        consumer.apply(log).forRoutes('{*path}');
      }
    }
    await start(adapter(), { imports: [LoggingModule] });
    const client = await connectEra('2026-07-28', running.endpoint);
    paths.length = 0;
    expect((await client.call('list')).isError).toBeFalsy();
    expect(paths).toEqual(name === 'Express' ? ['/tasks'] : ['/_mcp/messages', '/tasks']);
    await client.close();
  });

  it('sees a tool call twice, at the endpoint and at the route; a guard sees it once', async () => {
    const paths: string[] = [];
    const guarded: string[] = [];
    await start(adapter(), {
      providers: [{ provide: APP_GUARD, useValue: { canActivate: () => guarded.push('guard') } }],
      main(app) {
        app.use((request: { originalUrl?: string; url: string }, _: unknown, next: () => void) => {
          paths.push(request.originalUrl ?? request.url);
          next();
        });
      },
    });
    const client = await connectEra('2026-07-28', running.endpoint);
    paths.length = 0;
    expect((await client.call('list')).isError).toBeFalsy();
    expect(paths).toEqual(['/_mcp/messages', '/tasks']);
    expect(guarded).toEqual(['guard']);
    await client.close();
  });

  it('lets MCP Inspector in from its page, with the set-up for it', async () => {
    await start(adapter(), { main: admitInspector });
    const origin = 'http://localhost:6274';
    const asked = 'authorization,content-type,mcp-protocol-version,mcp-session-id';
    const preflight = await fetch(running.endpoint, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': asked,
      },
    });
    expect(preflight.status).toBeLessThan(300);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE');
    for (const header of asked.split(','))
      expect(preflight.headers.get('access-control-allow-headers')).toContain(header);

    const answer = await running.wire.post(INITIALIZE, { origin });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('access-control-expose-headers')).toContain('mcp-session-id');
    expect(answer.headers.get('mcp-session-id')).toEqual(expect.any(String));

    const foreign = { origin: 'https://inspector.example.com' };
    expect((await running.wire.post(INITIALIZE, foreign)).status).toBe(403);
  });

  it('refuses no client outside of browsers under enableCsrfProtection', async () => {
    await start(adapter(), {
      main(app: INestApplication) {
        app.enableCsrfProtection({ trustedOrigins: ['http://localhost:6274'] });
      },
    });
    expect(textOf(await called('create'))).toBe('{"created":true}');
    const page = { origin: 'http://localhost:6274', 'sec-fetch-site': 'cross-site' };
    expect((await running.wire.post(INITIALIZE, page)).status).toBe(200);
    expect(
      (await post({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403);
  });
});

describe.each<[string, Parameters<typeof startApp>[0], AppSetup['main']]>([
  ['express-rate-limit', new ExpressAdapter(), (app) => limitRatesOfExpress(app as never)],
  ['@fastify/rate-limit', new FastifyAdapter(), (app) => limitRatesOfFastify(app as never)],
])('%s', (_, adapter, main) => {
  it('counts a tool call once, and refuses it above the limit, with the set-up for it', async () => {
    await start(adapter, { main: main as NonNullable<AppSetup['main']> });
    expect((await called('list')).isError).toBe(false);
    const remaining = Number((await get()).headers.get('x-ratelimit-remaining'));
    expect(remaining).toBe(98);
    for (let i = 0; i < remaining; i++) expect((await get()).status).toBe(200);
    expect((await get()).status).toBe(429);
    const result = await called('list');
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ error: { status: 429, retryable: true } });
  });
});

describe('csrf-csrf', () => {
  it('refuses a form with cookies and no token, and no tool call, with the set-up for it', async () => {
    process.env['CSRF_SECRET'] = 'a secret of this test';
    await start(new ExpressAdapter(), { main: (app) => checkForms(app as never) });
    const cookie = 'session=ada';
    expect((await post({ cookie })).status).toBe(403);
    const answer = await fetch(`${running.url}/tasks/token`, { headers: { cookie } });
    const { token } = (await answer.json()) as { token: string };
    const own = answer.headers.getSetCookie().map((set) => set.split(';')[0]);
    const form = { cookie: [cookie, ...own].join('; '), 'x-csrf-token': token };
    expect((await post(form)).status).toBe(201);
    expect((await post()).status).toBe(201);
    expect(textOf(await called('create'))).toBe('{"created":true}');
    expect((await running.wire.post(INITIALIZE, { cookie })).status).toBe(200);
  });
});
