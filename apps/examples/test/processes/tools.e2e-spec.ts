// Each example runs as a process, and is called over HTTP or stdio by the official clients.
import { readdirSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdioTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { SignJWT } from 'jose';
import { connectStdio } from '../../../../test/support/connect-stdio.js';
import { answerOf, connect, fileOf, run, sourceOf, stopAll } from '../examples.js';

afterEach(stopAll);

describe('the examples', () => {
  it.each(
    readdirSync(new URL('../../src', import.meta.url)).map((file) => file.replace('.ts', '')),
  )('%s has 120 lines at most', (name) =>
    expect(sourceOf(name).split('\n').length).toBeLessThan(122),
  );
});

it('jwt-guard refuses and serves an agent as it does a browser', async () => {
  const url = await run('jwt-guard', {
    JWT_SECRET: 'the secret that the example was started with',
  });
  const sign = (claims: Record<string, unknown>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('ada')
      .sign(new TextEncoder().encode('the secret that the example was started with'));
  const [admin, guest] = await Promise.all([sign({ admin: true }), sign({})]);

  const statusFor = async (token: string) =>
    (await fetch(`${url}/invoices/7`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect([await statusFor(admin), await statusFor(guest), await statusFor('none')]).toEqual([
    200, 403, 401,
  ]);

  const agent = await connect(url, { authorization: `Bearer ${admin}` });
  expect(await answerOf(agent, 'invoices_get', { id: '7' })).toEqual({ id: '7', readBy: 'ada' });
  const refused = await connect(url, { authorization: `Bearer ${guest}` });
  expect(await refused.callTool({ name: 'invoices_get', arguments: { id: '7' } })).toMatchObject({
    isError: true,
    structuredContent: { error: { status: 403 } },
  });
});

it('search-300-tools lists four tools, finds the others and runs them', async () => {
  const url = await run('search-300-tools');
  const client = await connect(url);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'order_list',
    'search_tools',
    'read_tool',
    'call_tool',
  ]);
  const whole = await client.listTools({ _meta: { 'fledge/everyTool': true } });
  expect(whole.tools).toHaveLength(300);

  const text = async (query: string) => {
    const found = await client.callTool({ name: 'search_tools', arguments: { query } });
    return (found.content as { text: string }[])[0]?.text ?? '';
  };
  expect(await text('who changed the contract?')).toMatch(
    /^### contract_history\nShows who changed a contract, and when\nRead-only\.\n/,
  );
  expect(await text('remove invoices for good')).toMatch(/^### invoice_delete\n/);
  const read = { name: 'contract_get', arguments: { id: '7' } };
  expect(await answerOf(client, 'read_tool', read)).toEqual({ contract: '7' });
  expect(await client.callTool({ name: 'call_tool', arguments: read })).toMatchObject({
    isError: true,
    content: [{ text: '"contract_get" is read-only. Run it with read_tool.' }],
  });
  const args = { id: '7', colleague: 'Ada' };
  expect(await answerOf(client, 'call_tool', { name: 'lead_assign', arguments: args })).toEqual({
    lead: '7',
    colleague: 'Ada',
  });
  expect(
    await client.callTool({ name: 'call_tool', arguments: { name: 'lead_assign' } }),
  ).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('Missing argument "id"') }],
  });
});

it('graphql-tools runs the operations of files', async () => {
  const client = await connect(await run('graphql-tools'));
  const { tools } = await client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.destructiveHint])).toEqual([
    ['CompleteTask', false],
    ['OpenTasks', false],
  ]);
  const ids = ({ tasks }: { tasks: { id: string }[] }) => tasks.map(({ id }) => id);
  const listed = async (args: object) =>
    ids(((await answerOf(client, 'OpenTasks', args)) as { data: never }).data);
  expect(await listed({})).toEqual(['2', '1']);
  expect(await listed({ first: 1 })).toEqual(['2']);
  expect(await answerOf(client, 'CompleteTask', { id: '2' })).toMatchObject({
    data: { completeTask: { title: 'Book a room', done: true } },
  });
  expect(await listed({})).toEqual(['1']);
  expect(await client.callTool({ name: 'CompleteTask', arguments: { id: '9' } })).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'NOT_FOUND' } },
  });
  const costly = await client.callTool({ name: 'OpenTasks', arguments: { first: 1000 } });
  expect(JSON.stringify(costly.content)).toContain('costs 3001');
});

it('graphql-tools serves clients of each revision over stdio', async () => {
  const command = {
    command: process.execPath,
    args: [fileOf('graphql-tools')],
    env: { FLEDGE_MCP_STDIO: '1' },
    stderr: 'pipe' as const,
  };
  const call = { name: 'OpenTasks', arguments: { first: 1 } };
  const text = expect.stringContaining('Book a room');
  const old = new Client({ name: 'examples', version: '1.0.0' });
  await connectStdio(old, new StdioClientTransport(command));
  expect(await old.callTool(call)).toMatchObject({ content: [{ type: 'text', text }] });
  await old.close();

  const modern = new ModernClient(
    { name: 'examples', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await connectStdio(modern, new ModernStdioTransport(command));
  expect(await modern.callTool(call)).toMatchObject({ content: [{ type: 'text', text }] });
  await modern.close();
});

it('zod checks, fills in and describes the body', async () => {
  const url = await run('zod');
  const client = await connect(url);
  const { tools } = await client.listTools();
  expect(tools[0]?.inputSchema).toMatchObject({
    properties: { title: { description: 'What to do', maxLength: 200 } },
    required: ['title'],
  });
  expect(await answerOf(client, 'tasks_create', { title: 'Mine' })).toEqual({
    id: 1,
    title: 'Mine',
    priority: 3,
    labels: [],
  });
  const body = JSON.stringify({ title: '' });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${url}/tasks`, { method: 'POST', headers, body })).status).toBe(400);
});

it('sqlite keeps its rows in a file, and lists them by URL and by tool', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fledge-books-'));
  const BOOKS_FILE = join(folder, 'books.db');
  await run('sqlite', { BOOKS_FILE });
  await stopAll();
  const url = await run('sqlite', { BOOKS_FILE });
  const page = {
    data: [{ id: 2, title: 'On the Origin of Species', year: 1859 }],
    meta: { page: 1, limit: 1, total: 2, totalPages: 2, hasNext: true, hasPrev: false },
  };
  const answer = await fetch(`${url}/books?filter=year:lt:1900&sort=year:desc&limit=1`);
  expect(await answer.json()).toEqual(page);
  const args = { filter: ['year:lt:1900'], sort: ['year:desc'], limit: 1 };
  expect(await answerOf(await connect(url), 'books_list', args)).toEqual(page);
  rmSync(folder, { recursive: true });
});

it('fastify serves the route and the tool', async () => {
  const url = await run('fastify');
  const answer = await fetch(`${url}/convert/100`);
  expect(await answer.json()).toEqual({ value: 212, unit: 'F' });
  const client = await connect(url);
  expect(await answerOf(client, 'to_fahrenheit', { celsius: 100 })).toEqual({
    value: 212,
    unit: 'F',
  });
});

it('stdio serves the client that started it, as its first lines say', async () => {
  const [config] = /\{ "command.*\}/.exec(sourceOf('stdio')) ?? [''];
  const { command, args, env } = JSON.parse(config) as {
    command: string;
    args: string[];
    env: Record<string, string>;
  };
  expect([command, args]).toEqual(['node', ['dist/stdio.js']]);
  const client = new Client({ name: 'desktop', version: '1.0.0' });
  await connectStdio(
    client,
    new StdioClientTransport({
      command: process.execPath,
      args: [fileOf('stdio')],
      env,
      stderr: 'pipe',
    }),
  );
  expect(await answerOf(client, 'notes_search', { text: 'bread' })).toEqual([
    'Buy bread',
    'Bake bread',
  ]);
  await client.close();
});

it('two-processes: one asks the user, the other takes the answer', async () => {
  const env = { STATE_SECRET: 'a secret that both processes were given' };
  const urls = await Promise.all([run('two-processes', env), run('two-processes', env)]);
  const posts: string[] = [];
  let turn = 0;
  const client = new ModernClient(
    { name: 'examples', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { sure: true },
  }));
  // A load balancer without affinity: each request goes to the next process.
  const fetchInTurn = (_url: string | URL, init?: RequestInit) => {
    const url = `${urls[turn++ % 2]}/_mcp/messages`;
    if (typeof init?.body === 'string' && init.body.includes('tools/call')) posts.push(url);
    return fetch(url, init);
  };
  await client.connect(
    new ModernTransport(new URL(`${urls[0]}/_mcp/messages`), { fetch: fetchInTurn }),
  );
  const { content } = await client.callTool({
    name: 'projects_delete',
    arguments: { name: 'apollo' },
  });
  expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toMatchObject({
    deleted: 'apollo',
  });
  expect(new Set(posts).size).toBe(2);
  await client.close();
});
