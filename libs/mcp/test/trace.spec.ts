import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { RecorderModule } from './recorder/recorder.module.js';
import { forget, lastTrace, type Trace } from './recorder/trace.js';
import { type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { platforms } from '../../../test/support/platforms.js';

interface Case {
  readonly name: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** The direct request of the same meaning. */
  readonly direct: { method: string; path: string; body?: unknown };
  readonly headers?: Record<string, string>;
  readonly status: number;
}

const user = { authorization: 'Bearer user', 'accept-language': 'de' };

const cases: Case[] = [
  {
    name: 'a read',
    tool: 'get',
    args: { id: 7, limit: 5, q: 'a&b 你好' },
    direct: { method: 'GET', path: '/notes/7?limit=5&q=a%26b%20%E4%BD%A0%E5%A5%BD' },
    status: 200,
  },
  {
    name: 'a creation, with a null and a query beside the body',
    tool: 'create',
    args: { title: 'Buy', tags: ['a', 'b'], nickname: null, notify: 'true' },
    direct: {
      method: 'POST',
      path: '/notes?notify=true',
      body: { title: 'Buy', tags: ['a', 'b'], nickname: null },
    },
    status: 201,
  },
  {
    name: 'a replacement',
    tool: 'replace',
    args: { id: 'a/b', title: 'Sell' },
    direct: { method: 'PUT', path: '/notes/a%2Fb', body: { title: 'Sell' } },
    status: 200,
  },
  {
    name: 'a removal without content',
    tool: 'remove',
    args: { id: '9' },
    direct: { method: 'DELETE', path: '/notes/9' },
    status: 204,
  },
  {
    name: 'request scope',
    tool: 'scoped',
    args: {},
    direct: { method: 'GET', path: '/scoped' },
    status: 200,
  },
  {
    name: 'durable scope',
    tool: 'durable',
    args: {},
    direct: { method: 'GET', path: '/durable' },
    status: 200,
  },
  {
    name: '404',
    tool: 'get',
    args: { id: 404 },
    direct: { method: 'GET', path: '/notes/404' },
    status: 404,
  },
  {
    name: 'a thrown error',
    tool: 'get',
    args: { id: 500 },
    direct: { method: 'GET', path: '/notes/500' },
    status: 500,
  },
  {
    name: '403',
    tool: 'get',
    args: { id: 1 },
    direct: { method: 'GET', path: '/notes/1' },
    headers: { authorization: 'Bearer guest' },
    status: 403,
  },
  {
    name: '401',
    tool: 'get',
    args: { id: 1 },
    direct: { method: 'GET', path: '/notes/1' },
    headers: {},
    status: 401,
  },
];

describe.each(platforms)('a tool call on $name', ({ adapter }) => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await startApp(adapter(), { imports: [RecorderModule] });
  });
  afterAll(() => running.close());
  beforeEach(forget);

  async function direct({ direct: { method, path, body }, headers = user }: Case) {
    const answer = await fetch(running.url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text(), trace: lastTrace() };
  }

  async function asTool({
    tool,
    args,
    headers = user,
  }: Case): Promise<{ result: CallToolResult; trace: Trace }> {
    const client = await running.connect(headers);
    const result = await client.call(tool, args);
    await client.leave();
    return { result, trace: lastTrace() };
  }

  it.each(cases)('is its route called directly: $name', async (each) => {
    const http = await direct(each);
    expect(http.status).toBe(each.status);
    expect(http.trace.steps.length).toBeGreaterThan(1);

    forget();
    const { result, trace } = await asTool(each);
    expect(trace.steps).toEqual(http.trace.steps);
    expect(trace.args).toEqual(http.trace.args);
    expect(textOf(result)).toBe(http.text === '' ? '(204 No Content)' : http.text);
    expect(result.isError).toBe(each.status >= 400);
  });

  it('is its route called directly: 400 by the pipe of the application', async () => {
    // What the schema knows is refused before anything runs, so the fault is one it cannot know.
    const each: Case = {
      name: '400',
      tool: 'create',
      args: { title: 'damn' },
      direct: { method: 'POST', path: '/notes', body: { title: 'damn' } },
      status: 400,
    };
    const http = await direct(each);
    expect([http.status, http.trace.args]).toEqual([400, []]);
    forget();
    const { result, trace } = await asTool(each);
    expect(trace).toEqual(http.trace);
    expect([textOf(result), result.isError]).toEqual([http.text, true]);
  });

  it('writes down what it claims to: the order of Nest', async () => {
    await asTool({ ...(cases[1] as Case) });
    expect(lastTrace().steps).toEqual([
      'middleware POST',
      'guard global for create',
      'guard controller for create',
      'interceptor global before',
      'interceptor controller before',
      'pipe global query notify String',
      'pipe controller query notify String',
      'pipe method query notify String',
      'pipe global body  Note',
      'pipe controller body  Note',
      'pipe method body  Note',
      'pipe param body  Note',
      'interceptor controller after',
      'interceptor global after',
    ]);
  });

  it('is refused before anything runs when its arguments do not fit', async () => {
    const client = await running.connect(user);
    const result = await client.call('create', { title: 'x', tags: [1], extra: true });
    await client.leave();
    expect(result.isError).toBe(true);
    for (const fault of ['title', '/tags/0', 'extra']) expect(textOf(result)).toContain(fault);
    expect(lastTrace).toThrow('No request was traced.');
  });

  it('shares nothing with a call beside it', async () => {
    const client = await running.connect(user);
    const ids = Array.from({ length: 50 }, (_, i) => i + 1);
    const results = await Promise.all(ids.map((id) => client.call('get', { id, q: `q${id}` })));
    await client.leave();
    expect(results.map((result) => JSON.parse(textOf(result)) as unknown)).toEqual(
      ids.map((id) => expect.objectContaining({ id, page: { q: `q${id}` } })),
    );
  });
});
