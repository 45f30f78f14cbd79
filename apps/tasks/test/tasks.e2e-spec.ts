import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Get, Logger, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkServer } from '@fledge/mcp/check';
import { brokenClientRules } from '../../../test/support/client-rules.js';
import { connectClient } from '../../../test/support/connect-client.js';
import { AppModule } from '../src/app.module.js';
import { createApp } from '../src/create-app.js';
import { Database } from '../src/database/database.js';
import { DataFolderInUseError } from '../src/database/folder-lock.js';
import { TokensService } from '../src/users/tokens.service.js';

const ADA = { authorization: 'Bearer demo-token-ada' };
const JSON_BODY = { ...ADA, 'content-type': 'application/json' };

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

@Controller('forgotten')
class ForgottenController {
  @Get()
  get() {
    return 'secret';
  }
}

@Module({ imports: [AppModule], controllers: [ForgottenController] })
class ForgetfulModule {}

async function start(app: INestApplication) {
  const server = (await app.listen(0)) as Server;
  return { app, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Sends `body` as it is when it is a string, as JSON otherwise. */
async function send(url: string, method: string, body?: unknown, headers = JSON_BODY) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, {
    method,
    headers: text === undefined ? ADA : headers,
    ...(text === undefined ? {} : { body: text }),
  });
  return replyOf(response);
}

async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text();
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  return { status: response.status, body, headers: response.headers };
}

function expectFault(reply: Reply, status: number, error: string, message: unknown): void {
  expect(reply.status).toBe(status);
  expect(reply.body).toEqual({
    statusCode: status,
    error,
    message,
    path: expect.stringMatching(/^\/[^?]*$/),
  });
}

function expectInputFault(reply: Reply, fault: RegExp): void {
  expectFault(reply, 400, 'Bad Request', expect.arrayContaining([expect.stringMatching(fault)]));
}

beforeAll(() => Logger.overrideLogger(false));

describe.each(['express', 'fastify'] as const)('the task API on %s', (platform) => {
  let app: INestApplication;
  let origin: string;
  let tasks: string;

  beforeAll(async () => {
    process.env['TASKS_DATA'] = 'memory://';
    const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter();
    const options = { forceCloseConnections: true };
    ({ app, origin } = await start(await NestFactory.create(ForgetfulModule, adapter, options)));
    tasks = `${origin}/tasks`;
  });
  afterAll(() => app.close());

  const create = async (fields: object = {}) =>
    (await send(tasks, 'POST', { title: 'Water the plants', ...fields })).body;

  describe('authentication', () => {
    it.each([
      ['no header', undefined],
      ['another scheme', 'Basic ZGVtbzpkZW1v'],
      ['a scheme without a token', 'Bearer'],
      ['two tokens', 'Bearer one two'],
    ])('answers 401 and how to send a token to %s', async (_, authorization) => {
      const headers: Record<string, string> = authorization ? { authorization } : {};
      const reply = await replyOf(await fetch(tasks, { headers }));
      expectFault(reply, 401, 'Unauthorized', 'Send an API token: Authorization: Bearer <token>');
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    });

    it.each(['demo-token-eve', "' OR '1'='1", 'demo-token-ada,demo-token-ada'])(
      'answers 401 to the token %s',
      async (token) => {
        const reply = await replyOf(
          await fetch(tasks, { headers: { authorization: `Bearer ${token.replaceAll(' ', '')}` } }),
        );
        expectFault(reply, 401, 'Unauthorized', 'No user has this API token');
      },
    );

    it('accepts the scheme in any case, for each user', async () => {
      const headers = {
        authorization: 'bearer demo-token-grace',
        'content-type': 'application/json',
      };
      const reply = await send(tasks, 'POST', { title: 'Mine' }, headers);
      expect(reply.body).toMatchObject({ createdBy: 'grace', assignee: null });
    });

    it('checks the token before it validates the body', async () => {
      const reply = await fetch(tasks, { method: 'POST' });
      expect(reply.status).toBe(401);
    });

    it('answers 401 for a controller without @LoadUser, also with a token', async () => {
      const reply = await send(`${origin}/forgotten`, 'GET');
      expectFault(reply, 401, 'Unauthorized', 'Send an API token: Authorization: Bearer <token>');
    });

    it('leaves /health open', async () => {
      const reply = await replyOf(await fetch(`${origin}/health`));
      expect(reply).toMatchObject({ status: 200, body: { status: 'ok' } });
    });
  });

  describe('GET /tasks', () => {
    const list = (query: string) => send(`${tasks}?${query}`, 'GET');
    const titlesOf = ({ body }: Reply) => (body['data'] as { title: string }[]).map((t) => t.title);
    const totalOf = ({ body }: Reply) => (body['meta'] as { total: number }).total;

    it('starts with a dozen seeded tasks, by due date', async () => {
      const { status, body } = await send(`${tasks}?limit=100`, 'GET');
      const data = body['data'] as { id: number; dueDate: string | null }[];
      expect(status).toBe(200);
      expect(body['meta']).toEqual({
        page: 1,
        limit: 100,
        total: data.length,
        totalPages: 1,
        hasNext: false,
        hasPrev: false,
      });
      expect(data.length).toBeGreaterThanOrEqual(12);
      const sorted = data.toSorted(
        (a, b) =>
          (a.dueDate ?? '9999-99-99').localeCompare(b.dueDate ?? '9999-99-99') || a.id - b.id,
      );
      expect(data).toEqual(sorted);
    });

    it('returns all properties of a task', async () => {
      const { body } = await list('q=tls CERTIFICATE');
      expect(body['data']).toEqual([
        {
          id: expect.any(Number),
          title: 'Renew the TLS certificate of the shop',
          status: 'open',
          priority: 'urgent',
          dueDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
          assignee: { id: 'grace', name: 'Grace Hopper', email: 'grace@example.com' },
          createdBy: 'ada',
          createdAt: expect.stringMatching(/Z$/),
          updatedAt: expect.stringMatching(/Z$/),
          completedAt: null,
        },
      ]);
    });

    it('combines filters', async () => {
      const filters = ['status:eq:in_progress', 'priority:in:high,urgent', 'assignee:eq:grace'];
      const reply = await list(filters.map((filter) => `filter=${filter}`).join('&'));
      expect(titlesOf(reply)).toEqual(['Find out why the nightly export takes 90 minutes']);
      expect(totalOf(reply)).toBe(1);
    });

    it('returns the members of tasks that fields asks for', async () => {
      const { body: whole } = await list('sort=title:asc&limit=3');
      const { body } = await list('sort=title:asc&limit=3&fields=title,assignee');
      const members = (whole['data'] as Record<string, unknown>[]).map(
        ({ id, title, assignee }) => ({ id, title, assignee }),
      );
      expect(body).toEqual({ data: members, meta: whole['meta'] });
      const { body: keys } = await list('limit=3&fields=');
      expect((keys['data'] as object[]).map((task) => Object.keys(task))).toEqual([
        ['id'],
        ['id'],
        ['id'],
      ]);
    });

    it('sorts the latest first, tasks without a due date last', async () => {
      const { body } = await list('sort=dueDate:desc&limit=100');
      const dates = (body['data'] as { dueDate: string | null }[]).map((t) => t.dueDate ?? '0');
      expect(dates).toEqual(dates.toSorted().reverse());
      expect(dates[0]).not.toBe('0');
    });

    it('pages without overlap or gap', async () => {
      const whole = titlesOf(await list('limit=8'));
      const pages = [await list('limit=4'), await list('limit=4&page=2')].flatMap(titlesOf);
      expect(pages).toEqual(whole);
      expect(titlesOf(await list('page=100000'))).toEqual([]);
    });

    it('treats SQL wildcards as text', async () => {
      await create({ title: 'Raise the 100%_discount \\o/' });
      await create({ title: 'Raise the 1000 discounts' });
      for (const q of ['0%_d', '%', '_', '\\', '\\o', '100%']) {
        const reply = await list(`q=${encodeURIComponent(q)}&filter=status:eq:open`);
        expect(titlesOf(reply)).toEqual(['Raise the 100%_discount \\o/']);
      }
    });

    it.each(["'; drop table tasks; --", "' OR 1=1 --", '$1', '${q}'])(
      'takes %s as text',
      async (q) => {
        expect(totalOf(await list(`q=${encodeURIComponent(q)}`))).toBe(0);
        expect(totalOf(await list(''))).not.toBe(0);
      },
    );

    it.each([
      ['filter=status:eq:closed', /filter "status" eq invalid-value \(expected: one of open, in_/],
      ['filter=dueDate:gte:2026-02-30', /filter "dueDate" gte invalid-value/],
      ['filter=title:eq:x', /filter "title" field-not-allowed/],
      ['filter=status:like:x', /filter "status" like unknown-operator/],
      ['filter=status', /filter malformed/],
      ['filter[a]=b', /filter malformed/],
      ['q=%00', /search invalid-value/],
      ['sort=priority:desc', /sort "priority" field-not-allowed/],
      ['fields=title,tenantId', /fields "tenantId" field-not-allowed/],
      ['limit=0&page=-1', /limit invalid-value.*page invalid-value/],
      ['filter=__proto__:eq:1', /filter "__proto__" field-not-allowed/],
    ])('refuses ?%s', async (query, fault) => {
      const reply = await list(query);
      expectFault(reply, 400, 'Bad Request', expect.stringMatching(fault));
    });
  });

  describe('GET /tasks/:id', () => {
    it('returns the task', async () => {
      const task = await create();
      expect(await send(`${tasks}/${String(task['id'])}`, 'GET')).toMatchObject({
        status: 200,
        body: task,
      });
    });

    it.each(['GET', 'PATCH', 'DELETE', 'POST'])('%s answers 404 to unknown ids', async (method) => {
      for (const id of ['0', '-1', '99999', '2147483648', '99999999999999999999']) {
        const url = `${tasks}/${id}${method === 'POST' ? '/complete' : ''}`;
        const reply = await send(url, method, method === 'PATCH' ? {} : undefined);
        expectFault(reply, 404, 'Not Found', `There is no task ${Number(id)}`);
      }
    });

    it.each(['abc', '1.5', '%00', '1;drop table tasks', 'NaN', '9'.repeat(80)])(
      'answers 400 to the id %s',
      async (id) => {
        const reply = await send(`${tasks}/${id}`, 'GET');
        expectFault(reply, 400, 'Bad Request', expect.any(String));
      },
    );
  });

  describe('POST /tasks', () => {
    it('creates an open task of normal priority from a title', async () => {
      const reply = await send(tasks, 'POST', { title: 'Water the plants' });
      expect(reply.status).toBe(201);
      expect(reply.body).toMatchObject({
        title: 'Water the plants',
        status: 'open',
        priority: 'normal',
        dueDate: null,
        assignee: null,
        createdBy: 'ada',
        completedAt: null,
      });
    });

    it('accepts all fields', async () => {
      const fields = { title: 'Écrire 🖋️', status: 'done', priority: 'low', dueDate: '2028-02-29' };
      const task = await create({ ...fields, assignee: 'Alan@Example.com' });
      expect(task).toMatchObject({ ...fields, assignee: { id: 'alan' } });
      expect(task['completedAt']).toEqual(expect.any(String));
    });

    it('accepts null for unknown values', async () => {
      const unknown = { status: null, priority: null, dueDate: null, assignee: null };
      expect(await create(unknown)).toMatchObject({
        status: 'open',
        priority: 'normal',
        dueDate: null,
        assignee: null,
      });
    });

    it('stores text unchanged', async () => {
      const title = `Robert'); DROP TABLE tasks;-- <script>alert("1")</script> \\ $1 %s`;
      expect(await create({ title })).toMatchObject({ title });
    });

    const title = 'Water the plants';
    it.each([
      [{}, /^title must be a string$/],
      [{ title: '' }, /^title must be longer than or equal to 1/],
      [{ title: '   ' }, /^title must be one line of text, not blank$/],
      [{ title: 'two\nlines' }, /^title must be one line of text, not blank$/],
      [{ title: 7 }, /^title must be a string$/],
      [{ title: ['a'] }, /^title must be a string$/],
      [{ title: null }, /^title must be a string$/],
      [{ title: 'x'.repeat(201) }, /^title must be shorter than or equal to 200/],
      [{ title: 'nul \u0000 byte' }, /^title must be one line of text, not blank$/],
      [{ title, status: 'closed' }, /^status must be one of/],
      [{ title, priority: 1 }, /^priority must be one of/],
      [{ title, dueDate: '2027-02-29' }, /^dueDate must be a date such as/],
      [{ title, dueDate: '0000-01-01' }, /^dueDate must be a date such as/],
      [{ title, dueDate: '2027-01-01T10:00:00Z' }, /^dueDate must be a date such as/],
      [{ title, dueDate: 'tomorrow' }, /^dueDate must be a date such as/],
      [{ title, dueDate: 20270101 }, /^dueDate must be a date such as/],
      [{ title, assignee: 'eve' }, /^assignee must be the id or e-mail address of a user$/],
      [{ title, assignee: 1 }, /^assignee must be a string$/],
      [{ title, assignee: { id: 'ada' } }, /^assignee must be a string$/],
      [{ title, id: 1 }, /^property id should not exist$/],
      [{ title, createdBy: 'grace' }, /^property createdBy should not exist$/],
      [{ title, completedAt: null }, /^property completedAt should not exist$/],
      [[{ title }], /^property 0 should not exist$/],
      [[], /^title must be a string$/],
    ])('refuses %j', async (body, fault) => {
      expectInputFault(await send(tasks, 'POST', body), fault);
    });

    it.each(['{"title": ', 'title', '{"title": "a" "b"}', '"title"', 'null', '7'])(
      'refuses the text %s',
      async (text) => {
        const reply = await send(tasks, 'POST', text);
        expectFault(reply, 400, 'Bad Request', expect.anything());
      },
    );

    it('refuses a request without a body', async () => {
      expectInputFault(await send(tasks, 'POST'), /^title must be a string$/);
    });

    it('does not set the prototype from a body', async () => {
      const reply = await send(tasks, 'POST', '{"title":"a","__proto__":{"status":"done"}}');
      expect([201, 400]).toContain(reply.status);
      expect(reply.body['status']).not.toBe('done');
    });

    it('refuses a long invalid line', async () => {
      const reply = await send(tasks, 'POST', { title: `${'x'.repeat(90_000)}\u0000` });
      expectInputFault(reply, /^title must be one line/);
    });

    it('refuses a body of two megabytes', async () => {
      const reply = await send(tasks, 'POST', { title: 'x'.repeat(2_000_000) });
      expect(reply.status).toBe(413);
      expect(reply.body).toMatchObject({ statusCode: 413, path: '/tasks' });
    });
  });

  describe('PATCH /tasks/:id', () => {
    const patch = (id: unknown, changes: object) =>
      send(`${tasks}/${String(id)}`, 'PATCH', changes);

    it('changes the given properties and keeps the others', async () => {
      const task = await create({ dueDate: '2030-01-01', assignee: 'ada', priority: 'high' });
      const { status, body } = await patch(task['id'], { title: 'Water them' });
      expect(status).toBe(200);
      expect(body).toEqual({ ...task, title: 'Water them', updatedAt: expect.any(String) });
      expect((await patch(task['id'], {})).body).toMatchObject({ title: 'Water them' });
    });

    it('clears due date and assignee by null', async () => {
      const task = await create({ dueDate: '2030-01-01', assignee: 'ada' });
      expect((await patch(task['id'], { dueDate: null })).body).toMatchObject({
        dueDate: null,
        assignee: { id: 'ada' },
      });
      expect((await patch(task['id'], { assignee: null })).body).toMatchObject({ assignee: null });
    });

    it('keeps completedAt in step with the status', async () => {
      const { id } = await create();
      const done = (await patch(id, { status: 'done' })).body;
      expect(done['completedAt']).toEqual(expect.any(String));
      expect((await patch(id, { status: 'done' })).body).toMatchObject({
        completedAt: done['completedAt'],
      });
      expect((await patch(id, { status: 'open' })).body).toMatchObject({ completedAt: null });
    });

    it.each([
      [{ title: null }, /^title must be a string$/],
      [{ title: ' ' }, /^title must be one line of text, not blank$/],
      [{ status: null }, /^status must be one of/],
      [{ priority: null }, /^priority must be one of/],
      [{ dueDate: '' }, /^dueDate must be a date such as/],
      [{ assignee: '' }, /^assignee must be longer/],
      [{ assignee: 'eve@example.com' }, /^assignee must be the id or e-mail address of a user$/],
      [{ assigneeId: 'ada' }, /^property assigneeId should not exist$/],
      [[], /object is expected/],
    ])('refuses %j and changes nothing', async (changes, fault) => {
      const task = await create({ assignee: 'ada' });
      expectInputFault(await patch(task['id'], changes), fault);
      expect((await send(`${tasks}/${String(task['id'])}`, 'GET')).body).toEqual(task);
    });
  });

  describe('POST /tasks/:id/complete', () => {
    it('completes a task once, also when called twice', async () => {
      const { id } = await create({ status: 'in_progress' });
      const complete = () => send(`${tasks}/${String(id)}/complete`, 'POST');
      const first = await complete();
      expect(first.status).toBe(200);
      expect(first.body).toMatchObject({ status: 'done', completedAt: expect.any(String) });
      expect((await complete()).body).toEqual(first.body);
    });
  });

  describe('DELETE /tasks/:id', () => {
    it('answers 204 with nothing, then 404', async () => {
      const { id } = await create();
      const url = `${tasks}/${String(id)}`;
      expect(await send(url, 'DELETE')).toMatchObject({ status: 204, body: {} });
      expect((await send(url, 'GET')).status).toBe(404);
      expect((await send(url, 'DELETE')).status).toBe(404);
    });
  });

  it.each(['messages', 'operators'])('lists tools that every client accepts: %s', async (name) => {
    const client = await connectClient(`${origin}/_mcp/${name}`, ADA);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(2);
    expect(brokenClientRules(tools)).toEqual([]);
    const server = {
      name: client.getServerVersion()?.name ?? '',
      instructions: client.getInstructions(),
      tools,
    };
    const errors = checkServer(server).filter(({ severity }) => severity === 'error');
    expect(errors).toEqual([]);
    await client.close();
  });

  it('answers unknown paths and methods with the same body', async () => {
    expectFault(await send(`${origin}/users?a=b`, 'GET'), 404, 'Not Found', expect.any(String));
    expectFault(await send(tasks, 'PUT', {}), 404, 'Not Found', expect.any(String));
  });

  it('masks internal errors', async () => {
    const tokens = app.get(TokensService, { strict: false });
    const { owner } = tokens;
    tokens.owner = () => Promise.reject(new Error('connection to 10.0.0.7 refused'));
    try {
      const reply = await send(`${tasks}?q=x`, 'GET');
      expectFault(reply, 500, 'Internal Server Error', 'Something went wrong on our side');
    } finally {
      tokens.owner = owner;
    }
  });
});

describe('the data folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tasks-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('keeps tasks between two runs and is seeded once', async () => {
    const data = join(folder, 'made', 'on', 'demand');
    process.env['TASKS_DATA'] = data;
    const first = await start(await createApp('express'));
    const totalAt = async (url: string) =>
      ((await send(url, 'GET')).body['meta'] as { total: number }).total;
    const seeded = await totalAt(`${first.origin}/tasks`);
    expect(seeded).toBe(12);
    const kept = (await send(`${first.origin}/tasks`, 'POST', { title: 'Keep me' })).body;
    await send(`${first.origin}/tasks/1`, 'DELETE');
    await first.app.close();

    const second = await start(await createApp('express'));
    const url = `${second.origin}/tasks`;
    expect((await send(`${url}/${String(kept['id'])}`, 'GET')).body).toEqual(kept);
    expect((await send(`${url}/1`, 'GET')).status).toBe(404);
    expect(await totalAt(url)).toBe(seeded);
    await second.app.close();
  });

  it('is refused while another process has it open', async () => {
    await writeFile(join(folder, 'lock'), String(process.ppid));
    await expect(Database.open(folder)).rejects.toThrow(DataFolderInUseError);
  });
});
