// Each extension can be left out: the server starts without it, refuses its options, and everything else works.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Param, Post, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { McpServer } from '@modelcontextprotocol/server';
import { McpModule, type McpAdapterOptions, McpPrompt, McpResource, McpTool } from '@fledge/mcp';
import type { CallRecord } from '@fledge/core/packages';
import { EXTENSIONS } from '../src/extensions/index.js';
import { MCP_EXTENSIONS } from '../src/serve/methods/extension.js';
import { closeNow } from '../../../test/support/close-now.js';
import { platforms } from '../../../test/support/platforms.js';
import { recordSpans } from '../../../test/support/record-spans.js';
import { textOf } from './support/clients.js';
import { connectEra, type EraClient, eras } from './support/eras.js';
import { postModern } from './support/modern-wire.js';
import { wire } from './support/wire.js';

/** How many payments were made. */
let payments = 0;

const KNOWS_TASKS: Record<string, object> = { 'io.modelcontextprotocol/tasks': {} };

/** A feature that an extension adds. */
interface Feature {
  readonly options?: Partial<McpAdapterOptions>;
  /** The routes whose decorators have its options, and the names of these options. */
  readonly routes?: { readonly controller: Type; readonly options: readonly string[] };
  works(client: EraClient, endpoint: string): Promise<void>;
}

@Controller('regions')
class RegionsController {
  @Get(':region')
  @McpTool({ name: 'regions', description: 'Reads a region', headers: { region: 'Region' } })
  get(@Param('region') region: string) {
    return region;
  }
}

@Controller('large')
class LargeController {
  @Get()
  @McpTool({
    name: 'large',
    description: 'Reads a text',
    result: { maxBytes: 10, overflow: 'link' },
  })
  get() {
    return 'a'.repeat(15);
  }
}

@Controller('owners')
class OwnersController {
  @Get()
  @McpTool({ name: 'owners', description: 'Reads an owner', select: 'members' })
  get() {
    return { id: 1, name: 'Ada' };
  }
}

@Controller('reports')
class ReportsController {
  @Get()
  @McpTool({ name: 'report', description: 'Writes a report', task: { required: true } })
  write() {
    return 'done';
  }
}

@Controller('payments')
class PaymentsController {
  @Post()
  @McpTool({ name: 'pay', description: 'Pays', idempotency: true })
  pay() {
    return { number: ++payments };
  }
}

@Controller('boards')
class BoardsController {
  @Get()
  @McpTool({ name: 'board', description: 'Shows a board', ui: 'ui://board' })
  board() {
    return 'a board';
  }

  @Get('page')
  @McpResource({ uri: 'ui://board', ui: { prefersBorder: true } })
  page() {
    return '<p>Board</p>';
  }
}

@Controller('nameless')
class NamelessController {
  @Get()
  @McpTool({ description: 'Reads all' })
  readAll() {
    return 'all';
  }
}

@Controller('marked')
class MarkedController {
  @Get()
  @McpTool({ name: 'marked', description: 'Has a mark', meta: { mark: 1 } })
  marked() {
    return 'marked';
  }
}

const clock = new McpServer({ name: 'clock', version: '1.0.0' });
clock.registerTool('clock', {}, () => ({ content: [{ type: 'text', text: '12:00' }] }));
const audited: CallRecord[] = [];
const spans = recordSpans();

/** By the names of the extensions. */
const FEATURES: Readonly<Record<string, Feature>> = {
  telemetry: {
    options: { telemetry: { mode: 'full' } },
    async works({ call }) {
      await call('notes_get', { id: 'traced' });
      expect(spans.getFinishedSpans().map(({ name }) => name)).toContain('tools/call notes_get');
    },
  },
  audit: {
    options: { audit: { onCall: (record) => void audited.push(record) } },
    async works({ call }) {
      await call('notes_get', { id: 'audited' });
      expect(audited.at(-1)).toMatchObject({ name: 'notes_get', arguments: { id: 'audited' } });
    },
  },
  'argument-headers': {
    routes: { controller: RegionsController, options: ['headers'] },
    async works(_client, endpoint) {
      const call = (region: string) =>
        postModern(wire(endpoint), {
          method: 'tools/call',
          params: { name: 'regions', arguments: { region: 'eu' } },
          headers: { 'mcp-param-region': region },
        });
      expect((await call('eu')).status).toBe(200);
      expect((await call('us')).status).toBe(400);
    },
  },
  pages: {
    routes: { controller: BoardsController, options: ['ui'] },
    async works({ client }) {
      expect(client.getServerCapabilities()).toMatchObject({
        extensions: { 'io.modelcontextprotocol/ui': {} },
      });
      const { contents } = await client.readResource({ uri: 'ui://board' });
      expect(contents).toEqual([
        {
          uri: 'ui://board',
          mimeType: 'text/html;profile=mcp-app',
          text: '<p>Board</p>',
          _meta: { ui: { prefersBorder: true } },
        },
      ]);
    },
  },
  servers: {
    options: { servers: [clock] },
    async works({ call }) {
      expect(textOf(await call('clock'))).toBe('12:00');
    },
  },
  result: {
    options: { result: { maxBytes: 20 } },
    routes: { controller: LargeController, options: ['result'] },
    async works({ client, call }) {
      const { content } = await call('large');
      expect(content).toMatchObject([
        { text: expect.stringMatching(/^a{10}\n/) },
        { mimeType: 'text/plain' },
      ]);
      const { uri } = content[1] as { uri: string };
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ text: expect.stringMatching(/^a{5}\n/) }]);
    },
  },
  select: {
    routes: { controller: OwnersController, options: ['select'] },
    async works({ call }) {
      expect(textOf(await call('owners', { members: ['id'] }))).toBe('{"id":1}');
      expect(textOf(await call('owners', { members: 1 }))).toContain(
        '/members must be a list of strings.',
      );
    },
  },
  tasks: {
    options: { tasks: { pollIntervalMs: 50 } },
    routes: { controller: ReportsController, options: ['task'] },
    async works(_client, endpoint) {
      const send = (method: string, params: Record<string, unknown>, extensions = KNOWS_TASKS) =>
        postModern(wire(endpoint), { method, params, extensions });
      const { message } = await send('tools/call', { name: 'report', arguments: {} });
      const { taskId, pollIntervalMs } = message.result as Record<string, unknown>;
      expect(pollIntervalMs).toBe(50);
      const polled = await send('tasks/get', { taskId });
      expect(polled.message.result).toMatchObject({ taskId });
      const refused = await send('tools/call', { name: 'report', arguments: {} }, {});
      expect(refused.message.error).toMatchObject({ code: -32021 });
    },
  },
  hiddenCharacters: {
    options: { hiddenCharacters: 'remove' },
    async works({ call }) {
      expect(textOf(await call('notes_get', { id: 'a\u202eb' }))).toContain('ab');
    },
  },
  writes: {
    options: { writes: { transaction: (run) => run() } },
    routes: { controller: PaymentsController, options: ['idempotency'] },
    async works({ call }) {
      const idempotencyKey = `key-${payments}`;
      const first = await call('pay', { idempotencyKey });
      expect(textOf(await call('pay', { idempotencyKey }))).toBe(textOf(first));
      expect(textOf(await call('pay'))).not.toBe(textOf(first));
    },
  },
  search: {
    options: { search: { pinned: ['notes_get'] } },
    async works(client) {
      const { tools } = await client.client.listTools();
      // `call_tool` is there if another feature brings a tool that writes.
      const others = ['clock', 'call_tool'];
      const names = tools.map(({ name }) => name).filter((name) => !others.includes(name));
      expect(names).toEqual(['notes_get', 'search_tools', 'read_tool']);
      expect(textOf(await client.call('search_tools', { query: 'title' }))).toContain(
        'notes_title',
      );
      const called = await client.call('read_tool', {
        name: 'notes_title',
        arguments: { id: '1' },
      });
      expect(textOf(called)).toBe('Note 1');
    },
  },
  toolNames: {
    options: { toolNames: 'underscored' },
    routes: { controller: NamelessController, options: [] },
    async works({ call }) {
      expect(textOf(await call('nameless_read_all'))).toBe('all');
    },
  },
  cache: {
    options: { cache: { ttlMs: 5_000 } },
    async works(_client, endpoint) {
      const { message } = await postModern(wire(endpoint), { method: 'tools/list', params: {} });
      expect(message.result).toMatchObject({ ttlMs: 5_000, cacheScope: 'private' });
    },
  },
  check: {
    options: { check: true },
    works({ client }) {
      expect(client.getServerVersion()?.name).toBe('spec');
      return Promise.resolve();
    },
  },
  entryDetails: {
    routes: { controller: MarkedController, options: ['meta'] },
    async works(_client, endpoint) {
      // Not by the client: with "cache" it keeps the list that it has.
      const _meta = { 'fledge/everyTool': true };
      const { message } = await postModern(wire(endpoint), {
        method: 'tools/list',
        params: { _meta },
      });
      const { tools } = message.result as { tools: { name: string }[] };
      expect(tools.find(({ name }) => name === 'marked')).toMatchObject({ _meta: { mark: 1 } });
    },
  },
};

@Controller('notes')
class NotesController {
  @Get(':id')
  @McpTool({ name: 'notes_get', description: 'Reads a note' })
  @McpResource({ uri: 'notes://{id}' })
  get(@Param('id') id: string) {
    return { id };
  }

  @Get(':id/title')
  @McpTool({ name: 'notes_title', description: 'Reads the title of a note' })
  @McpPrompt({ name: 'title', description: 'Asks for a title' })
  title(@Param('id') id: string) {
    return `Note ${id}`;
  }
}

let app: INestApplication | undefined;
let client: EraClient | undefined;
afterEach(async () => {
  await client?.close();
  if (app) await closeNow(app);
  [app, client] = [undefined, undefined];
});

async function startWithout(left: string, features: readonly Partial<Feature>[]) {
  const given = features.map(({ options = {} }) => options);
  const options = Object.assign({ name: 'spec' }, ...given) as McpAdapterOptions;
  const controllers = features.flatMap(({ routes }) => routes?.controller ?? []);
  const testing = await Test.createTestingModule({
    imports: [McpModule.forRoot(options)],
    controllers: [NotesController, ...controllers],
  })
    .overrideProvider(MCP_EXTENSIONS)
    .useValue(EXTENSIONS.filter(({ name }) => name !== left))
    .compile();
  app = testing.createNestApplication(platforms[0]!.adapter(), { logger: false });
  await app.listen(0, '127.0.0.1');
  return `${await app.getUrl()}/_mcp/messages`;
}

it('knows a feature of each extension', () => {
  expect(EXTENSIONS.map(({ name }) => name).toSorted()).toEqual(Object.keys(FEATURES).toSorted());
});

describe.each(['none', ...Object.keys(FEATURES)])('without the extension %s', (left) => {
  const others = Object.entries(FEATURES).filter(([name]) => name !== left);
  it.each(eras)('everything else works for clients of %s', async (era) => {
    const features = others.map(([, feature]) => feature);
    const endpoint = await startWithout(left, features);
    client = await connectEra(era, endpoint);
    expect(textOf(await client.call('notes_get', { id: '1' }))).toBe('{"id":"1"}');
    const { contents } = await client.client.readResource({ uri: 'notes://2' });
    expect(contents).toMatchObject([{ text: '{"id":"2"}' }]);
    const { messages } = await client.client.getPrompt({ name: 'title', arguments: { id: '3' } });
    expect(messages).toMatchObject([{ content: { text: 'Note 3' } }]);
    for (const feature of features) await feature.works(client, endpoint);
  });
});

const moduleOptions = Object.entries(FEATURES).flatMap(([left, { options = {} }]) =>
  Object.entries(options).map(([name, value]) => [name, left, { [name]: value }] as const),
);
it.each(moduleOptions)(
  'rejects the option %s without the extension %s',
  async (name, left, own) => {
    await expect(startWithout(left, [{ options: own }])).rejects.toThrow(
      `McpModule.forRoot({ ${name} }) is not an option.`,
    );
  },
);

const toolOptions = Object.entries(FEATURES).flatMap(([left, { routes }]) =>
  (routes?.options ?? []).map((name) => [name, left, routes] as const),
);
it.each(toolOptions)(
  'rejects @McpTool({ %s }) without the extension %s',
  async (name, left, own) => {
    await expect(startWithout(left, [{ routes: own! }])).rejects.toThrow(`@McpTool({ ${name} })`);
    await expect(startWithout(left, [{ routes: own! }])).rejects.toThrow('is not an option.');
  },
);
