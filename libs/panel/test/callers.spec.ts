// "Send as": the callers that the panel offers, and whom the application finds when it is called as one of them.
import { RequestContext } from '@fledge/core';
import { type CallersView, type PanelOptions, PanelModule } from '@fledge/panel';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Logger,
  Param,
  Post,
  Req,
  Sse,
  UnauthorizedException,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { NEVER } from 'rxjs';
import { call, closeAll, platforms, post, serve } from '../../../test/support/platforms.js';

const CALLERS = [
  { name: 'Ada', headers: { authorization: 'Bearer ada' } },
  { name: 'Nobody', headers: {} },
];

/** Finds the user of a token. */
@Injectable()
class TokenGuard implements CanActivate {
  constructor(private readonly ctx: RequestContext) {}

  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<{
      headers: Record<string, string | undefined>;
      user?: object;
    }>();
    const [way, id] = request.headers['authorization']?.split(' ') ?? [];
    if (id === undefined) throw new UnauthorizedException('Send a token');
    if (way === 'Passport') request.user = { userId: id, password: 'hunter2' };
    else this.ctx.set('user', { id, password: 'hunter2' });
    return true;
  }
}

let seen: IncomingMessage | undefined;

@Controller('tasks')
class TasksController {
  @Get()
  list(@Req() request: IncomingMessage & { raw?: IncomingMessage }) {
    seen = request.raw ?? request;
    return [];
  }

  @Get('closed')
  close(@Req() request: IncomingMessage & { raw?: IncomingMessage }) {
    (request.raw ?? request).socket.destroy();
    return new Promise(() => undefined);
  }

  @Get(':id')
  get(@Param('id') id: string) {
    return { id };
  }

  @Post()
  create() {
    return {};
  }

  @Sse('events')
  events() {
    return NEVER;
  }
}

const moduleWith = (options: PanelOptions = { callers: CALLERS }) => ({
  imports: [PanelModule.forRoot(options)],
  controllers: [TasksController],
  providers: [{ provide: APP_GUARD, useClass: TokenGuard }],
});

afterEach(async () => {
  process.env['NODE_ENV'] = 'test';
  jest.restoreAllMocks();
  await closeAll();
});

describe.each(platforms)('callers of the panel on $name', (platform) => {
  const check = async (url: string, body: object, headers: Record<string, string> = {}) => {
    const sent = post(body);
    return call(`${url}/_fledge/api/callers/check`, {
      ...sent,
      headers: { ...(sent.headers as Record<string, string>), ...headers },
    });
  };

  it('are sent to the page, with the routes that can be checked', async () => {
    const { url } = await serve(moduleWith(), platform, (app) => app.setGlobalPrefix('api'));
    const response = await fetch(`${url}/api/_fledge/api/callers`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      callers: CALLERS,
      routes: ['/api/tasks', '/api/tasks/closed'],
    });
  });

  it('are sent to nobody whom authorize refuses, and are not part of the state', async () => {
    const authorize = ({ headers }: IncomingMessage) => headers['x-key'] === 'secret';
    const { url } = await serve(moduleWith({ callers: CALLERS, authorize }), platform);
    const refused = await fetch(`${url}/_fledge/api/callers`);
    expect(refused.status).toBe(403);
    expect(await refused.text()).not.toContain('Bearer');
    const headers = { 'x-key': 'secret' };
    const allowed = (await call(`${url}/_fledge/api/callers`, { headers })).body as CallersView;
    expect(allowed.callers).toEqual(CALLERS);
    for (const path of ['api/state', 'api/app', '', 'panel.js']) {
      const answer = await fetch(`${url}/_fledge/${path}`, { headers });
      expect(await answer.text()).not.toContain('Bearer ada');
    }
    expect((await check(url, { route: '/tasks' })).status).toBe(403);
  });

  it('are left out in production, with a warning', async () => {
    process.env['NODE_ENV'] = 'production';
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const warnings = () => warn.mock.calls.map(String).filter((text) => /callers/.test(text));
    const options = { authorize: () => true };
    const { url } = await serve(moduleWith({ ...options, callers: CALLERS }), platform);
    expect((await call(`${url}/_fledge/api/callers`)).body).toMatchObject({ callers: [] });
    expect(warnings()).toEqual([expect.stringContaining('The panel ignores `callers`')]);
    await serve(moduleWith(options), platform);
    // Without authorize there is no panel.
    await serve({ imports: [PanelModule.forRoot({ callers: CALLERS })] }, platform);
    expect(warnings()).toHaveLength(1);
  });

  it.each([
    ['the request context', 'Bearer ada'],
    ['Passport', 'Passport ada'],
  ])('are found by a check, with the user of %s', async (_place, authorization) => {
    const { url } = await serve(moduleWith(), platform);
    const answer = await check(url, { route: '/tasks', headers: { Authorization: authorization } });
    expect(answer).toEqual({ status: 200, body: { status: 200, user: 'ada' } });
  });

  it('are told why a route refuses them', async () => {
    const { url } = await serve(moduleWith(), platform);
    expect((await check(url, { route: '/tasks' })).body).toEqual({
      status: 401,
      message: 'Send a token',
    });
    const closed = { route: '/tasks/closed', headers: { authorization: 'Bearer ada' } };
    expect(await check(url, closed)).toMatchObject({
      status: 504,
      body: {
        code: 'PANEL_NO_ANSWER',
        message: '/tasks/closed did not respond: the application closed the connection.',
      },
    });
  });

  it('send what the page would send, from the same peer', async () => {
    const { url } = await serve(moduleWith(), platform);
    const answer = await check(
      url,
      { route: '/tasks', headers: { 'X-Tenant': 'acme', Authorization: 'Bearer ada' } },
      { cookie: 'session=1', authorization: 'Bearer other', 'x-forwarded-for': '127.0.0.1' },
    );
    expect(answer.body).toMatchObject({ status: 200, user: 'ada' });
    expect(seen).toMatchObject({ method: 'GET', socket: { remoteAddress: '127.0.0.1' } });
    expect(seen!.headers).toMatchObject({
      host: new URL(url).host,
      cookie: 'session=1',
      authorization: 'Bearer ada',
      'x-tenant': 'acme',
      'x-forwarded-for': '127.0.0.1',
    });
    expect(seen!.headers).not.toHaveProperty('content-type');
    expect(seen!.headers).not.toHaveProperty('content-length');
  });

  it.each([
    [{}, 400, 'PANEL_BAD_BODY'],
    [{ route: '/tasks/1' }, 404, 'PANEL_NO_ROUTE'],
    [{ route: '/tasks/events' }, 404, 'PANEL_NO_ROUTE'],
    [{ route: '/_fledge/api/callers' }, 404, 'PANEL_NO_ROUTE'],
    [{ route: '/tasks', headers: { cookie: 'a=b' } }, 400, 'PANEL_BAD_BODY'],
    [{ route: '/tasks', headers: { a: 'b\r\nc' } }, 400, 'PANEL_BAD_BODY'],
  ])('cannot be checked by %j', async (body, status, code) => {
    const { url } = await serve(moduleWith(), platform);
    expect(await check(url, body)).toMatchObject({ status, body: { code } });
  });

  it('leave nothing at the server', async () => {
    const { app, url } = await serve(moduleWith(), platform);
    const server = app.getHttpServer() as import('node:http').Server;
    const before = server.listenerCount('request');
    await check(url, { route: '/tasks', headers: { authorization: 'Bearer ada' } });
    expect(server.listenerCount('request')).toBe(before);
    await app.close();
  });
});
