// Of the built package, in a process of its own: it owns stdin and stdout.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { observe } from '../../../../test/support/processes.js';
import { connectStdio } from '../../../../test/support/connect-stdio.js';
import { until } from '../../../../test/support/until.js';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';

const app = fileURLToPath(new URL('../stdio/app.mjs', import.meta.url));

const initialize = (capabilities = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'wire', version: '1.0.0' },
  },
});

const info = { name: 'spec', version: '1.0.0' };
const capabilities = { elicitation: { form: {} } };
const accept = { action: 'accept' as const, content: { ok: true } };

/** A process of the application and a client of 2025-11-25 that accepts what it is asked. */
async function connectOlder(start: Start): Promise<Connected<Client>> {
  const client = new Client(info, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, () => accept);
  return connect(client, new StdioClientTransport(start));
}

/** The same for a client of 2026-07-28. */
async function connectNewer(start: Start): Promise<Connected<ModernClient>> {
  const versionNegotiation = { mode: { pin: '2026-07-28' } };
  const client = new ModernClient(info, { capabilities, versionNegotiation });
  client.setRequestHandler('elicitation/create', () => accept);
  return connect(client, new ModernTransport(start));
}

async function connect<C extends { connect(transport: never): Promise<void> }>(
  client: C,
  transport: { readonly stderr: unknown },
): Promise<Connected<C>> {
  let printed = '';
  (transport.stderr as Readable).on('data', (chunk: Buffer) => (printed += String(chunk)));
  await connectStdio(client, transport);
  return { client, printed: () => printed };
}

interface Start {
  readonly command: string;
  readonly args: string[];
  readonly stderr: 'pipe';
  readonly env?: Record<string, string>;
}

interface Connected<C> {
  readonly client: C;
  /** What the process printed to stderr so far. */
  readonly printed: () => string;
}

const startOf = (file: string, platform: string, env: Record<string, string> = {}): Start => ({
  command: process.execPath,
  args: [file, platform],
  stderr: 'pipe',
  env,
});

// A test has one platform, because the transport does not depend on it. Each platform serves a client here.
describe('MCP over stdio', () => {
  describe('on Express to a client of 2025-11-25', () => {
    let older: Connected<Client>;
    beforeAll(async () => {
      older = await connectOlder(startOf(app, 'express', { FLEDGE_MCP_TOKEN: 'secret' }));
    });
    afterAll(() => older.client.close());

    it('serves the tools, with the token of the environment', async () => {
      const { client } = older;
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
        'noise',
        'ask',
        'large',
        'slow',
      ]);
      expect(await client.callTool({ name: 'noise' })).toMatchObject({
        content: [{ text: '{"ip":"127.0.0.1","authorization":"Bearer secret"}' }],
        isError: false,
      });
    });

    it('audits calls before it answers, refused ones too', async () => {
      const { client, printed } = older;
      await client.callTool({ name: 'noise' });
      await until(() => printed().includes('audited noise ok spec'), 'the call was audited');
      await expect(client.callTool({ name: 'none' })).rejects.toThrow('Unknown tool');
      await until(() => printed().includes('audited none refused spec'), 'the refusal was audited');
    });

    it('asks the user', async () => {
      expect(await older.client.callTool({ name: 'ask', arguments: {} })).toMatchObject({
        content: [{ text: '{"action":"accept","ok":true}' }],
      });
    });
  });

  describe('on Fastify to a client of 2026-07-28', () => {
    let newer: Connected<ModernClient>;
    beforeAll(async () => {
      newer = await connectNewer(startOf(app, 'fastify', { TRACED: '1' }));
    });
    afterAll(() => newer.client.close());

    it('serves the tools, without a token', async () => {
      const { client } = newer;
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
      expect(await client.callTool({ name: 'noise', arguments: {} })).toMatchObject({
        content: [{ text: '{"ip":"127.0.0.1","authorization":null}' }],
      });
    });

    it('asks the user', async () => {
      expect(await newer.client.callTool({ name: 'ask', arguments: {} })).toMatchObject({
        content: [{ text: '{"action":"accept","ok":true}' }],
      });
    });

    it('traces calls, and listening until it was acknowledged', async () => {
      const { client, printed } = newer;
      await client.callTool({ name: 'noise', arguments: {} });
      await until(() => printed().includes('span tools/call noise 0'));
      await client.listen({ toolsListChanged: true });
      await until(() => printed().includes('span subscriptions/listen 0'));
    });
  });

  it('answers what is under way when its stdin ends, whole', async () => {
    const child = spawn(process.execPath, [app, 'express'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const call = (id: number, name: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name },
    });
    for (const message of [initialize({ elicitation: { form: {} } }), call(2, 'large')]) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    }
    // More than a pipe holds: the rest of the answer waits in the process, while stdin ends.
    await once(child.stdout, 'readable');
    for (const message of [call(3, 'slow'), call(4, 'ask')]) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    }
    child.stdin.end();
    const exit = once(child, 'exit');
    const lines = (await text(child.stdout)).trimEnd().split('\n');
    expect(await exit).toEqual([0, null]);
    const messages = lines.map((line) => JSON.parse(line) as { id: number; result?: object });
    const answers = messages.filter((message) => !('method' in message));
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4]);
    const answerTo = (id: number) => answers.find((answer) => answer.id === id);
    expect(JSON.stringify(answerTo(2))).toContain('x'.repeat(900_000));
    expect(answerTo(3)).toMatchObject({ result: { content: [{ text: 'at last' }] } });
    expect(answerTo(4)).not.toMatchObject({ result: { isError: false } });
  });

  it('waits for the audit before it ends with its stdin', async () => {
    const env = { ...process.env, SLOW_AUDIT: '1' };
    const child = spawn(process.execPath, [app, 'express'], { stdio: 'pipe', env });
    const { end, output } = observe(child);
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'noise' } };
    for (const message of [initialize(), call]) child.stdin.write(`${JSON.stringify(message)}\n`);
    await until(() => output().includes('"id":2'), output);
    expect(output()).not.toContain('audited noise');
    child.stdin.end();
    expect(await end()).toEqual({ code: 0, signal: null });
    expect(output()).toContain('audited noise ok wire direct');
  });

  it('writes nothing but JSON-RPC to stdout, and ends with its stdin', async () => {
    const env = { ...process.env, FLEDGE_MCP_STDIO: '1' };
    const child = spawn(process.execPath, [app, 'fastify'], { stdio: 'pipe', env });
    const { end } = observe(child);
    const printed = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (printed.out += String(chunk)));
    child.stderr.on('data', (chunk: Buffer) => (printed.err += String(chunk)));
    const say = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
    const lines = () => printed.out.split('\n').filter((line) => line !== '');
    // Some programs write a byte order mark first.
    child.stdin.write('\ufeff');
    say(initialize());
    say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    say({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'noise' } });
    child.stdin.write('this is no JSON\n[]\n{"jsonrpc":"2.0"}\n');
    say({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'nope' } });
    say({ jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 7 } });
    await until(() => lines().length >= 7);
    child.stdin.end();
    expect(await end()).toEqual({ code: 0, signal: null });

    const messages = lines().map(
      (line) => JSON.parse(line) as { jsonrpc: string; id: number | null; error?: unknown },
    );
    expect(messages.map(({ jsonrpc }) => jsonrpc)).toEqual(messages.map(() => '2.0'));
    const ids = messages.flatMap(({ id }) => id ?? []);
    expect(ids.sort()).toEqual([1, 2, 3, 4]);
    expect(messages.flatMap(({ id, error }) => (id === null ? error : []))).toEqual([
      { code: -32700, message: 'Parse error: Invalid JSON' },
      expect.objectContaining({ code: -32600 }),
      { code: -32700, message: 'Parse error: Invalid JSON-RPC message' },
    ]);
    expect(messages.find(({ id }) => id === 4)).toMatchObject({
      error: { code: -32602, message: 'Invalid parameters of tools/call: /name must be string.' },
    });
    for (const noise of ['early', 'main', 'constructor', 'route', 'no line end', 'NestFactory']) {
      expect(printed.err).toContain(noise);
    }
    expect(printed.err).not.toContain('never printed');
  });

  it.each([
    [{}, ['noise', 'large', 'slow']],
    [{ FLEDGE_MCP_ENDPOINT: '/mcp/ask' }, ['ask']],
  ])('serves one of several endpoints, with %j', async (env, tools) => {
    const { client } = await connectOlder(startOf(app, 'express', { ENDPOINTS: '1', ...env }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools);
    await client.close();
  });

  it('tells of changed lists only to a client that sent initialize', async () => {
    const env = { ...process.env, CHANGING: '1' };
    const child = spawn(process.execPath, [app, 'express'], { env });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += String(chunk)));
    const say = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
    const slow = (id: number, _meta: object) => {
      const params = { name: 'slow', arguments: {}, _meta };
      say({ jsonrpc: '2.0', id, method: 'tools/call', params });
    };
    slow(2, {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    });
    await until(() => printed.includes('"id":2'));
    expect(printed).not.toContain('list_changed');
    say(initialize());
    slow(3, {});
    await until(() => printed.includes('notifications/tools/list_changed'));
    child.stdin.end();
    await once(child, 'exit');
  });

  it('closes its stores after the running calls', async () => {
    const env = { ...process.env, KEYED: '1' };
    const child = spawn(process.execPath, [app, 'fastify'], { env });
    const errors = text(child.stderr);
    const params = { name: 'slow', arguments: { idempotencyKey: 'k' } };
    const messages = [initialize(), { jsonrpc: '2.0', id: 2, method: 'tools/call', params }];
    child.stdin.end(messages.map((each) => `${JSON.stringify(each)}\n`).join(''));
    expect(await text(child.stdout)).toContain('at last');
    expect((await errors).match(/the store .*/g)).toEqual([
      'the store got the response',
      'the store was closed',
    ]);
  });

  it('does not start with an endpoint that does not exist', async () => {
    const env = { ...process.env, ENDPOINTS: '1', FLEDGE_MCP_ENDPOINT: '/mcp/aks' };
    const child = spawn(process.execPath, [app, 'express'], { env });
    expect(await text(child.stderr)).toContain(
      'FLEDGE_MCP_ENDPOINT is "/mcp/aks", but must be the path of an endpoint: /mcp/get, /mcp/ask.',
    );
  });

  it('fails a tool that asks the user of a client that cannot', async () => {
    const mute = new Client(info);
    await connect(mute, new StdioClientTransport(startOf(app, 'fastify')));
    expect(await mute.callTool({ name: 'ask' })).toMatchObject({ isError: true });
    await mute.close();
  });

  it('finds tools, and runs one through call_tool, for clients of either era', async () => {
    const searching = startOf(app, 'fastify', { SEARCH: '1' });
    const older = await connectOlder(searching);
    const newer = await connectNewer(searching);
    for (const client of [older.client, newer.client] as ModernClient[]) {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'read_tool', 'call_tool']);
      const all = await client.listTools({ _meta: { 'fledge/everyTool': true } });
      expect(all.tools).toHaveLength(4);
      const found = await client.callTool({ name: 'search_tools', arguments: { query: 'asks' } });
      expect(found.content).toEqual([
        { type: 'text', text: '### ask\nAsks\nDestructive.\nNo parameters.' },
      ]);
      const call = (args: Record<string, unknown>) =>
        client.callTool({ name: 'call_tool', arguments: args });
      expect(await call({ name: 'ask' })).toMatchObject({
        content: [{ text: '{"action":"accept","ok":true}' }],
      });
      await expect(call({ name: 'none' })).rejects.toThrow('Unknown tool: none. Find the names');
      expect(await call({ name: 'call_tool' })).toMatchObject({ isError: true });
    }
    const audited = 'audited ask ok spec call_tool';
    await until(() => older.printed().includes(audited), 'the call was audited');
    await Promise.all([older.client.close(), newer.client.close()]);
  });

  it('derives output schemas for each revision, and sends long answers in parts', async () => {
    const results = fileURLToPath(new URL('../stdio/results.mjs', import.meta.url));
    const start = startOf(results, 'express');
    const [older, newer] = [await connectOlder(start), await connectNewer(start)];
    const tasks = Array.from({ length: 10 }, (_, id) => ({ id }));
    for (const { client } of [older, newer]) {
      const { tools } = await client.listTools();
      const isOlder = client === older.client;
      expect(tools[0]?.outputSchema?.['type']).toBe(isOlder ? 'object' : undefined);
      const { structuredContent } = await client.callTool({ name: 'short' });
      expect(structuredContent).toEqual(isOlder ? { result: tasks } : tasks);
      const { content } = await client.callTool({ name: 'long' });
      const [text, link] = content as [{ text: string }, { uri: string }];
      expect(text.text).toBe(
        `[{"id":0},{"id":1},{"id":2}]\n(part 1 of 4; the next part is ${link.uri})`,
      );
      const { contents } = await client.readResource({ uri: link.uri });
      expect(contents[0]).toMatchObject({
        text: expect.stringMatching(/^\[{"id":3},{"id":4},{"id":5}\]\n/),
      });
      await client.close();
    }
  });
});
