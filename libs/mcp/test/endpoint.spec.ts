import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Param, Req } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import fastifyHelmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { once } from 'node:events';
import { type IncomingMessage, request, type Server } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { McpAdapter } from '../src/mcp.adapter.js';
import { McpResource } from '../src/publish/decorators/mcp-resource.decorator.js';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import type { McpAdapterOptions } from '../src/mcp.options.js';
import {
  type AppSetup,
  controllers,
  openSessions,
  type RunningApp,
  startApp,
} from './support/app.js';
import { platforms } from '../../../test/support/platforms.js';
import { postLarge } from '../../../test/support/post-large.js';
import { until } from '../../../test/support/until.js';
import { INITIALIZE, wire } from './support/wire.js';

let release: () => void = () => undefined;
/** Requests to `slow` whose caller still waits. */
let waiting = 0;

@Controller('things')
class ThingsController {
  @Get('slow')
  @McpTool({ name: 'slow', description: 'Waits until released' })
  slow(@Req() request: IncomingMessage & { raw?: IncomingMessage }) {
    waiting++;
    (request.raw ?? request).socket.once('close', () => waiting--);
    return new Promise((resolve) => {
      release = () => {
        waiting--;
        resolve({ done: true });
      };
    });
  }

  @Get(':id')
  @McpTool({ name: 'things_get', description: 'Reads a thing' })
  get(@Param('id') id: string) {
    return { id };
  }
}

@Controller('reports')
class ReportsController {
  @Get('slow')
  @McpResource({ uri: 'reports://slow', description: 'Waits for ever' })
  slow(@Req() request: IncomingMessage & { raw?: IncomingMessage }) {
    waiting++;
    (request.raw ?? request).socket.once('close', () => waiting--);
    return new Promise(() => undefined);
  }
}

const READ_SLOW = {
  jsonrpc: '2.0',
  id: 1,
  method: 'resources/read',
  params: { uri: 'reports://slow' },
};

const call = (id: number | string, name = 'things_get', args: object = { id: 'a' }) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe.each(platforms)('the MCP endpoint on $name', ({ name: platform, adapter }) => {
  let running: RunningApp;
  afterEach(() => running.close());

  async function start(mcp: Partial<McpAdapterOptions> = {}, more: AppSetup = {}): Promise<void> {
    waiting = 0;
    running = await startApp(adapter(), {
      ...controllers(ThingsController),
      mcp: { sessions: { max: 1 }, ...mcp },
      ...more,
    });
  }

  describe('with one session', () => {
    beforeEach(() => start());

    it('answers what comes before initialize', async () => {
      const { wire } = running;
      expect(await wire.post(call(1))).toMatchObject({
        status: 400,
        message: { error: { code: -32000, message: 'Bad Request: Server not initialized' } },
      });
      expect(await wire.send('GET', { accept: 'text/event-stream' })).toMatchObject({
        status: 400,
        message: { error: { code: -32000, message: 'Bad Request: Server not initialized' } },
      });
    });

    it.each([
      ['2024-11-05', '2024-11-05'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2030-01-01', '2025-11-25'],
    ])('agrees with a client that requests %s on %s', async (requested, agreed) => {
      const params = { ...INITIALIZE.params, protocolVersion: requested };
      const { message } = await running.wire.post({ ...INITIALIZE, params });
      expect(message.result).toMatchObject({ protocolVersion: agreed });
    });

    it.each(['*/*', 'text/html, */*;q=0.8', 'application/json', 'text/*', undefined])(
      'answers 406 to a browser-style GET with Accept %s',
      async (accept) => {
        expect(await running.wire.send('GET', { accept })).toMatchObject({
          status: 406,
          message: {
            error: {
              code: -32000,
              message: 'Not Acceptable: Client must accept text/event-stream',
            },
          },
        });
      },
    );

    it.each([
      '*/*',
      'application/*, text/*',
      'Application/JSON, Text/Event-Stream',
      'application/json;q=0.5, text/*;q=0.1',
      'text/html, */*;q=0.8',
    ])('answers a POST with Accept %s', async (accept) => {
      expect(await running.wire.post(INITIALIZE, { accept })).toMatchObject({ status: 200 });
    });

    it('answers a POST without Accept, which takes any media type', async () => {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'content-type': 'application/json' };
        const posted = request(running.endpoint, { method: 'POST', headers }, (answer) => {
          resolve(answer.resume().statusCode);
        });
        posted.on('error', reject).end(JSON.stringify(INITIALIZE));
      });
      expect(status).toBe(200);
    });

    it.each([
      'application/json',
      'text/event-stream',
      'text/*',
      '*/*, text/event-stream;q=0',
      'application/json;q=0, */*',
      '',
    ])('answers 406 to a POST with Accept %s', async (accept) => {
      expect(await running.wire.post(INITIALIZE, { accept })).toMatchObject({
        status: 406,
        message: {
          error: {
            code: -32000,
            message:
              'Not Acceptable: Client must accept both application/json and text/event-stream',
          },
        },
      });
    });

    it.each(['text/plain', 'text/plain; a=application/json', 'application/jsonp'])(
      'answers 415 to the media type %s',
      async (type) => {
        expect(await running.wire.post(INITIALIZE, { 'content-type': type })).toMatchObject({
          status: 415,
          message: {
            error: {
              code: -32000,
              message: 'Unsupported Media Type: Content-Type must be application/json',
            },
          },
        });
      },
    );

    it.each([
      ['{', 'Parse error: Invalid JSON'],
      ['', 'Parse error: Invalid JSON'],
      ['{"jsonrpc":"2.0"}', 'Parse error: Invalid JSON-RPC message'],
      ['null', 'Parse error: Invalid JSON-RPC message'],
      ['"initialize"', 'Parse error: Invalid JSON-RPC message'],
    ])('answers 400 to the body %j', async (body, message) => {
      expect(await running.wire.post(body)).toMatchObject({
        status: 400,
        message: { jsonrpc: '2.0', id: null, error: { code: -32700, message } },
      });
    });

    it('answers 415 to a body with a content coding, and to an unknown charset', async () => {
      const send = async (headers: Record<string, string>, body: Buffer) => {
        const answer = await fetch(running.endpoint, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: new Uint8Array(body),
        });
        return [answer.status, answer.headers.get('accept-encoding'), await answer.text()];
      };
      const plain = Buffer.from(JSON.stringify(INITIALIZE));
      expect(await send({ 'content-encoding': 'gzip' }, gzipSync(plain))).toEqual([
        415,
        'identity',
        expect.stringContaining('The body has a Content-Encoding'),
      ]);
      expect(await send({ 'content-type': 'application/json; charset=x' }, plain)).toEqual([
        415,
        null,
        expect.stringContaining('The charset of Content-Type is unknown'),
      ]);
      expect((await send({ 'content-encoding': 'identity' }, plain))[0]).toBe(200);
    });

    it('reads a message in the charset that it declares, and skips a byte order mark', async () => {
      const named = structuredClone(INITIALIZE);
      named.params.clientInfo.name = 'Zoë';
      const headers = { 'content-type': 'application/json; charset=utf-16le' };
      const body = new Uint8Array(Buffer.from(`\ufeff${JSON.stringify(named)}`, 'utf16le'));
      const { status } = await fetch(running.endpoint, { method: 'POST', headers, body });
      expect(status).toBe(200);
    });

    it('serves its path with a slash behind it', async () => {
      const { wire, endpoint } = running;
      const headers = { 'content-type': 'application/json', 'mcp-session-id': '' };
      headers['mcp-session-id'] = await wire.initialize();
      const body = JSON.stringify(call(1));
      const { status } = await fetch(`${endpoint}/`, { method: 'POST', headers, body });
      expect(status).toBe(200);
    });

    it('refuses batches', async () => {
      expect(await running.wire.post([INITIALIZE])).toMatchObject({
        status: 400,
        message: { error: { code: -32600, message: /^Invalid Request: Batches/ } } as object,
      });
    });

    it.each(['PUT', 'PATCH', 'OPTIONS'])('answers 405 to %s', async (method) => {
      const { status, headers, message } = await running.wire.send(method);
      expect([status, headers.get('allow'), message.error]).toEqual([
        405,
        'GET, POST, DELETE',
        { code: -32000, message: 'Method not allowed.' },
      ]);
    });

    it('answers initialize with a session id, whatever revision is asked for', async () => {
      const future = structuredClone(INITIALIZE);
      future.params.protocolVersion = '2026-07-28';
      const { status, headers, message } = await running.wire.post(future);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(headers.get('mcp-session-id')).toMatch(/^[\da-f-]{36}$/);
      expect(message.result).toEqual({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name: 'spec', version: '0.0.0' },
      });
    });

    it('rejects a second initialize, naming the cure', async () => {
      const { wire } = running;
      const session = await wire.initialize();
      const { status, message } = await wire.post(INITIALIZE);
      expect([status, message.error?.code]).toEqual([400, -32600]);
      expect(message.error?.message).toContain('Invalid Request: Server already initialized');
      expect(message.error?.message).toContain('{ sessions: { max } }');
      expect(await wire.post(call(1), { 'mcp-session-id': session })).toMatchObject({
        status: 200,
      });
    });

    it('asks for the session id, and knows no other', async () => {
      const { wire } = running;
      await wire.initialize();
      expect(await wire.post(call(1))).toMatchObject({
        status: 400,
        message: {
          error: { code: -32000, message: 'Bad Request: Mcp-Session-Id header is required' },
        },
      });
      for (const id of ['nope', '__proto__', 'a'.repeat(5_000)]) {
        expect(await wire.post(call(1), { 'mcp-session-id': id })).toMatchObject({
          status: 404,
          message: { error: { code: -32001, message: 'Session not found' } },
        });
      }
    });

    it('refuses a protocol version it does not speak', async () => {
      const { wire } = running;
      const session = await wire.initialize();
      const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-01-01' };
      expect(await wire.post(call(1), headers)).toMatchObject({
        status: 400,
        message: {
          error: {
            code: -32000,
            message:
              'Bad Request: Unsupported protocol version: 2025-01-01 (supported versions: ' +
              '2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, 2024-10-07)',
          },
        },
      });
    });

    it('takes notifications and responses with 202 and no body', async () => {
      const { wire } = running;
      const headers = { 'mcp-session-id': await wire.initialize() };
      const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
      const response = { jsonrpc: '2.0', id: 99, result: {} };
      for (const message of [initialized, response]) {
        expect(await wire.post(message, headers)).toMatchObject({ status: 202, text: '' });
      }
    });

    it('answers other methods, and names what is wrong with a call', async () => {
      const { wire } = running;
      const headers = { 'mcp-session-id': await wire.initialize() };
      const ask = (method: string, params?: unknown) =>
        wire.post({ jsonrpc: '2.0', id: 5, method, params }, headers);
      expect((await ask('ping')).message).toEqual({ jsonrpc: '2.0', id: 5, result: {} });
      expect((await ask('no/such')).message.error).toMatchObject({ code: -32601 });
      const odd = await ask('tools/call', { name: 7 });
      expect([odd.status, odd.message.error]).toEqual([
        200,
        { code: -32602, message: 'Invalid parameters of tools/call: /name must be string.' },
      ]);
      const meta = { _meta: { progressToken: 1 } };
      expect((await ask('tools/list', meta)).message.result).toEqual(
        (await ask('tools/list')).message.result,
      );
    });

    it('answers -32602 for an unknown tool', async () => {
      const { wire } = running;
      const headers = { 'mcp-session-id': await wire.initialize() };
      expect(await wire.post(call('x', 'nope'), headers)).toMatchObject({
        status: 200,
        message: { id: 'x', error: { code: -32602, message: 'Unknown tool: nope' } },
      });
      expect((await wire.post(call(1, '__proto__'), headers)).message.error?.code).toBe(-32602);
    });

    it('serves a tool call before notifications/initialized', async () => {
      const { wire } = running;
      const headers = { 'mcp-session-id': await wire.initialize() };
      const { status, message } = await wire.post(call(1), headers);
      expect([status, message]).toEqual([
        200,
        {
          jsonrpc: '2.0',
          id: 1,
          result: { content: [{ type: 'text', text: '{"id":"a"}' }], isError: false },
        },
      ]);
    });

    it('frees the session on DELETE, and the id is dead for good', async () => {
      const { wire } = running;
      const session = await wire.initialize();
      const headers = { 'mcp-session-id': session };
      expect(await wire.send('DELETE', headers)).toMatchObject({ status: 200 });
      expect(await wire.post(call(1), headers)).toMatchObject({ status: 404 });
      expect(await wire.send('DELETE', headers)).toMatchObject({ status: 404 });
      expect(await wire.initialize()).not.toBe(session);
    });

    it('gives the GET stream of a session to the latest connection', async () => {
      const { wire, endpoint } = running;
      const headers = { 'mcp-session-id': await wire.initialize(), accept: 'text/event-stream' };
      // A proxy may keep it open for a client that has left.
      const first = await fetch(endpoint, { headers });
      expect([first.status, first.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      const second = await fetch(endpoint, { headers });
      expect(second.status).toBe(200);
      expect(await first.text()).toBe('');
      expect(await wire.send('DELETE', headers)).toMatchObject({ status: 200 });
      expect(await second.text()).toBe('');
    });

    it('serves nothing at the base path, and leaves the routes alone', async () => {
      await running.wire.initialize();
      expect((await fetch(`${running.url}/_mcp`)).status).toBe(404);
      expect((await fetch(`${running.url}/_mcp`, { method: 'POST' })).status).toBe(404);
      expect(await (await fetch(`${running.url}/things/a`)).json()).toEqual({ id: 'a' });
    });

    it('refuses an id that is in flight, and answers both callers rightly', async () => {
      const { wire } = running;
      const headers = { 'mcp-session-id': await wire.initialize() };
      const slow = wire.post(call(7, 'slow', {}), headers);
      await until(() => waiting === 1);
      const { status, message } = await wire.post(call(7), headers);
      expect([status, message.error?.code]).toEqual([400, -32600]);
      expect(await wire.post(call('7'), headers)).toMatchObject({
        status: 200,
        message: { id: '7' },
      });
      release();
      expect((await slow).message.result).toMatchObject({ content: [{ text: '{"done":true}' }] });
      expect(await wire.post(call(7), headers)).toMatchObject({ status: 200 });
    });

    it('answers a cancelled call with the end of its stream, and frees its id', async () => {
      const { wire } = running;
      const headers = { 'mcp-session-id': await wire.initialize() };
      const slow = wire.post(call(8, 'slow', {}), headers);
      await until(() => waiting === 1);
      const cancelled = {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 8 },
      };
      expect(await wire.post(cancelled, headers)).toMatchObject({ status: 202 });
      expect(await slow).toMatchObject({ status: 200, text: '' });
      await until(() => waiting === 0);
      expect(await wire.post(call(8), headers)).toMatchObject({ status: 200 });
    });

    it('takes messages beyond the limit of the body parser', async () => {
      const { wire } = running;
      const headers = { 'mcp-session-id': await wire.initialize() };
      const big = await wire.post(call(1, 'things_get', { id: 'a'.repeat(200_000) }), headers);
      expect(big.status).toBe(200);
      expect(JSON.stringify(big.message)).not.toContain('entity.too.large');
    });

    it('survives a client that leaves in the middle of its message', async () => {
      const { port } = new URL(running.url);
      const socket = connectSocket(Number(port), '127.0.0.1');
      socket.write('POST /_mcp/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
      socket.write(
        'Accept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n{"json',
      );
      const server = running.app.getHttpServer() as Server;
      const [left] = (await once(server, 'request')) as [IncomingMessage];
      socket.destroy();
      await until(() => left.destroyed);
      expect(await running.wire.initialize()).toBeTruthy();
    });
  });

  it('opens as many sessions as sessions.max says, and no more', async () => {
    await start({ sessions: { max: 2 } });
    const [first, second] = [await running.wire.initialize(), await running.wire.initialize()];
    expect(first).not.toBe(second);
    const { message } = await running.wire.post(INITIALIZE);
    expect(message.error?.message).toContain('Server already initialized');
    expect(message.error?.message).toContain('2 sessions are open');
  });

  it('ends an idle session', async () => {
    await start({ sessions: { max: 1, idleTimeoutMs: 60 } });
    const headers = { 'mcp-session-id': await running.wire.initialize() };
    await until(() => openSessions(running) === 0);
    expect(await running.wire.post(call(1), headers)).toMatchObject({ status: 404 });
    await running.wire.initialize();
  });

  it('binds a session to the principal that opened it', async () => {
    await start();
    const { wire } = running;
    const session = await wire.initialize({ authorization: 'Bearer alice' });
    const as = (authorization?: string) => ({ 'mcp-session-id': session, authorization });
    expect(await wire.post(call(1), as('Bearer alice'))).toMatchObject({ status: 200 });
    for (const other of ['Bearer bob', undefined]) {
      expect(await wire.post(call(1), as(other))).toMatchObject({ status: 404 });
      expect(await wire.send('DELETE', as(other))).toMatchObject({ status: 404 });
    }
  });

  it('binds a session to the forwarded headers that opened it', async () => {
    await start({ forwardHeaders: ['x-api-key', 'x-request-id'] });
    const { wire } = running;
    const alice = { 'x-api-key': 'alice', 'x-request-id': '1' };
    const session = await wire.initialize(alice);
    const as = (key?: string) => ({ 'mcp-session-id': session, 'x-api-key': key });
    for (const other of ['bob', undefined]) {
      const answer = { jsonrpc: '2.0', id: 0, result: {} };
      expect(await wire.post(answer, as(other))).toMatchObject({ status: 404 });
      expect(await wire.post(call(1), as(other))).toMatchObject({ status: 404 });
      const stream = { ...as(other), accept: 'text/event-stream' };
      expect(await wire.send('GET', stream)).toMatchObject({ status: 404 });
      expect(await wire.send('DELETE', as(other))).toMatchObject({ status: 404 });
    }
    const next = { ...as('alice'), 'x-request-id': '2' };
    expect(await wire.post(call(1), next)).toMatchObject({ status: 200 });
    expect(await wire.send('DELETE', next)).toMatchObject({ status: 200 });
  });

  it('checks Origin before it reads anything', async () => {
    await start({ allowedOrigins: ['https://app.example.com', 'chrome-extension://abcdefgh'] });
    const { wire } = running;
    for (const origin of ['http://evil.example', 'null']) {
      expect(await wire.post('{', { origin })).toMatchObject({ status: 403 });
      expect(await wire.send('GET', { origin })).toMatchObject({ status: 403 });
      expect(await wire.send('DELETE', { origin })).toMatchObject({ status: 403 });
    }
    for (const origin of [
      'https://app.example.com',
      'chrome-extension://abcdefgh',
      'http://localhost:6274',
      undefined,
    ]) {
      expect(await wire.post('{', { origin })).toMatchObject({ status: 400 });
    }
  });

  it('names the limit of a message', async () => {
    await start({ limits: { requestBytes: 1_000 } });
    const { wire, endpoint } = running;
    const long = JSON.stringify({ ...INITIALIZE, pad: 'x'.repeat(2_000) });
    expect(await wire.post(long)).toMatchObject({
      status: 413,
      message: { error: { code: -32000, message: /must not exceed 1000 bytes/ } } as object,
    });
    const chunked = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: new Blob([long]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
    expect(await wire.initialize()).toBeTruthy();
  });

  it('sends the whole response to a client that is still sending a large body', async () => {
    await start({ limits: { requestBytes: 1_000 } });
    expect(new Set(await postLarge(running.endpoint))).toEqual(new Set([413]));
  });

  it('asks for a bearer token where auth is set, on every request', async () => {
    const asked: string[] = [];
    await start({
      auth: {
        type: 'bearer',
        resourceMetadata: 'https://api.example.com/.well-known/oauth-protected-resource',
        validate(token, { remoteAddress }) {
          asked.push(`${token} ${remoteAddress}`);
          if (token === 'crash') throw new Error('secret detail');
          return Promise.resolve(token === 'good');
        },
      },
    });
    const { wire } = running;
    const metadata =
      'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"';
    const invalid = 'error="invalid_token", error_description="The access token is invalid", ';
    for (const [authorization, fault] of [
      [undefined, ''],
      ['Basic abc', ''],
      ['Bearer bad', invalid],
      ['Bearer crash', invalid],
    ] as const) {
      const { status, headers, message, text } = await wire.post(INITIALIZE, { authorization });
      expect([status, message.error]).toEqual([401, { code: -32000, message: 'Unauthorized' }]);
      expect(headers.get('www-authenticate')).toBe(`Bearer ${fault}${metadata}`);
      expect(text).not.toContain('secret');
    }
    expect(asked).toEqual(['bad 127.0.0.1', 'crash 127.0.0.1']);
    const session = await wire.initialize({ authorization: 'Bearer good' });
    expect(await wire.post(call(1), { 'mcp-session-id': session })).toMatchObject({ status: 401 });
    const headers = { 'mcp-session-id': session, authorization: 'Bearer good' };
    expect(await wire.post(call(1), headers)).toMatchObject({ status: 200 });
  });

  it('binds a session to the principal that validate names, whatever token it comes with', async () => {
    await start({
      auth: {
        type: 'bearer',
        validate: (token) => ({ id: token.split('.')[0] ?? '' }),
      },
    });
    const { wire } = running;
    const session = await wire.initialize({ authorization: 'Bearer alice.1' });
    const as = (token: string) => ({ 'mcp-session-id': session, authorization: `Bearer ${token}` });
    expect(await wire.post(call(1), as('alice.2'))).toMatchObject({ status: 200 });
    expect(await wire.post(call(1), as('bob.1'))).toMatchObject({ status: 404 });
    expect(await wire.send('DELETE', as('alice.3'))).toMatchObject({ status: 200 });
  });

  it('stands behind the CORS and the helmet of main.ts', async () => {
    await start(
      {},
      {
        async main(app) {
          app.enableCors({ origin: 'http://localhost:9', exposedHeaders: ['mcp-session-id'] });
          if (platform === 'Express') app.use(helmet());
          else
            await (app.getHttpAdapter().getInstance() as FastifyInstance).register(fastifyHelmet);
        },
      },
    );
    const { headers } = await running.wire.post(INITIALIZE, { origin: 'http://localhost:9' });
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:9');
    expect(headers.get('access-control-expose-headers')).toBe('mcp-session-id');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const preflight = await running.wire.send('OPTIONS', {
      origin: 'http://localhost:9',
      'access-control-request-method': 'POST',
    });
    expect(preflight.status).toBe(204);
  });

  it('reads a body that the application has parsed before', async () => {
    const type = platform === 'Express' ? 'json' : 'application/json';
    await start(
      {},
      { main: (app) => void (app as INestApplication & BodyParsers).useBodyParser(type) },
    );
    expect(await running.wire.initialize()).toBeTruthy();
  });

  it('stands at another base path, outside of the global prefix', async () => {
    await start({ basePath: '/ai' }, { main: (app) => void app.setGlobalPrefix('api') });
    expect(await running.wire.initialize()).toBeTruthy();
    expect((await fetch(`${running.url}/api/ai/messages`)).status).toBe(404);
    expect(running.app.get(McpAdapter).getTools()[1]?.mountPath).toBe('/api/things/:id');
  });

  it('closes with a stream open', async () => {
    await start();
    const { wire, endpoint } = running;
    const headers = { 'mcp-session-id': await wire.initialize() };
    const stream = await fetch(endpoint, { headers: { ...headers, accept: 'text/event-stream' } });
    await running.app.close();
    expect(await stream.text()).toBe('');
  });

  it.each([
    ['a tool', call(1, 'slow', {})],
    ['a resource', READ_SLOW],
  ])('ends the inner request of %s when its caller goes away', async (_, message) => {
    await start({}, controllers(ThingsController, ReportsController));
    const { wire, endpoint } = running;
    const session = await wire.initialize();
    const left = request(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': session,
      },
    });
    left.on('error', () => undefined);
    left.end(JSON.stringify(message));
    await until(() => waiting === 1);
    left.destroy();
    await until(() => waiting === 0);
    expect(await wire.post(call(1), { 'mcp-session-id': session })).toMatchObject({ status: 200 });
  });
});

interface BodyParsers {
  useBodyParser(type: string): unknown;
}

describe.each([
  ['ignoreTrailingSlash', { ignoreTrailingSlash: true }],
  ['routerOptions.ignoreTrailingSlash', { routerOptions: { ignoreTrailingSlash: true } }],
])('the MCP endpoint on Fastify with %s', (_, options) => {
  it('serves its path with a slash behind it, and without', async () => {
    const running = await startApp(new FastifyAdapter(options), controllers(ThingsController));
    expect(await running.wire.post(INITIALIZE)).toMatchObject({ status: 200 });
    expect(await wire(`${running.endpoint}/`).post(INITIALIZE)).toMatchObject({ status: 200 });
    await running.close();
  });
});
