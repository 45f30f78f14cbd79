// Servers of the official SDK, both generations, behind one endpoint, for official clients of both generations.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, Logger, Param } from '@nestjs/common';
import { McpServer as Server2 } from '@modelcontextprotocol/server';
import { McpServer as Server1, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  ElicitResultSchema,
  InitializeRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type McpAdapterOptions, McpPrompt, McpTool } from '../src/index.js';
import { createMcpTestClient } from '../src/testing/index.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { CLOSING_GRACE_MS } from '../src/serve/protocol/running-requests.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { type ClientBehaviour, connectEra, type EraClient, eras } from './support/eras.js';
import { postModern } from './support/modern-wire.js';
import { INITIALIZE, wire } from './support/wire.js';

/** What the handlers of both SDKs can do, under one name. */
interface Handling {
  readonly principal: string | undefined;
  readonly signal: AbortSignal;
  progress(progress: number): Promise<void>;
  elicit(message: string): Promise<{ action: string; content?: unknown }>;
}

type Handler = (args: Record<string, string>, handling: Handling) => Promise<string>;

const TOOLS: Record<string, Handler> = {
  who: async (_args, { principal }) => principal ?? 'nobody',
  count: async (_args, { progress }) => {
    await progress(1);
    await progress(2);
    return 'counted';
  },
  book: async ({ day = '' }, { elicit }) => {
    const { action } = await elicit(`Book ${day}?`);
    return `${action} ${day}`;
  },
  fail: () => Promise.reject(new Error('No room is free')),
};

const running = { aborted: 0, started: 0 };
const wait: Handler = (_args, { signal }) =>
  new Promise((_resolve, reject) => {
    running.started++;
    signal.addEventListener('abort', () => {
      running.aborted++;
      reject(new Error('aborted'));
    });
  });

const content = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const FORM = { type: 'object' as const, properties: { sure: { type: 'boolean' as const } } };

function server1(name = 'one') {
  const server = new Server1({ name, version: '1.0.0' });
  for (const [tool, handler] of Object.entries({ ...TOOLS, wait })) {
    server.registerTool(
      tool,
      { description: `Does ${tool}`, inputSchema: { day: z.string().optional() } },
      async (args, extra) =>
        content(
          await handler(args as Record<string, string>, {
            principal: extra.authInfo?.clientId,
            signal: extra.signal,
            progress: (progress) =>
              extra.sendNotification({
                method: 'notifications/progress',
                params: { progressToken: extra._meta?.progressToken ?? '', progress },
              }),
            elicit: async (message) => {
              const answer = await extra.sendRequest(
                { method: 'elicitation/create', params: { message, requestedSchema: FORM } },
                ElicitResultSchema,
              );
              return answer;
            },
          }),
        ),
    );
  }
  server.registerPrompt('plan', { argsSchema: { day: z.string() } }, ({ day }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Plan ${day}` } }],
  }));
  server.registerResource('rules', 'rooms://rules', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, text: 'No smoking' }],
  }));
  server.registerResource(
    'room',
    new ResourceTemplate('rooms://{id}', { list: undefined, complete: { id: () => ['a', 'b'] } }),
    {},
    (uri, { id }) => ({ contents: [{ uri: uri.href, text: `Room ${String(id)}` }] }),
  );
  return server;
}

function server2(name = 'two') {
  const server = new Server2({ name, version: '1.0.0' });
  for (const [tool, handler] of Object.entries({ ...TOOLS, wait })) {
    server.registerTool(
      tool,
      { description: `Does ${tool}`, inputSchema: z.object({ day: z.string().optional() }) },
      async (args, { mcpReq, http }) =>
        content(
          await handler(args as Record<string, string>, {
            principal: http?.authInfo?.clientId,
            signal: mcpReq.signal,
            progress: (progress) =>
              mcpReq.notify({
                method: 'notifications/progress',
                params: { progressToken: mcpReq._meta?.progressToken ?? '', progress },
              }),
            elicit: (message) => mcpReq.elicitInput({ message, requestedSchema: FORM }),
          }),
        ),
    );
  }
  server.registerPrompt('plan', { argsSchema: z.object({ day: z.string() }) }, ({ day }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Plan ${day}` } }],
  }));
  server.registerResource('rules', 'rooms://rules', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, text: 'No smoking' }],
  }));
  return server;
}

@Controller('notes')
class NotesController {
  @Get(':id')
  @McpTool({ name: 'notes_get', description: 'Reads a note' })
  @McpPrompt({ name: 'note', description: 'Shows a note' })
  get(@Param('id') id: string) {
    return `Note ${id}`;
  }
}

const auth: McpAdapterOptions['auth'] = {
  type: 'bearer',
  validate: (token) => ({ id: token, scopes: token === 'boss' ? ['rooms'] : [] }),
};

let app: RunningApp | undefined;
const clients: EraClient[] = [];
beforeEach(() => void Object.assign(running, { aborted: 0, started: 0 }));
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await app?.close();
  app = undefined;
});

async function start(mcp: Partial<McpAdapterOptions>, platform = platforms[0]!) {
  app = await startApp(platform.adapter(), { ...controllers(NotesController), mcp });
  return app.endpoint;
}

const generations = [
  ['1.x', server1],
  ['2.x', server2],
] as const;
const cases = platforms.flatMap((platform) =>
  generations.flatMap(([generation, make]) =>
    eras.map(([era]) => [platform.name, generation, era, platform, make] as const),
  ),
);

describe.each(cases)(
  '%s, a server of SDK %s, a client of %s',
  (_name, _sdk, era, platform, make) => {
    const connect = async (token = 'ada', behaviour: ClientBehaviour = {}) => {
      const headers = { authorization: `Bearer ${token}` };
      const client = await connectEra(era, app!.endpoint, { headers, ...behaviour });
      clients.push(client);
      return client;
    };

    it('lists and runs what it offers, next to the routes', async () => {
      await start({ servers: [make()], auth }, platform);
      const { client, call } = await connect();
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['notes_get', ...Object.keys(TOOLS), 'wait']);
      expect(textOf(await call('notes_get', { id: '1' }))).toBe('Note 1');
      expect(textOf(await call('who'))).toBe('ada');
      expect(await call('fail')).toMatchObject({
        isError: true,
        content: [{ text: 'No room is free' }],
      });
      expect(await call('book', { day: 1 as never })).toMatchObject({ isError: true });
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(['note', 'plan']);
      expect(await client.getPrompt({ name: 'plan', arguments: { day: 'Monday' } })).toMatchObject({
        messages: [{ content: { text: 'Plan Monday' } }],
      });
      const { resources } = await client.listResources();
      expect(resources).toEqual([{ name: 'rules', uri: 'rooms://rules', mimeType: 'text/plain' }]);
      expect(await client.readResource({ uri: 'rooms://rules' })).toMatchObject({
        contents: [{ text: 'No smoking' }],
      });
      await expect(client.readResource({ uri: 'rooms:///none' })).rejects.toThrow(/not found/i);
    });

    it('reports progress to the caller, and each caller is itself', async () => {
      await start({ servers: [make()], auth }, platform);
      const [ada, ben] = [await connect('ada'), await connect('ben')];
      const heard: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => void heard.push(progress);
      const answers = await Promise.all([
        ada.call('who'),
        ben.call('who'),
        ada.call('count', {}, { onprogress }),
        ben.call('count'),
      ]);
      expect(answers.map(textOf)).toEqual(['ada', 'ben', 'counted', 'counted']);
      expect(heard).toEqual([1, 2]);
    });

    it('asks the person at the client whose call runs', async () => {
      await start({ servers: [make()], auth }, platform);
      const asked: string[] = [];
      const behaviour = (name: string, action: string): ClientBehaviour => ({
        elicit({ message }) {
          asked.push(`${name}: ${message}`);
          return action === 'accept' ? { action, content: { sure: true } } : { action };
        },
      });
      const ada = await connect('ada', behaviour('ada', 'accept'));
      const ben = await connect('ben', behaviour('ben', 'decline'));
      const answers = await Promise.all([
        ada.call('book', { day: 'Monday' }),
        ben.call('book', { day: 'Friday' }),
      ]);
      expect(answers.map(textOf)).toEqual(['accept Monday', 'decline Friday']);
      expect(asked.toSorted()).toEqual(['ada: Book Monday?', 'ben: Book Friday?']);
    });

    it('aborts a call whose client cancels it', async () => {
      await start({ servers: [make()], auth }, platform);
      const { call } = await connect();
      const controller = new AbortController();
      const called = call('wait', {}, { signal: controller.signal });
      called.catch(() => undefined);
      await until(() => running.started === 1);
      controller.abort();
      await expect(called).rejects.toThrow();
      await until(() => running.aborted === 1);
    });

    it('has scopes, and is hidden where visible says so', async () => {
      await start(
        {
          servers: [{ server: make(), scopes: ['rooms'] }],
          auth,
          visible: ({ name }, { principal }) => name !== 'who' || principal?.id === 'boss',
        },
        platform,
      );
      const [ada, boss] = [await connect('ada'), await connect('boss')];
      const names = async ({ client }: EraClient) =>
        (await client.listTools()).tools.map(({ name }) => name);
      expect(await names(ada)).not.toContain('who');
      expect(await names(boss)).toContain('who');
      await expect(ada.call('who')).rejects.toThrow('Unknown tool: who');
      await expect(ada.call('count')).rejects.toThrow(/403|scope/i);
      expect(textOf(await boss.call('who'))).toBe('boss');
    });

    it('tells clients that its tools changed', async () => {
      const server = make();
      await start({ servers: [server] }, platform);
      const client = await connect();
      let changes = 0;
      const onChanged = () => void changes++;
      const method = 'notifications/tools/list_changed';
      if ('listen' in client.client) {
        client.client.setNotificationHandler(method, onChanged);
        await client.client.listen({ toolsListChanged: true });
      } else {
        client.client.setNotificationHandler(ToolListChangedNotificationSchema as never, onChanged);
      }
      let late = 0;
      // A client of a session opens its stream some time after it has connected.
      await until(() => {
        (server as Server1).registerTool(`late_${++late}`, {}, () => content('late'));
        return changes > 0;
      });
      const { tools } = await client.client.listTools();
      expect(tools.map(({ name }) => name)).toContain('late_1');
      expect(textOf(await client.call('late_1'))).toBe('late');
    });
  },
);

it.each(generations)(
  'SDK %s: refuses the name of a route, and of another server',
  async (_sdk, make) => {
    const server = make();
    (server as Server1).registerTool('notes_get', {}, () => content('mine'));
    await expect(start({ servers: [server] })).rejects.toThrow(
      'a server lists "notes_get" in its tools, but a route or another server already has that name.',
    );
    await expect(start({ servers: [make(), make()] })).rejects.toThrow('a server lists "who"');
  },
);

it.each(generations)(
  'SDK %s: leaves out a later tool with the name of a route',
  async (_sdk, make) => {
    const server = make();
    const endpoint = await start({ servers: [server] });
    (server as Server1).registerTool('late', {}, () => content('late'));
    (server as Server1).registerTool('notes_get', {}, () => content('mine'));
    const client = await connectEra('2025-11-25', endpoint);
    clients.push(client);
    await until(async () =>
      (await client.client.listTools()).tools.some(({ name }) => name === 'late'),
    );
    expect(textOf(await client.call('notes_get', { id: '1' }))).toBe('Note 1');
  },
);

it.each(generations)(
  'SDK %s: is served by several endpoints, and again after a restart',
  async (_sdk, make) => {
    const server = make();
    const endpoints = [{ path: '/a' }, { path: '/b' }];
    for (let round = 0; round < 2; round++) {
      await start({ servers: [server], endpoints });
      for (const { path } of endpoints) {
        const client = await connectEra('2026-07-28', `${app!.url}${path}`);
        expect(textOf(await client.call('who'))).toBe('nobody');
        await client.close();
      }
      await app!.close();
    }
  },
);

describe.each(platforms)('several endpoints on $name', (platform) => {
  const endpoints = [
    { path: '/all' },
    { path: '/shop', tags: ['shop'] },
    { path: '/read', include: ['GET' as const] },
  ];
  const namesAt = async (path: string) => {
    const client = await connectEra('2026-07-28', `${app!.url}${path}`);
    clients.push(client);
    const { tools } = await client.client.listTools();
    return { client, names: tools.map(({ name }) => name) };
  };

  function storage(name: string) {
    const server = new Server1({ name, version: '1.0.0' });
    const annotations = { readOnlyHint: true };
    server.registerTool(`${name}_get`, { annotations }, () => content('read'));
    server.registerTool(`${name}_wipe`, {}, () => content('wiped'));
    server.registerResource(name, `${name}://all`, {}, () => ({ contents: [] }));
    return server;
  }

  it('publish only the servers that they select', async () => {
    const files = storage('files');
    const servers = [{ server: files, tags: ['shop'] }, { server: storage('rooms') }];
    await start({ servers, endpoints }, platform);
    expect((await namesAt('/all')).names).toEqual([
      ...['notes_get', 'files_get', 'files_wipe', 'rooms_get', 'rooms_wipe'],
    ]);
    const { client, names } = await namesAt('/shop');
    expect(names).toEqual(['files_get', 'files_wipe']);
    await expect(client.call('rooms_wipe')).rejects.toThrow('Unknown tool: rooms_wipe');
    const { resources } = await client.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['files://all']);
    await expect(client.client.readResource({ uri: 'rooms://all' })).rejects.toThrow();
  });

  it('publish only tools that read, if their routes only read', async () => {
    const rooms = storage('rooms');
    await start({ servers: [rooms], endpoints }, platform);
    const { client, names } = await namesAt('/read');
    expect(names).toEqual(['notes_get', 'rooms_get']);
    await expect(client.call('rooms_wipe')).rejects.toThrow('Unknown tool: rooms_wipe');
    const { resources } = await client.client.listResources();
    expect(resources).toHaveLength(1);

    rooms.registerTool('late_wipe', {}, () => content('wiped'));
    rooms.registerTool('late_get', { annotations: { readOnlyHint: true } }, () => content('read'));
    const late = async () => (await namesAt('/read')).names.slice(2);
    await until(async () => (await late()).length > 0);
    expect(await late()).toEqual(['late_get']);
  });

  it('warn of a server that none of them selects, and know the tags of servers', async () => {
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const servers = [storage('files'), { server: storage('rooms'), tags: ['shop'] }];
    await start({ servers, endpoints: [{ path: '/shop', tags: ['shop'] }] }, platform);
    const texts = warnings.mock.calls.map(([text]) => String(text));
    warnings.mockRestore();
    expect(texts).toContain(
      'McpModule.forRoot({ servers[0] }) is not published, because every endpoint selects tags ' +
        'that it does not have. Add a tag that an endpoint selects: tags: ["shop"].',
    );
    expect(texts.filter((text) => /servers\[1\]|selects the tag/.test(text))).toEqual([]);
  });
});

describe.each(platforms)('scopes on $name', (platform) => {
  const scoped = () => [{ server: server1(), scopes: ['rooms'] }];

  it('require auth at each endpoint that publishes the server', async () => {
    await expect(start({ servers: scoped() }, platform)).rejects.toThrow(
      'McpModule.forRoot({ servers }) requires scopes, but the endpoint /_mcp/messages has no `auth`',
    );
    const endpoints = [{ path: '/shop', tags: ['shop'] }];
    await start({ servers: scoped(), endpoints }, platform);
  });

  it('are in the metadata', async () => {
    const resourceMetadata = {
      resource: 'https://api.example.com/mcp',
      authorization_servers: ['https://login.example.com'],
    };
    await start({ servers: scoped(), auth: { ...auth, resourceMetadata } as never }, platform);
    const response = await fetch(`${app!.url}/.well-known/oauth-protected-resource`);
    expect(await response.json()).toMatchObject({ scopes_supported: ['rooms'] });
  });
});

describe.each(
  platforms.flatMap((platform) => eras.map(([era]) => [platform.name, era, platform] as const)),
)('search on %s, for a client of %s', (_name, era, platform) => {
  it('lists the tools of servers, and runs them only by their names', async () => {
    const server = new Server1({ name: 'disk', version: '1.0.0' });
    let runs = 0;
    const handle = () => content(`run ${++runs}`);
    server.registerTool('wipe', { description: 'Wipes the disk' }, handle);
    server.registerTool('look', { annotations: { readOnlyHint: true } }, handle);
    const endpoint = await start({ servers: [server], search: true }, platform);
    const client = await connectEra(era, endpoint);
    clients.push(client);
    const { tools } = await client.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['wipe', 'look', 'search_tools', 'read_tool']);
    for (const name of ['wipe', 'look']) {
      const unknown = `Unknown tool: ${name}. Find the names of tools with search_tools`;
      await expect(client.call('read_tool', { name })).rejects.toThrow(unknown);
      await expect(client.call('call_tool', { name })).rejects.toThrow('Unknown tool');
    }
    expect(runs).toBe(0);
    const every = await client.client.listTools({ _meta: { 'fledge/everyTool': true } });
    expect(every.tools.map(({ name }) => name)).toEqual(['notes_get', 'wipe', 'look']);
    expect(textOf(await client.call('wipe'))).toBe('run 1');
  });
});

describe.each(platforms)('every tool on $name', (platform) => {
  it('is listed by the test client: tools of servers that are visible, and later tools', async () => {
    const server = server1();
    const visible: McpAdapterOptions['visible'] = ({ name }) => name !== 'wait';
    await start({ servers: [server], visible }, platform);
    const client = await createMcpTestClient(app!.app);
    const names = async () => (await client.listTools()).map(({ name }) => name);
    expect(await names()).toEqual(['book', 'count', 'fail', 'notes_get', 'who']);
    server.registerTool('late', {}, () => content('late'));
    await until(async () => (await names()).includes('late'));
    await client.close();
  });
});

describe.each(platforms)('names of search on $name', (platform) => {
  function clashing() {
    const server = new Server1({ name: 'clash', version: '1.0.0' });
    server.registerTool('read_tool', {}, () => content('mine'));
    return server;
  }

  it('are refused at startup', async () => {
    await expect(start({ servers: [clashing()], search: true }, platform)).rejects.toThrow(
      'McpModule.forRoot({ search }) adds a tool "read_tool", but McpModule.forRoot({ servers }) already adds',
    );
    await start({ servers: [clashing()] }, platform);
  });

  it('are left out later', async () => {
    const server = new Server1({ name: 'late', version: '1.0.0' });
    server.registerTool('early', {}, () => content('early'));
    const endpoint = await start({ servers: [server], search: true }, platform);
    server.registerTool('read_tool', {}, () => content('mine'));
    server.registerTool('late', {}, () => content('late'));
    const client = await connectEra('2026-07-28', endpoint);
    clients.push(client);
    const names = async () => (await client.client.listTools()).tools.map(({ name }) => name);
    await until(async () => (await names()).includes('late'));
    expect(await names()).toEqual(['early', 'late', 'search_tools', 'read_tool']);
    expect(await client.call('read_tool', { name: 'notes_get', arguments: { id: '1' } })).toEqual(
      expect.objectContaining({ content: [{ type: 'text', text: 'Note 1' }] }),
    );
  });
});

it('ends a call that takes longer than limits.timeoutMs', async () => {
  const endpoint = await start({ servers: [server1()], limits: { timeoutMs: 3_000 } });
  const client = await connectEra('2025-11-25', endpoint);
  clients.push(client);
  await expect(client.call('wait')).rejects.toThrow('The server did not respond within 3000 ms');
  expect(running.aborted).toBe(1);
});

it('lets a running call end before the application closes', async () => {
  const server = new Server1({ name: 'slow', version: '1.0.0' });
  let finish: (() => void) | undefined;
  server.registerTool('slow', {}, async () => {
    await new Promise<void>((resolve) => void (finish = resolve));
    return content('done');
  });
  const endpoint = await start({ servers: [server] });
  const client = await connectEra('2026-07-28', endpoint);
  const called = client.call('slow').then(textOf);
  await until(() => finish !== undefined);
  const closing = app!.app.close();
  finish!();
  expect(await called).toBe('done');
  await closing;
  await client.close();
  app = undefined;
});

it('runs a call that waited for `visible` when the application closes', async () => {
  let show: (() => void) | undefined;
  const visible = () => new Promise<boolean>((resolve) => (show = () => resolve(true)));
  const endpoint = await start({ servers: [server1()], visible });
  const called = postModern(wire(endpoint), {
    method: 'tools/call',
    params: { name: 'who', arguments: {} },
  });
  await until(() => show !== undefined);
  const closing = app!.app.close();
  await until(async () => (await wire(endpoint).post(INITIALIZE)).status === 503);
  show!();
  expect((await called).text).toContain('nobody');
  await closing;
  app = undefined;
});

it('waits for a running call up to limits.timeoutMs, also without routes', async () => {
  const server = new Server1({ name: 'slow', version: '1.0.0' });
  let finish: (() => void) | undefined;
  server.registerTool('slow', {}, async () => {
    await new Promise<void>((resolve) => void (finish = resolve));
    return content('done');
  });
  app = await startApp(platforms[0]!.adapter(), { mcp: { servers: [server] } });
  const client = await connectEra('2025-11-25', app.endpoint);
  const called = client.call('slow').then(textOf);
  await until(() => finish !== undefined);
  // Longer than the time that a server without calls waits.
  setTimeout(() => finish!(), CLOSING_GRACE_MS + 200);
  const closing = app.app.close();
  expect(await called).toBe('done');
  await closing;
  await client.client.close();
  app = undefined;
});

it('finds the server of a resource among several, and hides what a hidden template names', async () => {
  const files = new Server1({ name: 'files', version: '1.0.0' });
  for (const name of ['public', 'private']) {
    const template = new ResourceTemplate(`${name}://{id}`, { list: undefined });
    files.registerResource(name, template, {}, (uri) => ({
      contents: [{ uri: uri.href, text: `The ${name} file` }],
    }));
  }
  const rooms = server1();
  const endpoint = await start({
    servers: [files, rooms],
    visible: ({ name }) => name !== 'private',
  });
  const { client, ...rest } = await connectEra('2025-11-25', endpoint);
  clients.push({ client, ...rest });
  const read = async (uri: string) => (await client.readResource({ uri })).contents;
  expect(await read('public://1')).toMatchObject([{ text: 'The public file' }]);
  expect(await read('rooms://rules')).toMatchObject([{ text: 'No smoking' }]);
  expect(await read('rooms://a')).toMatchObject([{ text: 'Room a' }]);
  await expect(read('private://1')).rejects.toThrow(/not found/i);
});

it('refuses a template that URIs cannot be compared with', async () => {
  const server = new Server1({ name: 'files', version: '1.0.0' });
  const template = new ResourceTemplate('files:/{/path*}', { list: undefined });
  server.registerResource('file', template, {}, () => ({ contents: [] }));
  await expect(start({ servers: [server] })).rejects.toThrow(
    'The resource template "files:/{/path*}" contains "{/path*}"',
  );
});

it('completes arguments of its templates', async () => {
  const endpoint = await start({ servers: [server1()] });
  const { client, ...rest } = await connectEra('2025-11-25', endpoint);
  clients.push({ client, ...rest });
  const ref = { type: 'ref/resource' as const, uri: 'rooms://{id}' };
  expect(await client.complete({ ref, argument: { name: 'id', value: '' } })).toMatchObject({
    completion: { values: ['a', 'b'] },
  });
  expect(await client.readResource({ uri: 'rooms://a' })).toMatchObject({
    contents: [{ text: 'Room a' }],
  });
});

it.each([
  [[{}], 'servers[0]'],
  [[{ server: {} }], 'servers[0].server'],
  [[{ server: server1(), scope: ['a'] }], 'Did you mean scopes?'],
  [[], 'servers'],
])('refuses %j', async (servers, message) => {
  await expect(start({ servers: servers as never })).rejects.toThrow(message);
});

it('reads a changed list once for each open application', async () => {
  const server = server1();
  await start({ servers: [server] });
  for (let i = 0; i < 3; i++) {
    const other = await startApp(platforms[0]!.adapter(), { mcp: { servers: [server] } });
    await other.close();
  }
  let reads = 0;
  const connection = server.server.transport!;
  const receive = connection.onmessage!;
  connection.onmessage = (message, extra) => {
    if ('method' in message && message.method === 'tools/list') reads++;
    receive(message, extra);
  };
  const { client, ...rest } = await connectEra('2025-11-25', app!.endpoint);
  clients.push({ client, ...rest });
  server.registerTool('late', {}, () => content('late'));
  await until(async () => (await client.listTools()).tools.some(({ name }) => name === 'late'));
  expect(reads).toBe(1);
});

it.each<[fault: string, mcp: (server: Server1) => Partial<McpAdapterOptions>, message: string]>([
  ['a name is taken', (server) => ({ servers: [server, server1('two')] }), 'already has that name'],
  [
    'another server cannot be connected',
    (server) => ({ servers: [server, { server: broken() }] }),
    'No connections today',
  ],
])('disconnects a server if the start fails because %s', async (_, mcp, message) => {
  const server = server1();
  await expect(start(mcp(server))).rejects.toThrow(message);
  expect(server.isConnected()).toBe(false);
  await start({ servers: [server] });
});

/** A server that refuses to connect. */
function broken(): Server1 {
  const server = new Server1({ name: 'broken', version: '1.0.0' });
  server.connect = () => Promise.reject(new Error('No connections today'));
  return server;
}

it('disconnects a server whose list cannot be read', async () => {
  const server = new Server1({ name: 'files', version: '1.0.0' });
  const template = new ResourceTemplate('files:/{/path*}', { list: undefined });
  server.registerResource('file', template, {}, () => ({ contents: [] }));
  await expect(start({ servers: [server] })).rejects.toThrow('contains "{/path*}"');
  expect(server.isConnected()).toBe(false);
});

it('disconnects a server that rejects the first request', async () => {
  const server = server1();
  server.server.setRequestHandler(InitializeRequestSchema, () => {
    throw new Error('Not today');
  });
  await expect(start({ servers: [server] })).rejects.toThrow('Not today');
  expect(server.isConnected()).toBe(false);
});

it('refuses a server that is connected elsewhere', async () => {
  const server = server1();
  const elsewhere = { start: async () => {}, send: async () => {}, close: async () => {} };
  await server.connect(elsewhere as never);
  await expect(start({ servers: [server] })).rejects.toThrow('not connected to another transport');
});
