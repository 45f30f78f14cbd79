// Several endpoints in one application: each with its own tools, name, authentication and sessions.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  All,
  Body,
  Controller,
  Delete,
  Get,
  Logger,
  Param,
  Post,
  Sse,
  Version,
  VersioningType,
} from '@nestjs/common';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ApiTags } from '@nestjs/swagger';
import type { McpCallRecord, McpEndpointOptions, McpRequest } from '@fledge/mcp';
import { McpAdapter, McpCall, McpPrompt, McpResource, McpTool } from '@fledge/mcp';
import { createMcpTestClient } from '@fledge/mcp/testing';
import { of } from 'rxjs';
import { platforms } from '../../../test/support/platforms.js';
import { type AppSetup, controllers, type RunningApp, startApp } from './support/app.js';
import { connect, textOf } from './support/clients.js';
import { wire } from './support/wire.js';

@Controller('orders')
class OrdersController {
  constructor(private readonly call: McpCall) {}

  @Get(':id')
  @McpTool({ name: 'orders_get', description: 'Reads an order', tags: ['shop', 'support'] })
  @McpResource({ uri: 'orders://{id}', tags: ['support'] })
  get(@Param('id') id: string) {
    return { id };
  }

  @Delete(':id')
  @McpTool({ name: 'orders_delete', description: 'Deletes an order', tags: ['support'] })
  async delete(@Param('id') id: string) {
    const { action } = await this.call.elicit({
      message: `Delete ${id}?`,
      schema: { type: 'object', properties: {} },
    });
    return { deleted: action === 'accept' };
  }

  @Get('prompt/review')
  @McpPrompt({ name: 'review', description: 'Reviews orders', tags: ['shop'] })
  review() {
    return 'Review the orders.';
  }
}

@ApiTags('reports')
@Controller('reports')
class ReportsController {
  @Get()
  @McpTool({ name: 'find', description: 'Finds reports' })
  find() {
    return ['report'];
  }

  @Post()
  @McpTool({ name: 'reports_create', description: 'Creates a report' })
  create(@Body('title') title: string) {
    return { title };
  }
}

@Controller('stock')
class StockController {
  @Get()
  @McpTool({ name: 'find', description: 'Finds goods', tags: ['stock'] })
  find() {
    return ['goods'];
  }
}

/** Routes that the endpoint could hide, although no tool calls these paths. */
@Controller('hidden')
class HiddenController {
  @Get(['first', 'second'])
  second() {
    return 'second';
  }

  @All('all')
  all() {
    return 'all';
  }

  @Sse('events')
  events() {
    return of({ data: 'event' });
  }

  @Get('versions')
  @Version(['1', '2'])
  versions() {
    return 'versions';
  }
}

const validate = (token: string) => token === 'staff' && { id: 'staff' };

const SHOP: McpEndpointOptions = {
  path: '/mcp/shop',
  name: 'shop',
  title: 'The shop',
  instructions: 'Look up an order before you speak about it.',
  tags: ['shop', 'stock'],
};
const SUPPORT: McpEndpointOptions = {
  path: '/mcp/support',
  name: 'support',
  tags: ['support'],
  auth: {
    type: 'bearer',
    validate,
    resourceMetadata: {
      resource: 'https://api.example.com/mcp/support',
      authorization_servers: ['https://login.example.com'],
    },
  },
};
const REPORTS: McpEndpointOptions = { path: '/mcp/reports', tags: ['reports'], include: ['GET'] };

const setup = (endpoints: readonly McpEndpointOptions[], mcp: AppSetup['mcp'] = {}): AppSetup => ({
  ...controllers(OrdersController, ReportsController, StockController),
  mcp: { endpoints, ...mcp },
});

const STAFF = { authorization: 'Bearer staff' };

describe.each(platforms)('several endpoints on $name', ({ adapter }) => {
  let running: RunningApp;
  const records: McpCallRecord[] = [];
  const seen: McpRequest[] = [];
  beforeEach(async () => {
    records.length = 0;
    seen.length = 0;
    running = await startApp(
      adapter(),
      setup([SHOP, SUPPORT, REPORTS], {
        audit: { onCall: (record) => void records.push(record) },
        visible: (_, request) => seen.push(request) > 0,
        stateSecret: 's'.repeat(32),
        sessions: { max: 1 },
      }),
    );
  });
  afterEach(() => running.close());

  const at = (path: string) => `${running.url}${path}`;
  const modern = async (path: string, headers = {}) => {
    const client = new Client(
      { name: 'v2', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: {} } },
    );
    const transport = new StreamableHTTPClientTransport(new URL(at(path)), {
      requestInit: { headers },
    });
    await client.connect(transport);
    return client;
  };

  it.each([
    ['2025-11-25', (path: string, headers = {}) => connect(at(path), headers)],
    ['2026-07-28', modern],
  ])('publish each its own part to clients of %s', async (_, open) => {
    const names = async (path: string, headers = {}) => {
      const client = await open(path, headers);
      const { tools } = await client.listTools();
      const { name } = client.getServerVersion() ?? {};
      await client.close();
      return [name, ...tools.map((tool) => tool.name)];
    };
    expect(await names('/mcp/shop')).toEqual(['shop', 'orders_get', 'find']);
    expect(await names('/mcp/support', STAFF)).toEqual(['support', 'orders_get', 'orders_delete']);
    expect(await names('/mcp/reports')).toEqual(['spec', 'find']);
  });

  it('let each tool, resource and prompt be called where it is published only', async () => {
    const [shop, support, reports] = await Promise.all([
      modern('/mcp/shop'),
      modern('/mcp/support', STAFF),
      modern('/mcp/reports'),
    ]);
    const text = async (client: Client, name: string) =>
      textOf((await client.callTool({ name })) as never);
    expect(await text(shop, 'find')).toBe('["goods"]');
    expect(await text(reports, 'find')).toBe('["report"]');
    await expect(
      shop.callTool({ name: 'orders_delete', arguments: { id: '1' } }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('Unknown tool') });
    await expect(reports.callTool({ name: 'reports_create' })).rejects.toThrow('Unknown tool');
    expect((await support.readResource({ uri: 'orders://7' })).contents).toMatchObject([
      { text: '{"id":"7"}' },
    ]);
    await expect(shop.readResource({ uri: 'orders://7' })).rejects.toThrow();
    expect((await shop.listPrompts()).prompts.map(({ name }) => name)).toEqual(['review']);
    expect(support.getServerCapabilities()).not.toHaveProperty('prompts');
    await Promise.all([shop.close(), support.close(), reports.close()]);
  });

  it('ask for a token where they have auth, and say where to get one', async () => {
    const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const refused = await wire(at('/mcp/support')).post(LIST);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp/support"',
    ]);
    const documentAt = async (path: string) => {
      const answer = await fetch(at(`/.well-known/oauth-protected-resource${path}`));
      return answer.status === 200 ? ((await answer.json()) as { resource: string }).resource : 0;
    };
    expect(await documentAt('/mcp/support')).toBe('https://api.example.com/mcp/support');
    expect(await documentAt('')).toBe('https://api.example.com/mcp/support');
    expect(await documentAt('/mcp/shop')).toBe(0);
  });

  it('count sessions apart, and know only their own', async () => {
    const shop = await wire(at('/mcp/shop')).initialize();
    const reports = await wire(at('/mcp/reports')).initialize();
    const list = (path: string, session: string) =>
      wire(at(path)).post(
        { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        { 'mcp-session-id': session },
      );
    expect((await list('/mcp/shop', shop)).status).toBe(200);
    expect((await list('/mcp/reports', shop)).status).toBe(404);
    expect((await list('/mcp/shop', reports)).status).toBe(404);
    expect(running.app.get(McpAdapter).introspect()).toMatchObject({
      state: { endpoint: '/mcp/shop', endpoints: ['/mcp/shop', '/mcp/support', '/mcp/reports'] },
      metrics: { sessions: 2 },
    });
  });

  it('tell the application which of them was called', async () => {
    const client = await modern('/mcp/support', STAFF);
    await client.callTool({ name: 'orders_get', arguments: { id: '1' } });
    await client.close();
    expect(records.map(({ name, endpoint }) => [name, endpoint])).toEqual([
      ['orders_get', '/mcp/support'],
    ]);
    expect(seen.at(-1)).toMatchObject({ endpoint: '/mcp/support', principal: { id: 'staff' } });
  });

  it('are listed by the adapter', () => {
    expect(running.app.get(McpAdapter).getEndpoints()).toEqual([
      {
        path: '/mcp/shop',
        name: 'shop',
        tools: ['orders_get', 'find'],
        resources: [],
        prompts: ['review'],
      },
      {
        path: '/mcp/support',
        name: 'support',
        tools: ['orders_get', 'orders_delete'],
        resources: ['orders://{id}'],
        prompts: [],
      },
      { path: '/mcp/reports', name: 'spec', tools: ['find'], resources: [], prompts: [] },
    ]);
    expect(running.app.get(McpAdapter).endpointPath).toBe('/mcp/shop');
  });

  it('are chosen by the test client', async () => {
    const client = await createMcpTestClient(running.app, { endpoint: '/mcp/reports' });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['find']);
    await client.close();
  });

  it('answer nothing at the path of a single endpoint', async () => {
    expect((await wire(at('/_mcp/messages')).send('POST')).status).toBe(404);
  });
});

describe.each(platforms)('the state of a question on $name', ({ adapter }) => {
  it('is of no use at another endpoint', async () => {
    const secret = { stateSecret: 's'.repeat(32) };
    const open = [
      { path: '/mcp/a', tags: ['support'] },
      { path: '/mcp/b', tags: ['support'] },
    ];
    const { url, close } = await startApp(adapter(), setup(open, secret));
    const call = (path: string, more = {}) =>
      wire(`${url}${path}`).post(
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'orders_delete',
            arguments: { id: '1' },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1.0.0' },
              'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
            },
            ...more,
          },
        },
        {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'orders_delete',
        },
      );
    const { inputRequests, requestState } = (await call('/mcp/a')).message.result as {
      inputRequests: Record<string, unknown>;
      requestState: string;
    };
    const [key] = Object.keys(inputRequests);
    const inputResponses = { [key as string]: { action: 'accept', content: {} } };
    const answered = { inputResponses, requestState };
    expect((await call('/mcp/b', answered)).message.error).toMatchObject({ code: -32602 });
    expect((await call('/mcp/a', answered)).message.result).toMatchObject({
      content: [{ text: '{"deleted":true}' }],
    });
    await close();
  });
});

describe.each(platforms)('one endpoint on $name', ({ adapter }) => {
  const about = {
    title: 'The shop',
    description: 'Orders and stock of the shop.',
    instructions: 'Look up an order first.',
    websiteUrl: 'https://shop.example.com/agents',
    icons: [{ src: 'https://shop.example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
  };
  let running: RunningApp;
  beforeEach(async () => {
    running = await startApp(adapter(), { ...controllers(StockController), mcp: about });
  });
  afterEach(() => running.close());

  it('introduces itself to clients of every revision', async () => {
    const { instructions, ...info } = about;
    const modern = new Client(
      { name: 'v2', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await modern.connect(new StreamableHTTPClientTransport(new URL(running.endpoint)));
    for (const client of [await running.connect(), modern]) {
      expect(client.getServerVersion()).toEqual({ name: 'spec', version: '0.0.0', ...info });
      expect(client.getInstructions()).toBe(instructions);
      await client.close();
    }
  });

  it('adds only its name and version to the results of calls', async () => {
    const client = new Client(
      { name: 'v2', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(running.endpoint)));
    const { _meta } = await client.callTool({ name: 'find' });
    expect(_meta).toEqual({
      'io.modelcontextprotocol/serverInfo': { name: 'spec', version: '0.0.0' },
    });
    await client.close();
  });
});

describe('endpoints that publish too much or too little', () => {
  const boot = async (endpoints: readonly McpEndpointOptions[], mcp?: AppSetup['mcp']) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    try {
      const running = await startApp(platforms[0]!.adapter(), setup(endpoints, mcp));
      await running.close();
      return warn.mock.calls.map(([text]) => String(text));
    } finally {
      warn.mockRestore();
    }
  };

  it('warn of a tag that nothing has, and of routes at no endpoint', async () => {
    expect(await boot([{ path: '/a', tags: ['support', 'suport'] }])).toEqual([
      'The endpoint /a selects the tag "suport", which no route has. Available tags: shop, support, reports, ' +
        'stock. Correct the tag, or add it to a route: @McpTool({ tags: ["suport"] }).',
      '4 of 7 published routes are not selected by any endpoint: ReportsController.find, ReportsController.create, ' +
        'StockController.find, OrdersController.review. Give these routes a tag that an endpoint selects.',
    ]);
  });

  it('refuse the path of a route', async () => {
    await expect(boot([{ path: '/Stock' }])).rejects.toThrow(
      'The MCP endpoint /Stock has the same path as the route StockController.find, so the route could not be called.',
    );
  });

  it.each(
    platforms.flatMap(({ name, adapter }) => [
      [name, adapter, '/hidden/second', 'second'] as const,
      [name, adapter, '/hidden/all', 'all'] as const,
      [name, adapter, '/hidden/events', 'events'] as const,
      [name, adapter, '/v2/hidden/versions', 'versions'] as const,
    ]),
  )('refuse the path of a route that is not a tool on %s', async (_, adapter, path, method) => {
    const setup: AppSetup = {
      ...controllers(HiddenController),
      mcp: { endpoints: [{ path }] },
      main: (app) => void app.enableVersioning({ type: VersioningType.URI }),
    };
    await expect(startApp(adapter(), setup).then(({ close }) => close())).rejects.toThrow(
      `The MCP endpoint ${path} has the same path as the route HiddenController.${method}, so the route could not be called.`,
    );
  });

  it('refuse two tools of one name at one endpoint', async () => {
    await expect(boot([{ path: '/a' }])).rejects.toThrow(/"find"/);
    expect(
      await boot([
        { path: '/a', exclude: ['/stock'] },
        { path: '/b', tags: ['stock'] },
      ]),
    ).toEqual([]);
  });

  it('warn of auto mode without auth, by the path', async () => {
    const warnings = await boot(
      [
        { path: '/a', tags: ['support'] },
        { path: '/b', tags: ['stock'] },
      ],
      {
        mode: 'auto',
        endpoints: [
          { path: '/a', exclude: ['/stock'] },
          { path: '/b', tags: ['stock'], auth: { type: 'bearer', validate } },
        ],
      },
    );
    expect(warnings.filter((text) => text.includes('`auth` is not set'))).toEqual([
      expect.stringContaining('every client that reaches /a can call'),
    ]);
  });
});
