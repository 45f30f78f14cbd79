// mcp and panel know nothing of each other: what the panel shows of agents is seen here.
import { McpModule, McpPrompt, McpResource, McpTool } from '@fledge/mcp';
import { PanelModule } from '@fledge/panel';
import { TenantModule } from '@fledge/tenant';
import { RequestContext } from '@fledge/core';
import type { CallsView, PanelCall, PanelSession, PanelSessions, PanelState } from '@fledge/panel';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Post,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { call, closeAll, platforms, post, serve } from './support/platforms.js';

const MARKUP = '</script><script>alert(1)</script><img src=x onerror=alert(1)>';
/** The name of the argument that the property `MARKUP` of the body is published as. */
const ARGUMENT = 'script_script_alert_1_script_img_src_x_onerror_alert_1';

@Controller('tasks')
class TasksController {
  @Get(':id')
  @McpTool({ name: 'get_task', description: 'Reads one task' })
  @McpResource({ uri: 'tasks://{id}', name: 'task', description: 'One task' })
  get(@Param('id') id: string) {
    if (id === 'none') throw new NotFoundException(`There is no task ${id}`);
    return { id, text: MARKUP };
  }

  @Post()
  @McpTool({
    name: 'create_task',
    title: MARKUP,
    description: MARKUP,
    inputSchema: {
      type: 'object',
      properties: { [MARKUP]: {}, secret: { type: 'string', writeOnly: true } },
      additionalProperties: false,
    },
  })
  create(@Body() body: object) {
    return body;
  }

  @Get('summary/:day')
  @McpPrompt({ name: 'summary', description: 'Summarizes a day' })
  summary(@Param('day') day: string) {
    return `Summarize ${day}`;
  }
}

@Module({
  imports: [
    McpModule.forRoot({ name: 'task-api', version: '1.2.3', sessions: { max: 1 } }),
    PanelModule.forRoot(),
  ],
  controllers: [TasksController],
})
class AppModule {}

const clients: Client[] = [];

async function connect(
  url: string,
  headers: Record<string, string> = {},
  path = '/_mcp/messages',
): Promise<Client> {
  const client = new Client({ name: 'probe', version: '9.9.9' });
  clients.push(client);
  const endpoint = new URL(path, url);
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }));
  return client;
}

async function stateOf(url: string, prefix = ''): Promise<PanelState> {
  return (await call(`${url}${prefix}/_fledge/api/state`)).body as PanelState;
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await closeAll();
});

describe.each(platforms)('the panel of an MCP server on $name', (platform) => {
  it('shows tools, resources and prompts, and what the tools cost', async () => {
    const { url } = await serve(AppModule, platform, (app) => app.setGlobalPrefix('api'));
    const { app, tools, resources, lint } = await stateOf(url, '/api');
    expect(app).toMatchObject({ name: 'task-api', version: '1.2.3', counts: { tools: 2 } });
    expect(tools).toMatchObject({ installed: true, endpoint: '../../_mcp/messages' });
    if (!tools.installed || !resources.installed || !lint.installed) throw new Error('no mcp');
    expect(tools.tools[0]).toMatchObject({
      name: 'get_task',
      verb: 'GET',
      path: '/api/tasks/:id',
      url: '../tasks/:id',
      handler: 'TasksController.get',
      undescribed: ['id'],
    });
    const listed = await toolsOf(url);
    expect(tools.tools.map(({ bytes }) => bytes)).toEqual(
      listed.map((tool) => Buffer.byteLength(JSON.stringify(tool))),
    );
    expect(resources.templates).toMatchObject([{ uriTemplate: 'tasks://{id}', name: 'task' }]);
    expect(resources.prompts).toMatchObject([
      { name: 'summary', arguments: [{ name: 'day', required: true }] },
    ]);
    expect(lint.bytes).toBe(tools.tools.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(lint.findings.map(({ kind }) => kind)).toEqual(['S8', 'S14', 'S11', 'S13', 'S15']);
    expect(lint.findings[0]).toMatchObject({
      places: [{ tool: 'create_task', parameter: expect.stringContaining('alert_1') }],
    });
  });

  it('shows the response of a call when it is asked for, without secrets', async () => {
    const { url } = await serve(AppModule, platform);
    const client = await connect(url);
    await client.callTool({ name: 'create_task', arguments: { [ARGUMENT]: 1, secret: 'hunter2' } });
    await client.callTool({ name: 'get_task', arguments: { id: 'none' } });
    const read = (id: unknown) => call(`${url}/_fledge/api/calls/result`, post({ id }));
    const result = { [MARKUP]: 1, secret: '[redacted]' };
    expect(await read(1)).toEqual({ status: 200, body: { result } });
    expect(await read(2)).toMatchObject({
      status: 200,
      body: { result: { error: { status: 404 } } },
    });
    expect(await read(3)).toMatchObject({ status: 404, body: { code: 'PANEL_NO_RESULT' } });
    expect(await read('1')).toMatchObject({ status: 400, body: { code: 'PANEL_BAD_BODY' } });
    expect(JSON.stringify(await stateOf(url))).not.toContain('"secret":1');
  });

  it('lists the sessions without their ids, and ends one', async () => {
    const { url } = await serve(AppModule, platform);
    const client = await connect(url);
    await client.callTool({ name: 'get_task', arguments: { id: '7' } });
    await expect(connect(url)).rejects.toThrow();
    const { text, body } = await sessionsOf(url);
    const { sessionId } = client.transport as StreamableHTTPClientTransport;
    expect(sessionId).toMatch(/-/);
    expect(text).not.toContain(sessionId);
    expect(body).toMatchObject({
      installed: true,
      endpoints: [
        {
          path: '/_mcp/messages',
          max: 1,
          open: [{ client: 'probe', version: '9.9.9', revision: '2025-11-25', calls: 1 }],
          refused: { count: 1, lastAt: expect.stringMatching(/Z$/) },
        },
      ],
    });
    const { key } = openIn(body)[0]!;
    const end = () => call(`${url}/_fledge/api/sessions/end`, post({ key }));
    expect(await end()).toEqual({ status: 200, body: { ended: true } });
    expect(openIn((await sessionsOf(url)).body)).toEqual([]);
    expect(await end()).toMatchObject({ status: 404, body: { code: 'PANEL_NO_SESSION' } });
    await expect(client.callTool({ name: 'get_task', arguments: { id: '7' } })).rejects.toThrow();
  });

  it('shows the sessions of each endpoint, with its own limit', async () => {
    @Module({
      imports: [
        McpModule.forRoot({
          name: 'task-api',
          sessions: { max: 3 },
          endpoints: [
            { path: '/_mcp/messages' },
            { path: '/_mcp/reports', include: ['GET'], sessions: { max: 1 } },
          ],
        }),
        PanelModule.forRoot(),
      ],
      controllers: [TasksController],
    })
    class EndpointsModule {}
    const { url } = await serve(EndpointsModule, platform);
    await connect(url, {}, '/_mcp/reports');
    await expect(connect(url, {}, '/_mcp/reports')).rejects.toThrow();
    const { body } = await sessionsOf(url);
    expect(body.endpoints).toMatchObject([
      { path: '/_mcp/messages', max: 3, open: [], refused: { count: 0 } },
      { path: '/_mcp/reports', max: 1, open: [{ client: 'probe' }], refused: { count: 1 } },
    ]);
    expect((await stateOf(url)).app.counts.sessions).toEqual({ open: 1, max: 4 });
  });

  it('shows the user that guards and Passport found, of calls and sessions', async () => {
    /** Stores the user as the header says: as Passport does, or in the request context. */
    @Injectable()
    class UserGuard implements CanActivate {
      constructor(private readonly ctx: RequestContext) {}

      canActivate(execution: ExecutionContext): boolean {
        const request = execution.switchToHttp().getRequest<{
          headers: Record<string, string>;
          user?: object;
        }>();
        const [way, id] = request.headers['authorization']!.split(' ');
        const user = { id, password: 'hunter2' };
        if (way === 'passport') request.user = user;
        else this.ctx.set('user', user);
        return true;
      }
    }
    @Module({
      imports: [
        McpModule.forRoot({ name: 'task-api', sessions: { max: 9 } }),
        PanelModule.forRoot(),
      ],
      controllers: [TasksController],
      providers: [{ provide: APP_GUARD, useClass: UserGuard }],
    })
    class UsersModule {}
    const { url } = await serve(UsersModule, platform);
    for (const authorization of ['passport ada', 'context hedy']) {
      const client = await connect(url, { authorization });
      await client.callTool({ name: 'get_task', arguments: { id: '7' } });
    }
    const { text, body } = await sessionsOf(url);
    expect(openIn(body).map(({ user }) => user)).toEqual(['ada', 'hedy']);
    const { calls } = await stateOf(url);
    expect(calls).toMatchObject({ calls: [{ user: 'ada' }, { user: 'hedy' }] });
    expect(`${text}${JSON.stringify(calls)}`).not.toContain('hunter2');
  });

  it('shows the principal of auth.validate, also where a guard finds another user', async () => {
    @Module({
      imports: [
        McpModule.forRoot({
          name: 'task-api',
          sessions: { max: 9 },
          auth: { type: 'bearer', validate: (token) => ({ id: token }) },
        }),
        PanelModule.forRoot(),
      ],
      controllers: [TasksController],
      providers: [
        {
          provide: APP_GUARD,
          useFactory: (ctx: RequestContext): CanActivate => ({
            canActivate: () => {
              ctx.set('user', { id: 'other' });
              return true;
            },
          }),
          inject: [RequestContext],
        },
      ],
    })
    class PrincipalModule {}
    const { url } = await serve(PrincipalModule, platform);
    const client = await connect(url, { authorization: 'Bearer ada' });
    await client.callTool({ name: 'get_task', arguments: { id: '7' } });
    expect(openIn((await sessionsOf(url)).body)).toMatchObject([{ user: 'ada' }]);
    expect((await stateOf(url)).calls).toMatchObject({ calls: [{ user: 'ada' }] });
  });

  it('shows the tenant of the last call of each session', async () => {
    @Module({
      imports: [
        TenantModule.forRoot({ strategy: 'header' }),
        McpModule.forRoot({ name: 'task-api', version: '1', sessions: { max: 9 } }),
        PanelModule.forRoot(),
      ],
      controllers: [TasksController],
    })
    class TenantsModule {}
    const { url } = await serve(TenantsModule, platform);
    for (const tenant of ['acme', 'globex']) {
      const client = await connect(url, { 'x-tenant-id': tenant });
      await client.callTool({ name: 'get_task', arguments: { id: '7' } });
    }
    await connect(url);
    const { body } = await sessionsOf(url);
    expect(openIn(body).map(({ tenant }) => tenant)).toEqual(['acme', 'globex', undefined]);
  });

  it('keeps the last 200 calls without secrets, and streams new ones', async () => {
    const { app, url } = await serve(AppModule, platform);
    const client = await connect(url);
    await client.callTool({
      name: 'create_task',
      arguments: { secret: 'hunter2', [ARGUMENT]: MARKUP },
    });
    await client.callTool({ name: 'get_task', arguments: { id: 'none' } });
    const stream = await fetch(`${url}/_fledge/api/calls/stream?after=1`);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events = eventsOf(stream);
    expect((await events.next()).value).toMatchObject({
      id: 2,
      tool: 'get_task',
      outcome: 'error',
      status: 404,
      error: { text: expect.stringContaining('There is no task none'), cure: expect.any(String) },
    });
    await client.callTool({ name: 'get_task', arguments: { id: '7' } });
    expect((await events.next()).value).toMatchObject({ id: 3, arguments: { id: '7' } });

    const response = await fetch(`${url}/_fledge/api/calls`);
    const text = await response.text();
    expect(text).not.toMatch(/hunter2/);
    const { calls, total } = JSON.parse(text) as CallsView;
    expect(total).toBe(3);
    expect(calls[0]).toMatchObject({
      id: 1,
      tool: 'create_task',
      kind: 'tool',
      outcome: 'ok',
      status: 201,
      client: 'probe 9.9.9',
      revision: '2025-11-25',
      arguments: { [ARGUMENT]: MARKUP },
    });
    expect(text).not.toContain((client.transport as StreamableHTTPClientTransport).sessionId);
    // The stream is open: closing must not wait for it.
    await app.close();
    expect((await events.next()).done).toBe(true);
  });

  it('is not published as a tool by auto mode', async () => {
    @Module({
      imports: [
        McpModule.forRoot({ name: 'a', version: '1', mode: 'auto' }),
        PanelModule.forRoot(),
      ],
      controllers: [TasksController],
    })
    class AutoModule {}
    const { url } = await serve(AutoModule, platform);
    const { tools } = await stateOf(url);
    expect(tools.installed && tools.tools.map(({ name }) => name).toSorted()).toEqual([
      'TasksController.summary',
      'create_task',
      'get_task',
    ]);
  });
});

/** The calls of an event stream. */
async function* eventsOf({ body }: Response): AsyncGenerator<PanelCall, undefined> {
  let text = '';
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    text += String(chunk);
    for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
      const data = /^event: call\nid: \d+\ndata: (.*)$/m.exec(text.slice(0, end))?.[1];
      if (data !== undefined) yield JSON.parse(data) as PanelCall;
    }
  }
  return undefined;
}

async function sessionsOf(url: string) {
  const response = await fetch(`${url}/_fledge/api/sessions`);
  const text = await response.text();
  return { text, body: JSON.parse(text) as PanelSessions };
}

function openIn({ endpoints }: PanelSessions): readonly PanelSession[] {
  return endpoints.flatMap(({ open }) => open);
}

async function toolsOf(url: string) {
  const client = await connect(url);
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}
