// A tool call is a request of whoever calls it: mcp and tenant know nothing of each other, so that
// the tenant comes along, and that no argument of a tool ever names it, is seen here.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { type McpAdapterOptions, McpCall, McpModule, McpTool } from '@fledge/mcp';
import {
  CurrentTenant,
  TENANT_CONTEXT,
  type TenantAdapterOptions,
  type TenantContext,
  TenantModule,
  type TenantRequest,
} from '@fledge/tenant';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Body, Controller, Get, Inject, type INestApplication, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { currentTenantId } from './support/served-tenants.js';
import { closeNow } from './support/close-now.js';
import { until } from './support/until.js';
import { platforms } from './support/platforms.js';

const NAMES = ['tenant', 'tenantId', 'x-tenant-id', 'host', 'headers', '_meta'];
const ANYTHING = {
  type: 'object',
  properties: Object.fromEntries(NAMES.map((name) => [name, {}])),
} as const;

const waiting: string[] = [];
/** Whose call it was, and for whom its signal ran. */
const cancelled: unknown[] = [];

@Controller('notes')
class NotesController {
  constructor(
    @Inject(TENANT_CONTEXT) private readonly tenant: TenantContext,
    private readonly mcpCall: McpCall,
  ) {}

  @Get('wait')
  @McpTool({ name: 'wait', description: 'Waits until it is cancelled' })
  wait(@CurrentTenant() { tenantId }: TenantContext) {
    return new Promise<string>((resolve) => {
      this.mcpCall.signal?.addEventListener('abort', () => {
        cancelled.push([tenantId, currentTenantId()]);
        resolve('cancelled');
      });
      waiting.push(tenantId);
    });
  }

  @Get()
  @McpTool({ name: 'list_notes', description: 'Lists notes' })
  async list(@CurrentTenant() { tenantId }: TenantContext) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    return { handler: tenantId, singleton: this.tenant.tenantId };
  }

  @Get('search')
  @McpTool({ name: 'search_notes', description: 'Searches notes' })
  search(@Query('tenant') tenant?: string, @Query('x-tenant-id') header?: string) {
    return { singleton: this.tenant.tenantId, arguments: [tenant, header] };
  }

  @Post()
  @McpTool({ name: 'add_note', description: 'Adds a note', inputSchema: ANYTHING })
  add(@Body() body: object) {
    return { singleton: this.tenant.tenantId, body };
  }

  @Post('saved')
  @McpTool({ name: 'save_note', description: 'Saves a note', idempotency: true, dryRun: true })
  save() {
    return { handler: this.tenant.tenantId };
  }
}

/** The tenants for whom transactions of dry runs started. */
const transactions: unknown[] = [];

/** Node's own names the host it connects to, whatever the headers say. */
async function fetchWithHost(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', body, signal } = init;
  const headers = Object.fromEntries(new Headers(init.headers));
  const sent = request(url, { method, headers, ...(signal && { signal }) });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const answered = new Headers(answer.headers as Record<string, string>);
  const status = answer.statusCode ?? 500;
  const stream = [202, 204].includes(status) ? null : (Readable.toWeb(answer) as ReadableStream);
  return new Response(stream, { status, headers: answered });
}

/** What a route answered, or what the protocol says of arguments no route has seen. */
function answerOf(text: string): unknown {
  return text.startsWith('{') ? JSON.parse(text) : text;
}

describe.each(platforms)('a tool of a tenant on $name', ({ adapter }) => {
  const running: { app?: INestApplication; clients: Client[] } = { clients: [] };

  const start = async (options: TenantAdapterOptions, mcp: Partial<McpAdapterOptions> = {}) => {
    running.app = await NestFactory.create(
      {
        module: class AppModule {},
        imports: [
          TenantModule.forRoot(options),
          McpModule.forRoot({
            name: 'spec',
            sessions: { max: 10 },
            writes: {
              transaction: (run) => {
                transactions.push(currentTenantId());
                return run();
              },
            },
            ...mcp,
          }),
        ],
        controllers: [NotesController],
      },
      adapter(),
      { logger: false, abortOnError: false },
    );
    await running.app.listen(0, '127.0.0.1');
    return new URL(`${await running.app.getUrl()}/_mcp/messages`);
  };
  const connect = async (url: URL, headers: Record<string, string>) => {
    const client = new Client({ name: 'spec', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch: fetchWithHost }),
    );
    running.clients.push(client);
    return client;
  };
  const call = async (client: Client, name: string, args: object = {}) => {
    const result = (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
    const [block] = result.content;
    return {
      isError: result.isError === true,
      answer: answerOf(block?.type === 'text' ? block.text : ''),
    };
  };

  afterEach(async () => {
    await Promise.all(running.clients.splice(0).map((client) => client.close()));
    if (running.app) await closeNow(running.app);
  });

  it.each<[string, TenantAdapterOptions, (tenant: string) => Record<string, string>]>([
    ['header', { strategy: 'header' }, (tenant) => ({ 'x-tenant-id': tenant })],
    [
      'header of another name',
      { strategy: 'header', header: 'X-Org' },
      (org) => ({ 'x-org': org }),
    ],
    ['subdomain', { strategy: 'subdomain' }, (tenant) => ({ host: `${tenant}.example.com` })],
  ])('works for its caller: by %s', async (_, options, headersOf) => {
    const url = await start(options);
    const tenants = ['a', 'b', 'c'];
    const clients = await Promise.all(tenants.map((tenant) => connect(url, headersOf(tenant))));
    const calls = Array.from({ length: 30 }, (_, i) => i % 3);
    const answers = await Promise.all(calls.map((i) => call(clients[i]!, 'list_notes')));
    expect(answers).toEqual(
      calls.map((i) => ({
        isError: false,
        answer: { handler: tenants[i], singleton: tenants[i] },
      })),
    );
  });

  it('learns of its end for its caller, whose client says so in another request', async () => {
    const url = await start({ strategy: 'header' });
    const tenants = ['a', 'b'];
    const leave = new AbortController();
    const calls = tenants.map(async (tenant) => {
      const client = await connect(url, { 'x-tenant-id': tenant });
      const options = { signal: leave.signal };
      return client.callTool({ name: 'wait', arguments: {} }, undefined, options);
    });
    await until(() => waiting.length === 2, 'both calls wait');
    leave.abort();
    await Promise.allSettled(calls);
    await until(() => cancelled.length === 2, 'both calls ended');
    expect(cancelled.splice(0).sort()).toEqual(tenants.map((tenant) => [tenant, tenant]));
    waiting.length = 0;
  });

  it('tells a caller without a tenant what is wrong', async () => {
    const client = await connect(await start({ strategy: 'header' }), {});
    expect(await call(client, 'list_notes')).toEqual({
      isError: true,
      answer: expect.objectContaining({ statusCode: 400, code: 'TENANT_NOT_RESOLVED' }),
    });
  });

  it.each<[string, TenantAdapterOptions, Record<string, string>, string]>([
    ['header', { strategy: 'header' }, { 'x-tenant-id': 'a' }, ''],
    ['subdomain', { strategy: 'subdomain' }, { host: 'a.example.com' }, ''],
    ['query', { strategy: 'query' }, {}, '?tenant=a'],
    ['either', { strategy: ['query', 'header'] }, { 'x-tenant-id': 'a' }, ''],
  ])(
    'is never moved to another tenant by its arguments: %s',
    async (_, options, headers, query) => {
      const client = await connect(new URL(query, await start(options)), headers);
      const forged = {
        ...{ tenant: 'b', tenantId: 'b', 'x-tenant-id': 'b', host: 'b.example.com' },
        headers: { 'x-tenant-id': 'b', host: 'b.example.com' },
        _meta: { headers: { 'x-tenant-id': 'b' } },
      };
      expect(await call(client, 'add_note', forged)).toEqual({
        isError: false,
        answer: { singleton: 'a', body: forged },
      });
      const searched = await call(client, 'search_notes', { tenant: 'b', 'x-tenant-id': 'b' });
      expect(searched.answer).toEqual({ singleton: 'a', arguments: ['b', 'b'] });
    },
  );

  const claimOf = ({ headers }: TenantRequest) =>
    /^Bearer token\.(\w+)$/.exec(headers.authorization ?? '')?.[1] ?? 'nobody';

  type Placed = [string, TenantAdapterOptions, (tenant: string) => string];
  const placed: Placed[] = [
    ['query', { strategy: 'query' }, (tenant) => `/_mcp/messages?tenant=${tenant}`],
    ['path', { strategy: 'path', path: { strip: true } }, (tenant) => `/${tenant}/_mcp/messages`],
    ['claim', { strategy: claimOf }, () => '/_mcp/messages'],
  ];

  it.each(placed)('rejects the session of another tenant: by %s', async (_, options, path) => {
    const validate = () => ({ id: '1' });
    const auth = { type: 'bearer', validate } as const;
    const url = await start(options, { auth, sessions: { max: 10, resume: true } });
    const client = await connect(new URL(path('a'), url), { authorization: 'Bearer token.a' });
    const session = (client.transport as StreamableHTTPClientTransport).sessionId!;
    const statusOf = async (method: string, tenant: string) => {
      const headers = {
        authorization: `Bearer token.${tenant}`,
        'mcp-session-id': session,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const body = method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' : undefined;
      const leave = new AbortController();
      const init = { method, headers, signal: leave.signal, ...(body && { body }) };
      const { status } = await fetchWithHost(new URL(path(tenant), url), init);
      leave.abort();
      return status;
    };
    for (const method of ['POST', 'GET', 'DELETE']) expect(await statusOf(method, 'b')).toBe(404);
    for (const method of ['POST', 'DELETE']) expect(await statusOf(method, 'a')).toBe(200);
  });

  it.each<Placed>([
    ...placed,
    ['fallback', { strategy: 'header', onTenantNotFound: claimOf }, () => '/_mcp/messages'],
    // The function finds the tenant only in the route's request.
    [
      'user',
      { strategy: (req) => (req.url.startsWith('/_mcp') ? null : claimOf(req)) },
      () => '/_mcp/messages',
    ],
  ])('keeps stored responses of two people with one id apart: by %s', async (_, options, path) => {
    const validate = () => ({ id: 'ada' });
    const url = await start(options, { auth: { type: 'bearer', validate } });
    const clientOf = (tenant: string) =>
      connect(new URL(path(tenant), url), { authorization: `Bearer token.${tenant}` });
    const [first, second] = [await clientOf('a'), await clientOf('b')];
    for (const [client, handler] of [
      [first, 'a'],
      [second, 'b'],
      [first, 'a'],
    ] as const) {
      const answer = await call(client, 'save_note', { idempotencyKey: 'one' });
      expect(answer).toEqual({ isError: false, answer: { handler } });
    }
  });

  it.each<[string, TenantAdapterOptions, string]>([
    ['header', { strategy: 'header' }, ''],
    ['query', { strategy: 'query' }, '?tenant=a'],
    ['function', { strategy: async (req) => String(req.headers['x-tenant-id']) }, ''],
  ])('starts the transaction of a dry run for its tenant: by %s', async (_, options, query) => {
    const forwardHeaders = ['x-tenant-id'];
    const url = new URL(query, await start(options, { forwardHeaders }));
    const client = await connect(url, { 'x-tenant-id': 'a' });
    transactions.length = 0;
    expect((await call(client, 'save_note', { dryRun: true })).answer).toEqual({ handler: 'a' });
    expect(transactions).toEqual(['a']);
  });
});
