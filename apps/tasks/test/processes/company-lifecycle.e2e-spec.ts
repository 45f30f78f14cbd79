// Companies are created, suspended and removed while others work: by route, by tool and by the command.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerSql } from '@fledge/tenant/lifecycle';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type INestApplication, Logger } from '@nestjs/common';
import { fledge, TASKS } from '../../../../libs/cli/test/support/fledge.js';
import { createApp } from '../../src/create-app.js';

const OPERATOR = 'demo-token-operator';
const ADA = 'demo-token-ada';

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function serve(platform: 'express' | 'fastify', dataFolder: string) {
  process.env['TASKS_DATA'] = dataFolder;
  const app = await createApp(platform);
  const server = (await app.listen(0)) as Server;
  return { app, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function send(
  origin: string,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<Reply> {
  const answer = await fetch(origin + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Reply['body']) };
}

async function titlesOf(origin: string, token: string): Promise<string[]> {
  const { status, body } = await send(origin, token, 'GET', '/tasks?limit=100');
  expect(status).toBe(200);
  return (body['data'] as { title: string }[]).map(({ title }) => title);
}

beforeAll(() => Logger.overrideLogger(false));

describe.each(['express', 'fastify'] as const)('companies on %s', (platform) => {
  let app: INestApplication;
  let origin: string;
  const operate = (method: string, path: string, body?: object) =>
    send(origin, OPERATOR, method, `/companies${path}`, body);

  /** Creates a company, and returns a token of its first user. */
  async function create(id: string): Promise<string> {
    expect((await operate('POST', '', { id, name: id })).status).toBe(201);
    const { body } = await operate('POST', `/${id}/users/admin/tokens`);
    return String(body['token']);
  }

  async function connect(path: string, token: string): Promise<Client> {
    const client = new Client(
      { name: 'operators', version: '1.0.0' },
      {
        capabilities: { elicitation: {} },
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      },
    );
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept' as const,
      content: { confirm: true },
    }));
    const headers = { authorization: `Bearer ${token}` };
    const url = new URL(origin + path);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return client;
  }

  beforeAll(async () => {
    ({ app, origin } = await serve(platform, 'memory://'));
  });
  afterAll(() => app.close());

  it('are served as soon as they are created, with rows of their own', async () => {
    const before = await titlesOf(origin, ADA);
    const token = await create('initech');
    expect(await titlesOf(origin, token)).toEqual([]);
    expect((await send(origin, token, 'POST', '/tasks', { title: 'TPS report' })).status).toBe(201);
    expect(await titlesOf(origin, token)).toEqual(['TPS report']);
    expect(await titlesOf(origin, ADA)).toEqual(before);
  });

  it('are not served while they are suspended, and keep their rows', async () => {
    const token = await create('hooli');
    await send(origin, token, 'POST', '/tasks', { title: 'Middle out' });
    expect(await operate('POST', '/hooli/suspend')).toMatchObject({
      status: 200,
      body: { status: 'suspended' },
    });
    expect((await send(origin, token, 'GET', '/tasks')).status).toBe(403);
    expect((await operate('POST', '/hooli/users/admin/tokens')).status).toBe(403);
    expect((await send(origin, ADA, 'GET', '/tasks')).status).toBe(200);
    expect((await operate('POST', '/hooli/activate')).body['status']).toBe('active');
    expect(await titlesOf(origin, token)).toEqual(['Middle out']);
  });

  it('leave nothing to a later company of the same name', async () => {
    const before = await titlesOf(origin, ADA);
    const token = await create('pied-piper');
    await send(origin, token, 'POST', '/tasks', { title: 'Secret' });
    expect((await operate('DELETE', '/pied-piper')).status).toBe(204);
    expect((await send(origin, token, 'GET', '/tasks')).status).toBe(401);
    const next = await create('pied-piper');
    expect(await titlesOf(origin, next)).toEqual([]);
    expect((await send(origin, token, 'GET', '/tasks')).status).toBe(401);
    expect(await titlesOf(origin, ADA)).toEqual(before);
  });

  it('are created once, whoever asks at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => operate('POST', '', { id: 'umbrella', name: 'Umbrella' })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    // Taken, or being created right now.
    for (const status of statuses.filter((other) => other !== 201))
      expect([409, 503]).toContain(status);
  });

  it.each([
    ['POST', '', { id: 'Initech Inc.', name: 'x' }, 400],
    ['POST', '', { id: 'x', name: '\u0000' }, 400],
    ['POST', '', { id: 'y', name: 'Y', status: 'active' }, 400],
    ['POST', '', { id: 'acme', name: 'Another' }, 409],
    ['POST', '/nope/suspend', undefined, 404],
    ['POST', '/%00/suspend', undefined, 404],
    ['DELETE', '/nope', undefined, 404],
    ['POST', '/acme/users/%00/tokens', undefined, 400],
    ['POST', '/acme/users/nobody/tokens', undefined, 404],
    // A user of another company.
    ['POST', '/acme/users/hedy/tokens', undefined, 404],
  ] as const)('%s /companies%s %j is %i', async (method, path, body, status) => {
    expect((await operate(method, path, body)).status).toBe(status);
  });

  it('are the business of operators, and tasks are not', async () => {
    const routes = ['GET /companies', 'POST /companies', 'DELETE /companies/acme'];
    for (const [method, path] of routes.map((route) => route.split(' ') as [string, string])) {
      expect((await send(origin, ADA, method, path)).status).toBe(403);
      expect((await fetch(origin + path, { method })).status).toBe(401);
    }
    expect((await send(origin, OPERATOR, 'GET', '/tasks')).status).toBe(401);
  });

  it('have tools at an endpoint of their own, which asks before it removes one', async () => {
    const operator = await connect('/_mcp/operators', OPERATOR);
    const call = (name: string, args: Record<string, string>) => confirmed(operator, name, args);
    const { tools } = await operator.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([
      'companies_activate',
      'companies_create',
      'companies_list',
      'companies_remove',
      'companies_suspend',
    ]);
    const created = await call('companies_create', { id: 'wonka', name: 'Wonka' });
    expect(JSON.parse(created.text)).toEqual({ id: 'wonka', name: 'Wonka', status: 'active' });
    const token = String((await operate('POST', '/wonka/users/admin/tokens')).body['token']);
    expect(await titlesOf(origin, token)).toEqual([]);
    expect((await call('companies_suspend', { id: 'wonka' })).text).toContain('suspended');
    expect((await call('companies_remove', { id: 'wonka' })).isError).toBe(false);
    expect((await call('companies_list', {})).text).not.toContain('wonka');
    expect((await call('companies_remove', { id: 'wonka' })).isError).toBe(true);
    await operator.close();
  });

  it('have no tools for those who work in one', async () => {
    const ada = await connect('/_mcp/messages', ADA);
    const { tools } = await ada.listTools();
    expect(tools.map(({ name }) => name).filter((name) => name.startsWith('companies'))).toEqual(
      [],
    );
    await ada.close();
    const stranger = await connect('/_mcp/operators', ADA);
    expect(await confirmed(stranger, 'companies_remove', { id: 'globex' })).toEqual({
      isError: true,
      text: expect.stringContaining('does not belong to an operator'),
    });
    await stranger.close();
  });
});

/** Calls a tool, and once more with the token if it requires confirmation: these clients cannot ask anybody. */
async function confirmed(
  client: Client,
  name: string,
  args: Record<string, string>,
): Promise<{ readonly isError: unknown; readonly text: string }> {
  const { isError, content } = await client.callTool({ name, arguments: args });
  const text = (content as { text: string }[]).map((block) => block.text).join();
  const [, confirmation] = /"confirmation": "(\S+)"/.exec(text) ?? [];
  return confirmation === undefined
    ? { isError, text }
    : confirmed(client, name, { ...args, confirmation });
}

it('are created by the command in a stopped application, and served by the started one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fledge-companies-'));
  const env = { TASKS_DATA: join(folder, 'data') };
  const tenant = (...args: string[]) => fledge(['tenant', ...args], { cwd: TASKS, env });
  try {
    expect(await tenant('create', 'initech', '--data', '{"name":"Initech"}')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^initech\tseed\tdone\t/),
    });
    const { app, origin } = await serve('express', env.TASKS_DATA);
    const { body } = await send(origin, OPERATOR, 'POST', '/companies/initech/users/admin/tokens');
    expect(await titlesOf(origin, String(body['token']))).toEqual([]);
    await app.close();
    expect(await tenant('remove', 'initech', '--yes')).toMatchObject({ code: 0 });
    const later = await serve('fastify', env.TASKS_DATA);
    const { body: companies } = await send(later.origin, OPERATOR, 'GET', '/companies');
    expect(JSON.stringify(companies)).toContain('acme');
    expect(JSON.stringify(companies)).not.toContain('initech');
    await later.app.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('the migration contains the SQL that ledgerSql() writes', async () => {
  const file = new URL('../../migrations/0004_company_lifecycle.sql', import.meta.url);
  const migration = (await readFile(file, 'utf8')).replaceAll('--> statement-breakpoint\n', '');
  expect(migration).toContain(ledgerSql({ grantTo: 'tasks_app' }));
});
