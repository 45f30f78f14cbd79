import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { startTasks, type TasksProcess } from './tasks-process.js';

interface Session {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

interface Outcome {
  readonly isError: unknown;
  readonly text: string;
}

async function connect(url: string, headers: Record<string, string>): Promise<Session> {
  const client = new Client({ name: 'tasks-e2e', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return { client, transport };
}

async function disconnect({ client, transport }: Session): Promise<void> {
  await transport.terminateSession();
  await client.close();
}

async function call(session: Session, name: string, args: object): Promise<Outcome> {
  const result = await session.client.callTool({ name, arguments: { ...args } });
  const content = result.content as { type: string; text: string }[];
  expect(content).toEqual([{ type: 'text', text: expect.any(String) }]);
  return { isError: result.isError, text: content[0]?.text ?? '' };
}

async function answerOf(session: Session, name: string, args: object) {
  const { isError, text } = await call(session, name, args);
  expect({ isError, text }).toEqual({ isError: false, text: expect.any(String) });
  return JSON.parse(text) as Record<string, unknown>;
}

async function faultOf(session: Session, name: string, args: object) {
  const { isError, text } = await call(session, name, args);
  expect({ isError, text }).toEqual({ isError: true, text: expect.any(String) });
  return text;
}

describe.each(['express', 'fastify'])('the task API over MCP on %s', (platform) => {
  let running: TasksProcess;
  let url: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    running = await startTasks({ TASKS_PLATFORM: platform });
    // As a user does: the test takes the configuration that the application printed.
    const { mcpServers } = JSON.parse(running.output.slice(running.output.indexOf('\n{\n')));
    ({ url, headers } = mcpServers['task-api']);
  });

  afterAll(async () => {
    const { code, signal, errors } = await running.stop();
    expect(errors).toBe('');
    expect([0, 'SIGTERM']).toContain(code ?? signal);
  });

  describe('with a token', () => {
    let session: Session;
    beforeAll(async () => {
      session = await connect(url, headers);
    });
    afterAll(() => disconnect(session));

    it('sends its name and version', () => {
      expect(session.client.getServerVersion()).toMatchObject({
        name: 'task-api',
        version: '0.1.0',
      });
    });

    it('lists the routes of tasks as tools, and no other route', async () => {
      const { tools } = await session.client.listTools();
      expect(tools.map(({ name }) => name).toSorted()).toEqual([
        'add_working_days',
        'tasks_complete',
        'tasks_create',
        'tasks_delete',
        'tasks_get',
        'tasks_list',
        'tasks_summary',
        'tasks_update',
      ]);
      const schemas = Object.fromEntries(tools.map((tool) => [tool.name, tool.inputSchema]));
      const parameters = Object.values(schemas).flatMap(({ properties = {} }) =>
        Object.values(properties),
      );
      expect(parameters.filter((parameter) => !('description' in parameter))).toEqual([]);
      expect(Object.keys(schemas['tasks_list']?.properties ?? {})).toEqual([
        'filter',
        'sort',
        'fields',
        'page',
        'limit',
        'q',
      ]);
      expect(JSON.stringify(schemas['tasks_list'])).toContain('dueDate');
      expect(schemas['tasks_create']).toMatchObject({
        required: ['title'],
        additionalProperties: false,
      });
      expect(Object.keys(schemas['tasks_update']?.properties ?? {}).toSorted()).toEqual([
        'assignee',
        'dryRun',
        'dueDate',
        'id',
        'priority',
        'status',
        'title',
      ]);
      expect(schemas['tasks_update']?.required).toEqual(['id']);
    });

    it('returns the members of tasks that fields asks for', async () => {
      const query = { filter: ['status:eq:open'], limit: 3 };
      const whole = await answerOf(session, 'tasks_list', query);
      const short = await answerOf(session, 'tasks_list', {
        ...query,
        fields: ['title', 'assignee'],
      });
      const members = (whole['data'] as Record<string, unknown>[]).map(
        ({ id, title, assignee }) => ({
          id,
          title,
          assignee,
        }),
      );
      expect(short).toEqual({ data: members, meta: whole['meta'] });
      expect(await answerOf(session, 'tasks_list', { ...query, fields: [] })).toEqual(whole);
      expect(await faultOf(session, 'tasks_list', { fields: ['tenantId'] })).toContain('fields/0');
    });

    it('creates, changes, completes and deletes a task', async () => {
      const task = {
        title: 'Translate the invoices',
        priority: 'urgent',
        dueDate: '2031-05-01',
        assignee: 'alan@example.com',
        idempotencyKey: randomUUID(),
      };
      const created = await answerOf(session, 'tasks_create', task);
      // The client did not get the answer, and calls again.
      expect(await answerOf(session, 'tasks_create', task)).toEqual(created);
      expect(created).toMatchObject({ status: 'open', createdBy: 'ada', assignee: { id: 'alan' } });
      const { id } = created;

      const filter = ['priority:eq:urgent', 'assignee:eq:alan'];
      expect(await answerOf(session, 'tasks_list', { q: 'translate', filter, limit: 5 })).toEqual({
        data: [created],
        meta: { page: 1, limit: 5, total: 1, totalPages: 1, hasNext: false, hasPrev: false },
      });

      const changes = { id, status: 'in_progress', dueDate: null, assignee: null };
      const tried = await session.client.callTool({
        name: 'tasks_update',
        arguments: { ...changes, dryRun: true },
      });
      expect(tried.content).toMatchObject([
        { text: expect.stringContaining('"status":"in_progress"') },
        { text: expect.stringMatching(/^Dry run: .* Nothing was saved/) },
      ]);
      expect(await answerOf(session, 'tasks_get', { id })).toEqual(created);
      expect(await answerOf(session, 'tasks_update', changes)).toMatchObject({
        title: 'Translate the invoices',
        status: 'in_progress',
        dueDate: null,
        assignee: null,
      });

      const done = await answerOf(session, 'tasks_complete', { id });
      expect(done).toMatchObject({ id, status: 'done', completedAt: expect.any(String) });
      expect(await answerOf(session, 'tasks_get', { id })).toEqual(done);

      // This client cannot ask its user, so only a second call with a token deletes.
      const asked = await faultOf(session, 'tasks_delete', { id });
      expect(asked).toMatch(/^Nothing was done: "tasks_delete" requires confirmation/);
      const [, confirmation] = /"confirmation": "(\S+)"/.exec(asked) ?? [];
      expect(await answerOf(session, 'tasks_get', { id })).toEqual(done);
      expect(await call(session, 'tasks_delete', { id, confirmation })).toEqual({
        isError: false,
        text: '(204 No Content)',
      });
      expect(JSON.parse(await faultOf(session, 'tasks_get', { id }))).toEqual({
        statusCode: 404,
        error: 'Not Found',
        message: `There is no task ${String(id)}`,
        path: `/tasks/${String(id)}`,
      });
    });

    it('counts working days with a tool that is no route', async () => {
      const args = { from: '2026-11-27', days: 6 };
      expect(await call(session, 'add_working_days', args)).toEqual({
        isError: false,
        text: '2026-12-07',
      });
    });

    it.each([
      ['tasks_create', {}, 'title'],
      ['tasks_create', { title: 'Pay', assignee: 'eve' }, 'assignee'],
      ['tasks_create', { title: 'Pay', createdBy: 'grace' }, 'createdBy'],
      ['tasks_create', { title: 'Pay', dueDate: '2027-02-30' }, 'dueDate'],
      ['tasks_update', { id: 1, status: null }, 'status'],
      ['tasks_list', { filter: ['secret:eq:1'] }, 'filter/0'],
      ['tasks_list', { filter: ['status:eq:closed'] }, 'status'],
      ['tasks_get', { id: '../health' }, 'id'],
    ])('%s refuses %j, naming the argument', async (name, args, argument) => {
      expect(await faultOf(session, name, args)).toContain(argument);
    });
  });

  it.each([
    ['without a token', undefined],
    ['with an unknown token', 'Bearer demo-token-eve'],
  ])('answers calls %s as the route does: 401', async (_, authorization) => {
    const session = await connect(url, authorization ? { authorization } : {});
    const { tools } = await session.client.listTools();
    expect(tools).toHaveLength(8);
    expect(JSON.parse(await faultOf(session, 'tasks_list', {}))).toMatchObject({
      statusCode: 401,
      error: 'Unauthorized',
      path: '/tasks',
    });
    await disconnect(session);
  });

  it('confirms with the user before it deletes, and serves the resource and the prompt', async () => {
    const client = new ModernClient(
      { name: 'tasks-e2e', version: '1.0.0' },
      {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      },
    );
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return asked.length > 1
        ? { action: 'accept' as const, content: {} }
        : { action: 'decline' as const };
    });
    await client.connect(new ModernTransport(new URL(url), { requestInit: { headers } }));
    const create = {
      name: 'tasks_create',
      arguments: { title: 'Water the plants', assignee: 'ada' },
    };
    const created = (await client.callTool(create)).content as { text: string }[];
    const { id } = JSON.parse(created[0]?.text ?? '') as { id: number };

    const uri = `tasks://${id}`;
    expect((await client.readResource({ uri })).contents).toEqual([
      { uri, mimeType: 'application/json', text: created[0]?.text },
    ]);
    const { messages } = await client.getPrompt({ name: 'standup' });
    expect(JSON.stringify(messages)).toContain(`#${id} Water the plants (no date)`);

    const remove = { name: 'tasks_delete', arguments: { id } };
    expect(await client.callTool(remove)).toMatchObject({ isError: true });
    expect(await client.callTool(remove)).toMatchObject({ isError: false });
    expect(asked).toEqual(Array(2).fill(`Delete task ${id} for good?`));
    await expect(client.readResource({ uri })).rejects.toThrow('Resource not found');
    await client.close();
  });

  it('serves many sessions, also after clients that left without closing theirs', async () => {
    const first = await connect(url, headers);
    const second = await connect(url, headers);
    await second.client.close();
    const third = await connect(url, headers);
    expect(await third.client.ping()).toEqual({});
    await disconnect(first);
    await disconnect(third);
  });

  it('shows the explorer of GraphQL to a browser, without a token', async () => {
    const { origin } = new URL(url);
    const page = await fetch(`${origin}/graphql`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await page.text()).toContain('data-socket="./graphql"');
    const script = await fetch(`${origin}/graphql/explorer.js`);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });
});
