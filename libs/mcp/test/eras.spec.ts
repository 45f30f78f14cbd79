// One endpoint, both eras: sessions up to 2025-11-25, and 2026-07-28, which has none.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, type INestApplication, Param, Post, Req } from '@nestjs/common';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { IsString } from 'class-validator';
import { type IncomingMessage, request } from 'node:http';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import type { Wire } from './support/wire.js';

let waiting = 0;

class Task {
  @IsString() title!: string;
}

@Controller('tasks')
class TasksController {
  @Get('slow')
  @McpTool({ name: 'slow', description: 'Never answers' })
  slow(@Req() request: IncomingMessage & { raw?: IncomingMessage }) {
    waiting++;
    (request.raw ?? request).socket.once('close', () => waiting--);
    return new Promise(() => undefined);
  }

  @Get(':id')
  @McpTool({ name: 'get', description: 'Reads a task' })
  get(@Param('id') id: string, @Req() { headers }: IncomingMessage) {
    return { id, as: headers.authorization ?? null };
  }

  @Post()
  @McpTool({
    name: 'create',
    description: 'Creates a task',
    outputSchema: { type: 'object', required: ['title'] },
  })
  create(@Body() task: Task) {
    return task;
  }
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends a message of revision 2026-07-28. */
async function say(
  wire: Wire,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string | undefined> = {},
) {
  const name = params['name'];
  return wire.post(
    { jsonrpc: '2.0', id: 1, method, params: { _meta: ENVELOPE, ...params } },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
  );
}

describe.each(platforms)('both eras on $name', ({ adapter }) => {
  let running: RunningApp;
  beforeEach(async () => {
    waiting = 0;
    running = await startApp(adapter(), {
      ...controllers(TasksController),
      mcp: { sessions: { max: 2 }, version: '1.2.3', instructions: 'Tasks' },
      main: (app: INestApplication) => void app.enableCors(),
    });
  });
  afterEach(() => running.close());

  async function modern(
    mode: 'legacy' | 'auto' | { pin: string } | undefined,
  ): Promise<ModernClient> {
    const client = new ModernClient(
      { name: 'v2', version: '1.0.0' },
      mode === undefined ? {} : { versionNegotiation: { mode } },
    );
    const transport = new StreamableHTTPClientTransport(new URL(running.endpoint), {
      requestInit: { headers: { authorization: 'Bearer v2' } },
    });
    await client.connect(transport);
    return client;
  }

  it('serves the v1 client and the v2 client in every mode, at once', async () => {
    const old = await running.connect();
    const clients = [
      await modern(undefined),
      await modern('auto'),
      await modern({ pin: '2026-07-28' }),
    ];
    const lists = await Promise.all([old, ...clients].map((client) => client.listTools()));
    expect(new Set(lists.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    const results = await Promise.all(
      clients.map((client, i) => client.callTool({ name: 'get', arguments: { id: String(i) } })),
    );
    expect(results.map(({ content }) => content)).toEqual(
      [0, 1, 2].map((i) => [{ type: 'text', text: `{"id":"${i}","as":"Bearer v2"}` }]),
    );
    expect(clients.map((client) => client.getNegotiatedProtocolVersion())).toEqual([
      '2025-11-25',
      '2026-07-28',
      '2026-07-28',
    ]);
    await Promise.all([old.leave(), ...clients.map((client) => client.close())]);
  });

  it('counts no session for the stateless', async () => {
    await running.wire.initialize();
    await running.wire.initialize();
    const many = Array.from({ length: 20 }, (_, i) =>
      say(running.wire, 'tools/call', { name: 'get', arguments: { id: String(i) } }),
    );
    for (const { status } of await Promise.all(many)) expect(status).toBe(200);
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['a list', 'tools/list', {}],
    ['a call', 'tools/call', { name: 'get', arguments: { id: 'a' } }],
    ['a call without arguments', 'tools/call', { name: 'get' }],
    ['a call with structured content', 'tools/call', { name: 'create', arguments: { title: 'x' } }],
    ['a call that fails', 'tools/call', { name: 'create', arguments: {} }],
  ])('answers %s, whatever else the client says of itself', async (_, method, params) => {
    const rich = {
      ...ENVELOPE,
      'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1.0.0', title: 'Spec' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, sampling: {} },
      progressToken: 7,
    };
    const plain = await say(running.wire, method, params);
    expect((await say(running.wire, method, { ...params, _meta: rich })).message).toEqual(
      plain.message,
    );
    const odd = { _meta: { ...ENVELOPE, 'example.com/odd': 1 } };
    const withOther = await say(running.wire, method, { ...params, ...odd });
    expect(plain.status).toBe(200);
    expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect([withOther.status, withOther.message]).toEqual([plain.status, plain.message]);
    expect(plain.message.result).toMatchObject({
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'spec', version: '1.2.3' } },
    });
  });

  it('tells of itself', async () => {
    expect((await say(running.wire, 'server/discover')).message.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      instructions: 'Tasks',
    });
  });

  it.each<
    [string, Parameters<typeof say> extends [Wire, ...infer Rest] ? Rest : never, number, number]
  >([
    ['an unknown tool', ['tools/call', { name: 'nope' }], 200, -32602],
    ['an unknown method', ['no/such'], 404, -32601],
    [
      'a header that names another method',
      ['tools/list', {}, { 'mcp-method': 'ping' }],
      400,
      -32020,
    ],
    ['no method header', ['tools/list', {}, { 'mcp-method': undefined }], 400, -32020],
    [
      'a header that names another tool',
      ['tools/call', { name: 'get', arguments: { id: 'a' } }, { 'mcp-name': 'create' }],
      400,
      -32020,
    ],
    [
      'a revision to come',
      [
        'tools/list',
        { _meta: { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } },
        { 'mcp-protocol-version': '2030-01-01' },
      ],
      400,
      -32022,
    ],
    ['no envelope behind the header', ['tools/list', { _meta: {} }], 400, -32602],
    [
      'a broken envelope',
      ['tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': 7 } }],
      400,
      -32602,
    ],
  ])('refuses %s', async (_, said, status, code) => {
    const answer = await say(running.wire, ...said);
    expect([answer.status, answer.message.error?.code]).toEqual([status, code]);
    expect(answer.text).not.toContain('at ');
  });

  it.each(['GET', 'DELETE'])('has no %s for the stateless', async (method) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', accept: 'text/event-stream' };
    expect((await running.wire.send(method, headers)).status).toBe(405);
  });

  it('checks Origin for them as well, and keeps the headers of CORS', async () => {
    const evil = await say(running.wire, 'tools/list', {}, { origin: 'http://evil.example' });
    expect(evil.status).toBe(403);
    for (const params of [{}, { _meta: { ...ENVELOPE, odd: 1 } }]) {
      const answer = await say(running.wire, 'tools/list', params, {
        origin: 'http://localhost:9',
      });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        200,
        '*',
      ]);
    }
  });

  it.each([ENVELOPE, { ...ENVELOPE, 'example.com/odd': 1 }])(
    'ends the inner request when its caller goes away',
    async (_meta) => {
      const left = request(running.endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'slow',
        },
      });
      left.on('error', () => undefined);
      const params = { name: 'slow', arguments: {}, _meta };
      left.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
      await until(() => waiting === 1);
      left.destroy();
      await until(() => waiting === 0);
    },
  );
});
