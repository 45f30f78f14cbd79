// HTTP/2, of which Express has none.
import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Headers, Ip } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpResource } from '../src/publish/decorators/mcp-resource.decorator.js';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import { McpCallInfo } from '../src/serve/call/mcp-call-info.decorator.js';
import type { McpCall } from '../src/serve/call/mcp-call.js';
import { McpAdapter } from '../src/mcp.adapter.js';
import type { McpAdapterOptions } from '../src/mcp.options.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { until } from '../../../test/support/until.js';
import { INITIALIZE } from './support/wire.js';

const file = (name: string) => readFileSync(new URL(`./tls/${name}.pem`, import.meta.url));

let gone = 0;

@Controller()
class HostController {
  @Get('host')
  @McpTool({ name: 'host', description: 'Says how it was reached' })
  host(@Headers() headers: Record<string, string>, @Ip() ip: string) {
    return { host: headers['host'], pseudo: Object.keys(headers).filter((h) => h[0] === ':'), ip };
  }

  @Get('text')
  @McpResource({ uri: 'text://one', description: 'A text' })
  text() {
    return 'one';
  }

  @Get('endless')
  @McpTool({ name: 'endless', description: 'Waits for its caller to leave' })
  endless(@McpCallInfo() call: McpCall) {
    call.signal?.addEventListener('abort', () => gone++);
    return new Promise(() => undefined);
  }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modern = (id: number, method: string, params: object) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: META },
});
const named = (method: string, name: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  'mcp-name': name,
});

const setups: readonly [name: string, adapter: () => AbstractHttpAdapter][] = [
  ['without TLS', () => new FastifyAdapter({ http2: true })],
  [
    'with TLS',
    () =>
      new FastifyAdapter({
        http2: true,
        https: { key: file('server-key'), cert: file('server') },
      }),
  ],
];

describe.each(
  setups.flatMap(([kind, adapter]) => [false, true].map((direct) => ({ kind, adapter, direct }))),
)('the MCP endpoint over HTTP/2 $kind, direct: $direct', ({ kind, adapter, direct }) => {
  let running: RunningApp;
  let session: ClientHttp2Session;
  const warnings: string[] = [];
  const warned = (warning: Error) => warnings.push(String(warning));
  afterEach(async () => {
    session.close();
    await running.app.close();
    process.off('warning', warned);
    expect(warnings.splice(0)).toEqual([]);
  });

  async function start(mcp: Partial<McpAdapterOptions> = {}): Promise<void> {
    process.on('warning', warned);
    running = await startApp(adapter(), {
      ...controllers(HostController),
      mcp: { direct, ...mcp },
    });
    const url = running.url.replace(/^\w+:/, kind === 'with TLS' ? 'https:' : 'http:');
    session = connect(url, { rejectUnauthorized: false });
  }

  function send(method: string, headers: Record<string, string>, body?: object) {
    const stream = session.request({ ':path': '/_mcp/messages', ':method': method, ...headers });
    if (body) stream.write(JSON.stringify(body));
    stream.end();
    return stream;
  }

  interface Answer {
    readonly status: unknown;
    readonly headers: IncomingHttpHeaders;
    readonly message: { result?: Record<string, unknown>; error?: { message: string } };
  }

  function post(body: object, headers: Record<string, string> = {}): Promise<Answer> {
    const stream = send(
      'POST',
      {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    );
    return new Promise((resolve, reject) => {
      let answered: IncomingHttpHeaders = {};
      let text = '';
      stream.on('response', (headers) => (answered = headers));
      stream.on('data', (chunk) => (text += String(chunk)));
      stream.on('error', reject);
      stream.on('end', () => {
        const json = /^data: (.*)$/m.exec(text)?.[1] ?? (text === '' ? '{}' : text);
        resolve({
          status: answered[':status'],
          headers: answered,
          message: JSON.parse(json) as Answer['message'],
        });
      });
    });
  }

  const REACHED = [{ text: '{"host":"api.example.com","pseudo":[],"ip":"127.0.0.1"}' }];
  const authority = { ':authority': 'api.example.com' };
  const callOf = (name: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name },
  });

  it('serves sessions: calls, their stream, their end', async () => {
    await start();
    const { status, headers } = await post(INITIALIZE);
    expect(status).toBe(200);
    const own = { 'mcp-session-id': String(headers['mcp-session-id']) };
    expect(await post(callOf('host'), { ...own, ...authority })).toMatchObject({
      status: 200,
      message: { result: { content: REACHED } },
    });
    const stream = send('GET', { accept: 'text/event-stream', ...own });
    let opened: unknown;
    stream.on('response', (headers) => (opened = headers[':status']));
    await until(() => opened === 200);
    expect((await post(callOf('nope'), own)).message.error?.message).toBe('Unknown tool: nope');
    const deleted = send('DELETE', own);
    let ended: unknown;
    deleted.on('response', (headers) => (ended = headers[':status']));
    await until(() => ended === 200);
    await until(() => stream.closed);
    expect(await post(callOf('host'), own)).toMatchObject({ status: 404 });
  });

  it('serves 2026-07-28: plain calls, and what the SDK answers', async () => {
    await start();
    const call = modern(1, 'tools/call', { name: 'host', arguments: {} });
    expect(await post(call, { ...named('tools/call', 'host'), ...authority })).toMatchObject({
      status: 200,
      message: { result: { content: REACHED } },
    });
    const read = modern(2, 'resources/read', { uri: 'text://one' });
    expect(await post(read, named('resources/read', 'text://one'))).toMatchObject({
      status: 200,
      message: { result: { contents: [{ text: 'one' }] } },
    });
    const unknown = modern(3, 'tools/call', { name: 'nope', arguments: {} });
    expect(await post(unknown, named('tools/call', 'nope'))).toMatchObject({
      message: { error: { message: 'Unknown tool: nope' } },
    });
  });

  it('checks the authority as it checks the host', async () => {
    await start({ allowedHosts: ['api.example.com'] });
    expect(await post(INITIALIZE, authority)).toMatchObject({ status: 200 });
    const refused = await post(INITIALIZE, { ':authority': 'evil.example' });
    expect([refused.status, refused.message.error?.message]).toEqual([
      403,
      'Forbidden: Host "evil.example" is not in allowedHosts',
    ]);
  });

  it('shows no pseudo-headers to validate and visible', async () => {
    const seen: string[] = [];
    await start({
      auth: {
        type: 'bearer',
        validate: (_token, { headers }) => Boolean(seen.push(...Object.keys(headers))),
      },
      visible: (_tool, { headers }) => Boolean(seen.push(...Object.keys(headers))),
    });
    const authorization = 'Bearer token';
    expect(await post(INITIALIZE, { authorization })).toMatchObject({ status: 200 });
    const list = modern(1, 'tools/list', {});
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    expect(await post(list, { authorization, ...headers })).toMatchObject({ status: 200 });
    expect(seen).toContain('host');
    expect(seen.filter((name) => name.startsWith(':'))).toEqual([]);
  });

  it('ends a call when its stream is reset, and when its connection is lost', async () => {
    await start();
    gone = 0;
    const accept = 'application/json, text/event-stream';
    const headers = {
      'content-type': 'application/json',
      accept,
      ...named('tools/call', 'endless'),
    };
    const calls = () => running.app.get(McpAdapter).introspect().metrics?.['calls'];
    const call = modern(1, 'tools/call', { name: 'endless', arguments: {} });
    const reset = send('POST', headers, call);
    reset.on('error', () => undefined);
    await until(() => calls() === 1);
    reset.close(8);
    await until(() => gone === 1);
    const lost = send('POST', headers, call);
    lost.on('error', () => undefined);
    await until(() => calls() === 2);
    session.destroy();
    await until(() => gone === 2);
  });
});
