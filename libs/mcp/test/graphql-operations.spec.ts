// The tools of GraphQL operations: with Apollo in @nestjs/graphql, through real clients. With mounts of
// @fledge/graphql and with tenants: test/graphql-tools.spec.ts.
import { McpTool } from '@fledge/mcp';
import { graphqlOperations } from '@fledge/mcp/graphql';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type LogLevel } from '@nestjs/common';
import { McpAdapter } from '../src/mcp.adapter.js';
import { call, platforms, post } from '../../../test/support/platforms.js';
import { apollo, files, TasksResolver } from './graphql-operations/resolvers.js';
import { type AppSetup, type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { connectEra, eras } from './support/eras.js';

type Options = Parameters<typeof graphqlOperations>[0];

const DateTime = { type: 'string', format: 'date-time' } as const;
let running: RunningApp | undefined;
let logged: [LogLevel, string][] = [];

const logger = Object.fromEntries(
  (['log', 'error', 'warn', 'debug', 'verbose', 'fatal'] as const).map((level) => [
    level,
    (message: unknown) => logged.push([level, String(message)]),
  ]),
) as never;

function warnings(): string[] {
  return logged.filter(([level]) => level === 'warn').map(([, message]) => message);
}

function setup(options: Partial<Options> = {}, { mcp, ...more }: AppSetup = {}): AppSetup {
  const source = graphqlOperations({ files, mutations: 'all', scalars: { DateTime }, ...options });
  return {
    imports: [apollo()],
    providers: [TasksResolver],
    mcp: { toolSources: [source], ...mcp },
    app: { logger },
    ...more,
  };
}

beforeEach(() => {
  logged = [];
  TasksResolver.created.length = 0;
});
afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe.each(platforms)('GraphQL operations as tools, with Apollo on $name', ({ adapter }) => {
  describe.each(eras)('for clients of %s', (era) => {
    it('are listed with description, input schema and hints', async () => {
      running = await startApp(adapter(), setup());
      const client = await connectEra(era, running.endpoint);
      const { tools } = await client.client.listTools();
      const hints = (readOnlyHint: boolean, title: string) => ({
        title,
        readOnlyHint,
        destructiveHint: !readOnlyHint,
        openWorldHint: false,
        ...(readOnlyHint && { idempotentHint: true }),
      });
      expect(
        tools.map(({ name, description, annotations }) => [name, description, annotations]),
      ).toEqual([
        ['CreateTask', 'Creates a task', hints(false, 'Create task')],
        [
          'ListTasks',
          'Lists the tasks of a project,\nthe newest first.',
          hints(true, 'List tasks'),
        ],
        ['FailingTask', 'GraphQL query: broken', hints(true, 'Failing task')],
        ['PartlyBroken', 'The name of the caller', hints(true, 'Partly broken')],
        ['whoami', 'The name of the caller', hints(true, 'Whoami')],
      ]);
      expect(tools[1]?.inputSchema).toEqual({
        type: 'object',
        properties: {
          project: { type: 'string', description: 'Which project' },
          status: {
            type: ['string', 'null'],
            enum: ['OPEN', 'DONE', null],
            description: 'State of a task\nDONE: nothing is left to do',
            default: 'OPEN',
          },
          first: { type: 'integer', description: 'How many', default: 20 },
        },
        required: ['project'],
        additionalProperties: false,
      });
      await client.close();
    });

    it('are requests to the endpoint, with the headers of the caller', async () => {
      running = await startApp(adapter(), setup());
      const headers = { authorization: 'Bearer ann' };
      const client = await connectEra(era, running.endpoint, { headers });
      const data = async (name: string, args?: Record<string, unknown>) => {
        const result = await client.call(name, args);
        expect(result.isError).toBe(false);
        return (JSON.parse(textOf(result)) as { data: unknown }).data;
      };
      expect(await data('whoami')).toEqual({ me: 'Bearer ann' });
      const comments = [0, 1, 2].map((i) => ({ text: `Comment ${i}` }));
      const task = { id: 'p-0', title: 'Task 0', comments };
      expect(await data('ListTasks', { project: 'p', first: 1 })).toEqual({
        tasks: [{ ...task, status: 'OPEN' }],
      });
      expect(await data('ListTasks', { project: 'p', first: 1, status: null })).toEqual({
        tasks: [{ ...task, status: 'DONE' }],
      });
      const input = { title: 'A', due: '2026-11-23T00:00:00Z', subtasks: [{ title: 'B' }] };
      expect(await data('CreateTask', { input })).toEqual({
        createTask: { id: '1', title: 'A', status: 'OPEN' },
      });
      expect(TasksResolver.created).toEqual([
        {
          title: 'A',
          status: 'open',
          due: new Date('2026-11-23'),
          subtasks: [{ title: 'B', status: 'open', subtasks: [] }],
        },
      ]);
      await client.close();
    });

    it('are errors without data, and keep errors beside data', async () => {
      running = await startApp(adapter(), setup());
      const client = await connectEra(era, running.endpoint);
      const failed = await client.call('FailingTask');
      expect(failed).toMatchObject({
        isError: true,
        structuredContent: {
          error: { status: 200, code: 'INTERNAL_SERVER_ERROR', retryable: false },
        },
      });
      expect(JSON.parse(textOf(failed))).toMatchObject({ errors: [{ message: 'It broke' }] });
      const partly = await client.call('PartlyBroken');
      expect(partly.isError).toBe(false);
      expect(JSON.parse(textOf(partly))).toMatchObject({
        errors: [{ message: 'It broke', path: ['broken'] }],
        data: { me: 'nobody', broken: null },
      });
      await client.close();
    });
  });

  it('refuses invalid arguments and costly calls before the request', async () => {
    let requests = 0;
    running = await startApp(
      adapter(),
      setup(
        {},
        {
          main: (app) => {
            app.use('/graphql', (_req: unknown, _res: unknown, next: () => void) => {
              requests++;
              next();
            });
          },
        },
      ),
    );
    const client = await running.connect();
    const faults = [
      await client.call('ListTasks', {}),
      await client.call('ListTasks', { project: 1 }),
      await client.call('ListTasks', { project: 'p', status: 'LOST' }),
      await client.call('ListTasks', { project: 'p', query: '{ me }' }),
      await client.call('CreateTask', { input: { titel: 'A' } }),
      await client.call('ListTasks', { project: 'p', first: 1429 }),
      await client.call('ListTasks', { project: 'p', first: -1429 }),
      await client.call('ListTasks', { project: 'p', first: -1 }),
    ];
    const negative =
      'Invalid arguments for "ListTasks": Arguments that set a size, such as `first` or `limit`, must not be negative.';
    expect(faults.map((result) => [result.isError, textOf(result)])).toEqual([
      [true, expect.stringContaining('"project"')],
      [true, expect.stringContaining('project')],
      [true, expect.stringContaining('status')],
      [true, expect.stringContaining('"query"')],
      [true, expect.stringContaining('"title"')],
      [
        true,
        'Invalid arguments for "ListTasks": The call costs 10004, but the maximum is 10000. Request ' +
          'fewer items.',
      ],
      [true, negative],
      [true, negative],
    ]);
    expect(requests).toBe(0);
    expect((await client.call('ListTasks', { project: 'p', first: 1428 })).isError).toBe(false);
    expect(requests).toBe(1);
    await client.leave();
  });

  it('runs the guards of resolvers', async () => {
    running = await startApp(adapter(), setup());
    const client = await running.connect({ authorization: 'Bearer eve' });
    const result = await client.call('CreateTask', { input: { title: 'A' } });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'FORBIDDEN' } },
    });
    expect(textOf(result)).toContain('Not for Eve');
    expect(TasksResolver.created).toEqual([]);
    await client.leave();
  });

  it('sends no stack trace, though Apollo does', async () => {
    const imports = [apollo({ includeStacktraceInErrorResponses: true })];
    running = await startApp(adapter(), setup({}, { imports }));
    const direct = await call(`${running.url}/graphql`, post({ query: '{ broken }' }));
    expect(JSON.stringify(direct)).toContain('resolvers.ts');
    const client = await running.connect();
    for (const name of ['FailingTask', 'PartlyBroken']) {
      const result = await client.call(name);
      expect(textOf(result)).toContain('It broke');
      expect(JSON.stringify(result)).not.toMatch(/stacktrace|resolvers\.ts/);
    }
    await client.leave();
  });

  it('finds the endpoint below the global prefix', async () => {
    const imports = [apollo({ useGlobalPrefix: true })];
    const main: AppSetup['main'] = (app) => void app.setGlobalPrefix('api');
    running = await startApp(adapter(), setup({ path: '/graphql' }, { imports, main }));
    const client = await running.connect();
    expect(textOf(await client.call('whoami'))).toContain('nobody');
    const [tool] = running.app.get(McpAdapter).getTools();
    expect(tool).toMatchObject({
      name: 'CreateTask',
      httpMethod: 'POST',
      mountPath: '/api/graphql',
    });
    await client.leave();
  });
});

const [{ adapter }] = platforms as [(typeof platforms)[number]];

/** The names of the tools that an application publishes. */
async function published(given: AppSetup): Promise<string[]> {
  running = await startApp(adapter(), given);
  return running.app
    .get(McpAdapter)
    .getTools()
    .map(({ name }) => name);
}

describe('mutations', () => {
  const queries = ['ListTasks', 'FailingTask', 'PartlyBroken', 'whoami'];
  // The default is the absence of the option.
  const withoutDefault = { files, scalars: { DateTime } };

  it('are not published by default, with a warning that names them', async () => {
    const mcp = { toolSources: [graphqlOperations(withoutDefault)] };
    expect(await published(setup({}, { mcp }))).toEqual(queries);
    expect(warnings()).toEqual([
      expect.stringContaining('Mutations are not published: CreateTask. Set'),
    ]);
  });

  it.each<[string, Partial<Options>, string[]]>([
    ['none', { mutations: 'none' }, queries],
    ['explicit, without names', { mutations: 'explicit' }, queries],
    [
      'explicit, with names',
      { mutations: 'explicit', operations: { CreateTask: {} } },
      ['CreateTask', ...queries],
    ],
    ['none, with names', { mutations: 'none', operations: { CreateTask: {} } }, queries],
    ['all', { mutations: 'all' }, ['CreateTask', ...queries]],
    ['all but a hidden one', { operations: { CreateTask: { hidden: true } } }, queries],
  ])('as the option says, without a warning: %s', async (_, options, expected) => {
    expect(await published(setup(options))).toEqual(expected);
    expect(warnings()).toEqual([]);
  });
});

describe('the options of an operation', () => {
  it('win over its file', async () => {
    const operations = {
      CreateTask: {
        title: 'Create a task',
        description: 'Adds one',
        annotations: { destructiveHint: false },
      },
    };
    running = await startApp(adapter(), setup({ operations }));
    const client = await running.connect();
    expect((await client.listTools()).tools[0]).toMatchObject({
      name: 'CreateTask',
      title: 'Create a task',
      description: 'Adds one',
      annotations: { readOnlyHint: false, destructiveHint: false },
    });
    await client.leave();
  });

  it('demand scopes, as for tools of routes', async () => {
    const operations = { CreateTask: { scopes: ['tasks:write'] } };
    const validate = (token: string) => ({ id: token, scopes: [`tasks:${token}`] });
    const mcp = { auth: { type: 'bearer', validate } } as const;
    running = await startApp(
      adapter(),
      setup({}, { mcp: { ...mcp, toolSources: [source({ operations })] } }),
    );
    const message = {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'CreateTask', arguments: { input: { title: 'A' } } },
    };
    const answers = await Promise.all(
      ['read', 'write'].map(async (token) => {
        const headers = { authorization: `Bearer ${token}` };
        const session = await running!.wire.initialize(headers);
        return running!.wire.post(message, { ...headers, 'mcp-session-id': session });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 200]);
    expect(answers[0]?.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="tasks:read tasks:write"',
    );
    expect(TasksResolver.created).toHaveLength(1);
  });

  it('demand no scopes without auth', async () => {
    const operations = { CreateTask: { scopes: ['tasks:write'] } };
    await expect(startApp(adapter(), setup({ operations }))).rejects.toThrow(
      /create-task\.graphql:2:1 requires scopes, but the endpoint \/_mcp\/messages has no `auth`/,
    );
  });

  it('keep secrets out of records', async () => {
    const records: unknown[] = [];
    const operations = { CreateTask: { redact: ['input.title'] } };
    running = await startApp(
      adapter(),
      setup(
        {},
        {
          mcp: {
            toolSources: [source({ operations })],
            audit: { onCall: (record) => void records.push(record) },
          },
        },
      ),
    );
    const client = await running.connect();
    await client.call('CreateTask', { input: { title: 'secret', status: 'DONE' } });
    await client.call('FailingTask');
    expect(records).toMatchObject([
      {
        name: 'CreateTask',
        outcome: 'ok',
        status: 200,
        arguments: { input: { title: '[redacted]', status: 'DONE' } },
      },
      {
        name: 'FailingTask',
        outcome: 'error',
        status: 200,
        error: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ]);
    await client.leave();
  });
});

function source(options: Partial<Options> = {}) {
  return graphqlOperations({ files, mutations: 'all', scalars: { DateTime }, ...options });
}

describe('tools of GraphQL operations', () => {
  it('are hidden by visible', async () => {
    const visible = ({ name }: { name: string }) => name !== 'whoami';
    running = await startApp(adapter(), setup({}, { mcp: { toolSources: [source()], visible } }));
    const client = await running.connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('whoami');
    await expect(client.call('whoami')).rejects.toThrow('Unknown tool: whoami');
    await client.leave();
  });

  it('stand beside tools of routes, in each mode', async () => {
    @Controller('a')
    class A {
      @Get()
      @McpTool({ description: 'A', name: 'a' })
      a(): string {
        return 'a';
      }
    }
    const mcp = { mode: 'auto', exclude: ['/graphql'], toolSources: [source()] } as const;
    expect(await published(setup({}, { mcp, controllers: [A] }))).toEqual([
      'a',
      'CreateTask',
      'ListTasks',
      'FailingTask',
      'PartlyBroken',
      'whoami',
    ]);
  });

  it('have the schema that is given, at the path that is given', async () => {
    const schema = `
      type Query { me: String, broken: String, tasks(project: ID!, status: Status, first: Int!): [Task!]! }
      type Mutation { createTask(input: CreateTaskInput!): Task! }
      type Task { id: ID!, title: String!, status: Status!, comments(first: Int!): [Comment!]! }
      type Comment { text: String! }
      enum Status { OPEN DONE }
      input CreateTaskInput { title: String! }`;
    for (const given of [schema, () => schema, () => Promise.resolve(schema)]) {
      const options = { schema: given, scalars: {} };
      running = await startApp(adapter(), setup(options, { imports: [apollo({ path: '/gql' })] }));
      const client = await running.connect();
      expect((await client.call('CreateTask', { input: { title: 'A' } })).isError).toBe(false);
      expect(
        textOf(await client.call('CreateTask', { input: { title: 'A', due: null } })),
      ).toContain('"due"');
      await client.leave();
      await running.close();
    }
    running = undefined;
  });

  it('are at the endpoints that select them by tags', async () => {
    const operations = { CreateTask: { tags: ['admin'] } };
    const endpoints = [
      { path: '/mcp/all' },
      { path: '/mcp/read', tags: ['read'] },
      { path: '/mcp/admin', tags: ['admin'] },
    ];
    const toolSources = [source({ tags: ['read'], operations })];
    running = await startApp(adapter(), setup({}, { mcp: { endpoints, toolSources } }));
    const names = await Promise.all(
      endpoints.map(async ({ path }) => {
        const client = await connectEra('2026-07-28', `${running!.url}${path}`);
        const { tools } = await client.client.listTools();
        await client.close();
        return tools.map(({ name }) => name);
      }),
    );
    const queries = ['ListTasks', 'FailingTask', 'PartlyBroken', 'whoami'];
    expect(names).toEqual([['CreateTask', ...queries], queries, ['CreateTask']]);
  });

  it('warn of scalars whose values are not checked', async () => {
    await published(setup({ scalars: {} }));
    expect(warnings()).toEqual([
      'The GraphQL scalars DateTime have no JSON Schema, so the arguments of tools accept any value for ' +
        "them. Set graphqlOperations({ scalars: { DateTime: { type: 'string' } } }).",
    ]);
  });
});
