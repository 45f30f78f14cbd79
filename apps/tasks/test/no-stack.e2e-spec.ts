// The demo runs without NODE_ENV=production: no answer may show a stack or a path of this machine.
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger, type INestApplication } from '@nestjs/common';
import { createApp } from '../src/create-app.js';
import { TasksService } from '../src/tasks/tasks.service.js';

const NODE_ENV = process.env['NODE_ENV'];
const STACK = /stack|\n\s+at |\bat .+:\d+:\d+|file:\/\/|node_modules|\/(src|dist|libs)\//i;

beforeAll(() => Logger.overrideLogger(false));

describe.each(['express', 'fastify'] as const)('errors of the task API on %s', (platform) => {
  let app: INestApplication;
  let origin: string;

  beforeAll(async () => {
    process.env['NODE_ENV'] = 'development';
    process.env['TASKS_DATA'] = 'memory://';
    app = await createApp(platform);
    const server = await app.listen(0);
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // An unexpected error.
    app.get(TasksService, { strict: false }).get = () => Promise.reject(new TypeError('boom'));
  });
  afterAll(async () => {
    process.env['NODE_ENV'] = NODE_ENV;
    await app.close();
  });

  const authorization = 'Bearer demo-token-ada';
  const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body,
  });
  const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const mcp = (body: string) =>
    post(body, {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    });

  const requests: [string, string, RequestInit][] = [
    ['/graphql in a browser', '/graphql', { headers: BROWSER }],
    ['a GET that Apollo refuses', '/graphql?query=%7Btasks%7D', {}],
    ['a syntax error', '/graphql', post('{"query":"{"}')],
    ['an unknown field', '/graphql', post('{"query":"{ nothing }"}')],
    ['a resolver that fails', '/graphql', post('{"query":"{ task(id: 1) { id } }"}')],
    ['malformed JSON for GraphQL', '/graphql', post('{')],
    ['too large a body for GraphQL', '/graphql', post(JSON.stringify({ query: ' '.repeat(2e6) }))],
    ['no token', '/tasks', {}],
    ['an unknown path in a browser', '/nothing', { headers: BROWSER }],
    ['a malformed path', '/%E0%A4%A', { headers: BROWSER }],
    ['a handler that fails', '/tasks/1', { headers: { authorization } }],
    ['a malformed id', '/tasks/one', { headers: { authorization } }],
    ['malformed JSON', '/tasks', post('{')],
    ['an invalid body', '/tasks', post('{"title":1,"nothing":2}')],
    ['too large a body', '/tasks', post(JSON.stringify({ title: ' '.repeat(2e6) }))],
    ['an unknown charset', '/tasks', post('{}', { 'content-type': 'application/json; charset=x' })],
    ['malformed JSON for MCP', '/_mcp/messages', mcp('{')],
    ['MCP in a browser', '/_mcp/messages', { headers: BROWSER }],
    ['an unknown method of MCP', '/_mcp/messages', mcp('{"jsonrpc":"2.0","id":1,"method":"x"}')],
    ['a session that is none', '/_mcp/messages', post('{}', { 'mcp-session-id': 'x' })],
  ];

  it.each(requests)('%s: no stack', async (_name, path, init) => {
    const response = await fetch(origin + path, init);
    expect(await response.text()).not.toMatch(STACK);
    expect(response.status).toBeGreaterThanOrEqual(200);
  });

  it('a tool call that fails: no stack', async () => {
    const rpc = (id: number, method: string, params: object) =>
      mcp(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const opened = await fetch(
      `${origin}/_mcp/messages`,
      rpc(1, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }),
    );
    const session = opened.headers.get('mcp-session-id')!;
    await opened.text();
    const call = async (name: string, args: object) => {
      const init = rpc(2, 'tools/call', { name, arguments: args });
      const headers = { ...(init.headers as Record<string, string>), 'mcp-session-id': session };
      return (await fetch(`${origin}/_mcp/messages`, { ...init, headers })).text();
    };
    for (const answer of [
      await call('tasks_get', { id: 1 }),
      await call('tasks_get', { id: 'one' }),
      await call('tasks_create', { title: 7 }),
      await call('nothing', {}),
    ]) {
      expect(answer).toContain('"id":2');
      expect(answer).not.toMatch(STACK);
    }
  });
});
