import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { Logger, type INestApplication } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expectNoTenantLeak } from '@fledge/tenant/testing';
import { rlsSql } from '@fledge/tenant/rls';
import { until } from '../../../test/support/until.js';
import { createApp } from '../src/create-app.js';
import { Database } from '../src/database/database.js';
import { DEMO_COMPANIES } from '../src/database/demo-data.js';
import { tasks } from '../src/database/schema.js';

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const userOf = { acme: 'ada', globex: 'hedy' } as const;
type Company = keyof typeof userOf;
const tokenOf = (company: Company) => `Bearer demo-token-${userOf[company]}`;

describe.each(['express', 'fastify'] as const)('two companies on %s', (platform) => {
  let app: INestApplication;
  let origin: string;
  let clients: Record<Company, Client>;
  let theirs: number;
  const warnings: string[] = [];

  beforeAll(async () => {
    process.env['TASKS_DATA'] = 'memory://';
    const warn = (text: string) => void warnings.push(text);
    Logger.overrideLogger({ log: () => undefined, error: warn, warn });
    app = await createApp(platform);
    const server = await app.listen(0);
    Logger.overrideLogger(false);
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    clients = { acme: await connect('acme'), globex: await connect('globex') };
    const { data } = (await send('globex', 'GET', '/tasks')).body as { data: { id: number }[] };
    theirs = data[0]!.id;
  });
  afterAll(async () => {
    await Promise.all(Object.values(clients).map((client) => client.close()));
    await app.close();
  });

  async function connect(company: Company): Promise<Client> {
    const client = new Client(
      { name: 'companies-e2e', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const headers = { authorization: tokenOf(company) };
    const url = new URL(`${origin}/_mcp/messages`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return client;
  }

  async function send(
    company: Company,
    method: string,
    path: string,
    body?: object,
    more: Record<string, string> = {},
  ): Promise<Reply> {
    const response = await fetch(origin + path, {
      method,
      headers: {
        authorization: tokenOf(company),
        ...(body && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: (text === '' ? {} : JSON.parse(text)) as Reply['body'],
    };
  }

  async function tool(company: Company, name: string, args: object): Promise<Reply> {
    const { content } = await clients[company].callTool({ name, arguments: { ...args } });
    const text = (content[0] as { text: string }).text;
    const [, confirmation] = /"confirmation": "(\S+)"/.exec(text) ?? [];
    if (confirmation !== undefined) return tool(company, name, { ...args, confirmation });
    const body = text.startsWith('{') ? (JSON.parse(text) as Reply['body']) : { text };
    return { status: Number(body['statusCode'] ?? 200), body };
  }

  it('start without a warning of the demo about itself', () => {
    // In a clone that was never built, the page of the panel is missing.
    const isMissingPage = (text: string) => text.startsWith('The page of @fledge/panel is missing');
    expect(warnings.filter((text) => !isMissingPage(text))).toEqual([]);
  });

  it('see their own tasks, each in full', async () => {
    for (const company of DEMO_COMPANIES) {
      const { body } = await send(company.id as Company, 'GET', '/tasks?limit=100');
      const titles = (body['data'] as { title: string }[]).map(({ title }) => title);
      expect(titles.toSorted()).toEqual(company.tasks.map(([title]) => title).toSorted());
    }
  });

  it('count their open tasks of this month for each assignee in one tool call', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const filter = ['status:eq:open', `createdAt:gte:${month}-01`];
    for (const company of Object.keys(userOf) as Company[]) {
      const { body } = await tool(company, 'tasks_summary', { filter, group: ['assignee.name'] });
      const list = await tool(company, 'tasks_list', { filter, limit: 100 });
      const counts = new Map<string | null, number>();
      for (const { assignee } of list.body['data'] as { assignee: { name: string } | null }[]) {
        const name = assignee?.name ?? null;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      const { groups } = body['aggregates'] as {
        groups: { group: { 'assignee.name': string | null }; count: number }[];
      };
      expect(counts.size).toBeGreaterThan(0);
      expect(groups.map(({ group, count }) => [group['assignee.name'], count])).toEqual(
        expect.arrayContaining([...counts]),
      );
      expect(body['aggregates']).toHaveProperty('total', counts.size);
    }
    const { body } = await send('acme', 'GET', '/tasks/summary?facets=status,nope');
    expect(body).toMatchObject({ statusCode: 400, message: expect.stringContaining('nope') });
  });

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['POST', '/complete'],
    ['DELETE', ''],
  ])('%s /tasks/:id%s of another’s is 404 and changes nothing', async (method, below) => {
    const before = await send('globex', 'GET', `/tasks/${theirs}`);
    expect(before.status).toBe(200);
    const body = method === 'PATCH' ? { title: 'Taken over' } : undefined;
    const answer = await send('acme', method, `/tasks/${theirs}${below}`, body);
    expect(answer).toMatchObject({
      status: 404,
      body: { message: `There is no task ${theirs}` },
    });
    expect(await send('globex', 'GET', `/tasks/${theirs}`)).toEqual(before);
  });

  it.each([
    ['tasks_get', {}],
    ['tasks_update', { title: 'Taken over' }],
    ['tasks_complete', {}],
    ['tasks_delete', {}],
  ])('the tool %s with another’s id is 404, too', async (name, args) => {
    const before = await tool('globex', 'tasks_get', { id: theirs });
    expect((await tool('acme', name, { id: theirs, ...args })).status).toBe(404);
    expect(await tool('globex', 'tasks_get', { id: theirs })).toEqual(before);
  });

  it('refuse a token of the other company, by route and by tool', async () => {
    const globex = { 'x-tenant-id': 'globex' };
    expect(await send('acme', 'GET', '/tasks', undefined, globex)).toMatchObject({
      status: 403,
      body: { message: 'You do not belong to this tenant' },
    });
    expect((await send('globex', 'GET', '/tasks', undefined, globex)).status).toBe(200);
    expect((await send('acme', 'GET', '/tasks', undefined, { 'x-tenant-id': 'nope' })).status).toBe(
      404,
    );

    const headers = { authorization: tokenOf('acme'), ...globex };
    const client = new Client({ name: 'companies-e2e', version: '1.0.0' });
    const url = new URL(`${origin}/_mcp/messages`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    const { isError, content } = await client.callTool({ name: 'tasks_list', arguments: {} });
    expect({ isError, content: JSON.stringify(content) }).toEqual({
      isError: true,
      content: expect.stringContaining('You do not belong to this tenant'),
    });
    await client.close();
  });

  it('assign to their own users only', async () => {
    const mine = await send('acme', 'POST', '/tasks', { title: 'Mine', assignee: 'ada' });
    expect(mine).toMatchObject({ status: 201, body: { assignee: { id: 'ada' } } });
    for (const assignee of ['hedy', 'hedy@globex.example']) {
      const answer = await send('acme', 'POST', '/tasks', { title: 'Theirs', assignee });
      expect(answer.status).toBe(400);
    }
  });

  it('are separated by the database, also in a query without a tenant', async () => {
    const { central } = app.get(Database);
    expect(await central.$count(tasks)).toBe(0);
    const insert = central
      .insert(tasks)
      .values({ tenantId: 'globex', title: 'x', createdBy: 'hedy' });
    await expect(insert).rejects.toMatchObject({ cause: { code: '42501' } });
  });

  it('get their own rows in 100 requests and 30 tool calls at once', async () => {
    const owner = (body: Reply['body']) => {
      const makers = (body['data'] as { createdBy: string }[]).map(({ createdBy }) => createdBy);
      return [...new Set(makers)].join('+');
    };
    const calls = Array.from({ length: 30 }, async (_, i) => {
      const company = i % 2 === 0 ? 'acme' : 'globex';
      const { body } = await tool(company, 'tasks_list', { limit: 100 });
      return [userOf[company], owner(body)];
    });
    const leak = expectNoTenantLeak(app, {
      tenants: ['acme', 'globex'],
      requests: 100,
      paths: ['/tasks?limit=100', '/tasks?sort=title:desc'],
      headersFor: (company): Record<string, string> =>
        company === null ? {} : { authorization: tokenOf(company as Company) },
      tenantOf: ({ status, body }) => {
        if (status !== 200) return undefined;
        const name = owner(JSON.parse(body) as Reply['body']);
        return Object.entries(userOf).find(([, user]) => user === name)?.[0] ?? name;
      },
    });
    for (const [wanted, got] of await Promise.all(calls)) expect(got).toBe(wanted);
    expect(await leak).toBe(100);
  });

  it('see what agents did for them, and nothing of others or of strangers', async () => {
    const mark = `audit-${platform}`;
    await tool('acme', 'tasks_create', { title: mark });
    await tool('acme', 'tasks_get', { id: 0 });
    await tool('globex', 'tasks_create', { title: 'theirs' });
    const headers = { authorization: 'Bearer wrong', 'x-tenant-id': 'acme' };
    const stranger = new Client({ name: 'stranger', version: '1.0.0' });
    const url = new URL(`${origin}/_mcp/messages`);
    await stranger.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    expect((await stranger.callTool({ name: 'tasks_list' })).isError).toBe(true);
    await stranger.close();

    const trail = async (company: Company) =>
      (await send(company, 'GET', '/agent-calls?limit=100')).body['data'] as Record<
        string,
        unknown
      >[];
    await until(async () => (await trail('acme')).some(({ status }) => status === 404));
    const rows = await trail('acme');
    const created = rows.find(({ arguments: args }) => (args as { title?: string }).title === mark);
    expect(created).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      user: 'ada',
      tool: 'tasks_create',
      client: 'companies-e2e 1.0.0',
      arguments: { title: mark },
      outcome: 'ok',
      status: 201,
      error: null,
      durationMs: expect.any(Number),
    });
    expect(rows.map(({ client }) => client)).not.toContain('stranger 1.0.0');
    expect(JSON.stringify(rows)).not.toContain('theirs');
    expect(JSON.stringify(await trail('globex'))).not.toContain(mark);
    const users = async (company: Company) =>
      new Set((await trail(company)).map(({ user }) => user));
    expect(await users('acme')).toEqual(new Set(['ada']));
    expect(await users('globex')).toEqual(new Set(['hedy']));
  });

  it('page through their calls by cursors of their own', async () => {
    await tool('acme', 'tasks_get', { id: 0 });
    await tool('acme', 'tasks_get', { id: 0 });
    await until(async () => (await calls('acme', '?limit=2')).meta.hasNext);
    const all = await calls('acme', '?limit=100');
    expect(all.meta).toMatchObject({ hasNext: false, nextCursor: null });
    const walked: unknown[] = [];
    let after = '';
    do {
      const { data, meta } = await calls('acme', `?limit=2&after=${after}`);
      walked.push(...data);
      after = meta.nextCursor ?? '';
      if (after === '') break;
      const theirs = await send('globex', 'GET', `/agent-calls?limit=2&after=${after}`);
      expect([theirs.status, JSON.stringify(theirs.body)]).toEqual([
        400,
        expect.stringContaining('cursor'),
      ]);
    } while (walked.length < 500);
    expect(walked).toEqual(all.data);
    expect((await send('acme', 'GET', '/agent-calls?page=2')).status).toBe(400);
  });

  interface Calls {
    readonly data: readonly object[];
    readonly meta: { readonly hasNext: boolean; readonly nextCursor: string | null };
  }
  async function calls(company: Company, query: string): Promise<Calls> {
    return (await send(company, 'GET', `/agent-calls${query}`)).body as unknown as Calls;
  }

  it('answer 401 without a token, also with the name of a company', async () => {
    const { status } = await fetch(`${origin}/tasks`, { headers: { 'x-tenant-id': 'acme' } });
    expect(status).toBe(401);
    expect((await fetch(`${origin}/health`)).status).toBe(200);
  });
});

it.each([
  ['0001_companies', ['users', 'tasks'], { setConfig: 'revoked' }],
  ['0002_agent_calls', ['agent_calls'], {}],
] as const)('the migration %s contains the SQL that rlsSql() writes', (file, tables, more) => {
  const migration = readFileSync(new URL(`../migrations/${file}.sql`, import.meta.url), 'utf8');
  const statements = migration.replaceAll('--> statement-breakpoint\n', '');
  const options = { columnDefault: 'tenant', grantTo: 'tasks_app', ...more } as const;
  expect(statements).toContain(rlsSql(tables, options));
});
