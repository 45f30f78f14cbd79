// `search`: a short list, `search_tools` over the rest, and `read_tool` and `call_tool`, which run the tool that they name.
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Delete,
  Get,
  type INestApplication,
  NotFoundException,
  Param,
  Post,
  Put,
} from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsString, Max } from 'class-validator';
import type { Client as ModernClient } from '@modelcontextprotocol/client';
import {
  McpAdapter,
  type McpAdapterOptions,
  type McpCallRecord,
  McpOptionError,
  McpTool,
} from '../src/index.js';
import { createMcpTestClient } from '../src/testing/index.js';
import { platforms } from '../../../test/support/platforms.js';
import { recordSpans } from '../../../test/support/record-spans.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { connectEra, type EraClient, eras } from './support/eras.js';
import { QUESTIONS, shopControllers } from './search/shop.js';

class Note {
  @IsString()
  @ApiProperty({ description: 'What it says' })
  text!: string;

  @IsInt()
  @Max(5)
  stars!: number;
}

@Controller('notes')
class NotesController {
  @Get(':id')
  @McpTool({ name: 'notes_get', description: 'Reads one note' })
  get(@Param('id') id: string) {
    if (id === 'none') throw new NotFoundException('No such note');
    return { id };
  }

  @Post()
  @McpTool({
    name: 'notes_create',
    description: 'Writes a note',
    outputSchema: { type: 'object', properties: { stars: { type: 'integer' } } },
  })
  create(@Body() note: Note) {
    return note;
  }

  @Delete(':id')
  @McpTool({
    name: 'notes_delete',
    description: 'Deletes a note for ever',
    scopes: ['notes.write'],
  })
  delete(@Param('id') id: string) {
    return { deleted: id };
  }

  @Get('hidden/now')
  @McpTool({ name: 'notes_hidden', description: 'Reads the hidden note about penguins' })
  hidden() {
    return 'hidden';
  }

  @Get('late/now')
  @McpTool({ name: 'notes_late', description: 'Takes too long', timeoutMs: 30 })
  async late() {
    await sleep(5_000, undefined, { ref: false });
  }

  @Put('print/now')
  @McpTool({
    name: 'notes_print',
    description: 'Druckt die Notiz auf Papier. 注文を印刷します',
    annotations: { destructiveHint: false },
  })
  print() {
    return 'printed';
  }
}

@Controller('unnamed')
class UnnamedController {
  @Get()
  @McpTool({ description: 'Lists' })
  list() {
    return [];
  }
}

const auth = {
  type: 'bearer' as const,
  validate: (token: string) => ({ id: token, scopes: token.split('+') }),
};

const visible: McpAdapterOptions['visible'] = ({ name }, { principal }) =>
  name !== 'notes_hidden' || principal?.id === 'admin';

const spans = recordSpans();

describe.each(platforms)('search on $name', ({ adapter }) => {
  let running: RunningApp;
  let client: EraClient | undefined;
  afterEach(async () => {
    await client?.close();
    client = undefined;
    await running.close();
  });

  const start = async (mcp: Partial<McpAdapterOptions>, ...types: object[]) =>
    (running = await startApp(adapter(), { ...controllers(...types), mcp }));

  describe.each(eras)('for clients of %s', (era) => {
    const as = async (token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      client = await connectEra(era, running.endpoint, { headers });
      return client;
    };
    const found = (query: string) => foundBy(client as EraClient, query);
    const listed = async () => {
      const { tools } = await (client as EraClient & { client: ModernClient }).client.listTools();
      return tools;
    };

    it('lists what is pinned, and three tools with true hints', async () => {
      await start({ search: { pinned: ['notes_print', 'notes_get'] }, auth }, NotesController);
      await as('ada');
      const tools = await listed();
      expect(tools.map(({ name }) => name)).toEqual([
        'notes_get',
        'notes_print',
        'search_tools',
        'read_tool',
        'call_tool',
      ]);
      const read = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
      const write = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };
      const openWorldHint = false;
      expect(tools.map(({ annotations }) => annotations)).toEqual([
        { title: 'Notes get', ...read, openWorldHint },
        { title: 'Notes print', ...write, openWorldHint },
        { title: 'Search tools', ...read, openWorldHint },
        { title: 'Run a read-only tool', ...read, openWorldHint },
        {
          title: 'Run a tool that changes something',
          ...{ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint },
        },
      ]);
      expect(tools.map(({ title }) => title)).toEqual(tools.map((tool) => tool.annotations?.title));
      for (const { _meta, outputSchema } of tools) {
        expect(_meta).toMatchObject({ 'anthropic/alwaysLoad': true });
        expect(outputSchema).toBeUndefined();
      }
      expect(await found('note')).not.toContain('notes_get');
      expect(textOf(await client!.call('notes_get', { id: '1' }))).toBe('{"id":"1"}');
    });

    it('calls a tool that is not listed as tools/call does', async () => {
      await start({ search: true, auth, visible }, NotesController);
      const { call } = await as('ada+notes.write');
      for (const [name, args] of [
        ['notes_get', { id: '7' }],
        ['notes_get', { id: 'none' }],
        ['notes_get', {}],
        ['notes_get', { id: 1, x: 2 }],
        ['notes_create', { text: 'a', stars: 5 }],
        ['notes_create', { text: 'a', stars: 6 }],
        ['notes_delete', { id: '__proto__' }],
        ['notes_late', {}],
        ['notes_print', {}],
      ] as const) {
        const direct = await call(name, args);
        const runners = ['read_tool', 'call_tool'];
        if (!['notes_get', 'notes_late'].includes(name)) runners.reverse();
        const [right = '', wrong = ''] = runners;
        expect(await call(right, { name, arguments: args })).toEqual(direct);
        const refused = await call(wrong, { name, arguments: args });
        expect([refused.isError, textOf(refused)]).toEqual([
          true,
          `"${name}" is ${right === 'read_tool' ? '' : 'not '}read-only. Run it with ${right}.`,
        ]);
      }
      const direct = await call('notes_print');
      expect(await call('call_tool', { name: 'notes_print' })).toEqual(direct);
      for (const args of [null, '{}', ' { } ']) {
        expect(await call('call_tool', { name: 'notes_print', arguments: args })).toEqual(direct);
      }
    });

    it('answers a tool that is hidden or does not exist as unknown, and names the cure', async () => {
      await start({ search: true, auth, visible }, NotesController);
      const { call } = await as('ada');
      const messages = await Promise.all(
        ['notes_hidden', 'nothing', 'constructor', '__proto__', 'naïve ☃\n'].flatMap((name) =>
          [call(name), call('read_tool', { name }), call('call_tool', { name })].map((answer) =>
            answer.catch((error: unknown) => (error as Error).message.replace(name, '*')),
          ),
        ),
      );
      expect([...new Set(messages)]).toEqual([
        expect.stringContaining('Unknown tool: *. Find the names of tools with search_tools'),
      ]);
      await client?.close();
      const admin = await as('admin');
      expect(textOf(await admin.call('read_tool', { name: 'notes_hidden' }))).toBe('hidden');
    });

    it('refuses to call the tools of search, and malformed calls', async () => {
      await start({ search: true }, ...shopControllers());
      const { call } = await as();
      for (const [args, text] of [
        [{ name: 'read_tool' }, 'call_tool cannot run read_tool. Call read_tool directly.'],
        [{ name: 'call_tool' }, 'call_tool cannot run call_tool. Call call_tool directly.'],
        [{ name: 'search_tools', arguments: { query: 'x' } }, 'Call search_tools directly.'],
        [{ name: 'call_tool', arguments: { name: 'orders_list' } }, 'cannot run call_tool'],
        [{}, 'Invalid arguments for "call_tool": Missing argument "name".'],
        [{ name: 1 }, 'Invalid arguments for "call_tool": /name must be string'],
        [{ name: 'orders_create', arguments: [] }, '/arguments must be object'],
        [{ name: 'orders_create', page: '2' }, '"page"'],
      ] as const) {
        const result = await call('call_tool', args);
        expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(text)]);
      }
      for (const args of [{ limit: 0 }, { limit: 11 }, { offset: -1 }, { query: 1 }, { q: 'x' }]) {
        const result = await call('search_tools', args);
        expect([result.isError, textOf(result)]).toEqual([
          true,
          expect.stringMatching(/^Invalid arguments for "search_tools": /),
        ]);
      }
    });

    it('shows what a model needs for a call', async () => {
      await start({ search: true, auth }, NotesController);
      const { call } = await as('ada');
      expect(textOf(await call('search_tools', { query: 'notes_create', limit: 1 }))).toBe(
        [
          '### notes_create',
          'Writes a note',
          'Destructive.',
          '**Parameters**',
          '- `text` (string, required): What it says',
          '- `stars` (integer, at most 5, required)',
          '',
          'More tools match: search again with offset 1.',
        ].join('\n'),
      );
      expect(textOf(await call('search_tools', { query: 'delete', limit: 1 }))).toMatch(
        /^### notes_delete\nDeletes a note for ever\nDestructive\. Idempotent\.\n\*\*Parameters\*\*\n- `id` \(string, not empty, required\)/,
      );
    });

    it('shows a caller what it may see and nothing else', async () => {
      await start({ search: { pinned: ['notes_hidden'] }, auth, visible }, NotesController);
      await as('ada');
      expect((await listed()).map(({ name }) => name)).toEqual([
        'search_tools',
        'read_tool',
        'call_tool',
      ]);
      await client?.close();
      await as('admin');
      expect((await listed()).map(({ name }) => name)).toContain('notes_hidden');
      await client?.close();
      await running.close();

      await start({ search: true, auth, visible }, NotesController);
      const { call } = await as('ada');
      expect(textOf(await call('search_tools', { query: 'penguins' }))).toBe(
        'No tools matched the query.',
      );
      expect(await foundBy(client as EraClient, '', { limit: 10 })).not.toContain('notes_hidden');
      await client?.close();
      await as('admin');
      expect(await found('penguins')).toEqual(['notes_hidden']);
    });

    it('lists tools whose scopes the caller lacks, as tools/list does, and refuses their calls', async () => {
      await start({ search: true, auth }, NotesController);
      const { call } = await as('ada');
      expect(await found('delete')).toEqual(['notes_delete']);
      const refused = call('call_tool', { name: 'notes_delete', arguments: { id: '1' } });
      await expect(refused).rejects.toThrow(/403|scope/i);
      await client?.close();
      const owner = await as('notes.write');
      const deleted = await owner.call('call_tool', {
        name: 'notes_delete',
        arguments: { id: '1' },
      });
      expect(textOf(deleted)).toBe('{"deleted":"1"}');
    });

    it('finds words of any script, and takes any query', async () => {
      await start({ search: true, auth }, NotesController);
      const { call } = await as('ada');
      for (const query of ['印刷', '注文', 'DRUCKT', 'drückt', 'papier']) {
        expect(await found(query)).toEqual(['notes_print']);
      }
      for (const query of [
        'x'.repeat(100_000),
        'note '.repeat(20_000),
        '(a+)+$'.repeat(500),
        '.*',
        '\\',
        '__proto__',
        'constructor',
        'hasOwnProperty toString',
        '\u0000\ud800',
        '🦀',
        '"-+~*',
      ]) {
        expect((await call('search_tools', { query })).isError).toBe(false);
      }
      expect(textOf(await call('search_tools', { query: '.*' }))).toBe(
        'No tools matched the query.',
      );
    });

    it('records the tool that ran, and what it came through', async () => {
      const records: McpCallRecord[] = [];
      await start(
        { search: true, auth, audit: { onCall: (record) => records.push(record), await: true } },
        NotesController,
      );
      const { call } = await as('ada');
      await call('read_tool', { name: 'notes_get', arguments: { id: '1' } });
      await call('notes_get', { id: '2' });
      await call('call_tool', { name: 'notes_delete', arguments: { id: '3' } }).catch(() => 0);
      await call('call_tool', { name: 'nothing' }).catch(() => undefined);
      await call('call_tool', {});
      await call('search_tools', { query: 'print' });
      const facts = records.map(({ name, via, arguments: args, outcome, status }) => ({
        name,
        via,
        args,
        outcome,
        status,
      }));
      const via = 'call_tool';
      expect(facts).toEqual([
        { name: 'notes_get', via: 'read_tool', args: { id: '1' }, outcome: 'ok', status: 200 },
        { name: 'notes_get', args: { id: '2' }, outcome: 'ok', status: 200 },
        { name: 'notes_delete', via, outcome: 'refused', status: 403 },
        { name: 'call_tool', args: { name: 'nothing' }, outcome: 'refused', status: undefined },
        { name: 'call_tool', args: {}, outcome: 'refused', status: undefined },
        { name: 'search_tools', args: { query: 'print' }, outcome: 'ok', status: undefined },
      ]);
      expect(running.app.get(McpAdapter).introspect().metrics).toMatchObject({
        calls: 5,
        errors: 1,
      });
      const names = spans
        .getFinishedSpans()
        .filter(({ attributes }) => attributes['mcp.method.name'] === 'tools/call')
        .map(({ name, attributes }) => [
          name,
          attributes['gen_ai.tool.name'],
          attributes['fledge.mcp.via'],
        ]);
      expect(names.slice(-6)).toEqual([
        ['tools/call notes_get', 'notes_get', 'read_tool'],
        ['tools/call notes_get', 'notes_get', undefined],
        ['tools/call notes_delete', 'notes_delete', via],
        ['tools/call call_tool', 'call_tool', undefined],
        ['tools/call call_tool', 'call_tool', undefined],
        ['tools/call search_tools', 'search_tools', undefined],
      ]);
    });

    it('lists every tool for a request that asks for them', async () => {
      await start({ search: true, auth, visible, limits: { listItems: 3 } }, NotesController);
      const { client: sdk } = await as('ada');
      const { tools } = await (sdk as ModernClient).listTools({
        _meta: { 'fledge/everyTool': true },
      });
      const names = tools.map(({ name }) => name);
      expect(names.slice(0, 3)).toEqual(['notes_get', 'notes_create', 'notes_delete']);
      expect(names).not.toContain('notes_hidden');
    });
  });

  it('answers a lack of scopes with a challenge, in both revisions', async () => {
    await start({ search: true, auth }, NotesController);
    const params = { name: 'call_tool', arguments: { name: 'notes_delete', arguments: {} } };
    const authorization = 'Bearer ada';
    const session = await running.wire.initialize({ authorization });
    const answers = [
      await running.wire.post(
        { jsonrpc: '2.0', id: 7, method: 'tools/call', params },
        { authorization, 'mcp-session-id': session },
      ),
      await say(params, { authorization }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('www-authenticate')])).toEqual(
      [
        [403, 'Bearer error="insufficient_scope", scope="ada notes.write"'],
        [403, 'Bearer error="insufficient_scope", scope="notes.write"'],
      ],
    );
  });

  it('compares the Mcp-Name header with the message as it was sent', async () => {
    await start({ search: true, auth }, NotesController);
    const authorization = 'Bearer ada';
    const params = { name: 'call_tool', arguments: { name: 'notes_print' } };
    for (const header of ['call_tool', '=?base64?Y2FsbF90b29s?=']) {
      const answer = await say(params, { authorization, 'mcp-name': header });
      expect(answer.message.result).toMatchObject({ content: [{ text: 'printed' }] });
    }
    for (const header of ['notes_print', 'search_tools', '=?base64?!?=', undefined]) {
      const answer = await say(params, { authorization, 'mcp-name': header });
      expect([answer.status, answer.message.error?.code]).toEqual([400, -32020]);
    }
  });

  it.each<Partial<McpAdapterOptions>[]>([
    [{ auth }],
    [{ auth, search: true }],
    [{ auth, visible }],
    [{ auth, visible, search: { pinned: ['notes_hidden'] } }],
  ])(
    'keeps lists private and not cached, with search, visible and scopes and without',
    async (mcp) => {
      await start(mcp, NotesController);
      for (const _meta of [{}, { 'fledge/everyTool': true }]) {
        const { message } = await say({ _meta }, { authorization: 'Bearer ada' }, 'tools/list');
        expect(message.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
      }
    },
  );

  it('pins the names that an endpoint gives its tools', async () => {
    const endpoints = [{ path: '/dotted' }, { path: '/other', toolNames: 'underscored' as const }];
    await start({ search: { pinned: ['unnamed_list'] }, endpoints }, UnnamedController);
    const listed = async (path: string) => {
      client = await connectEra('2026-07-28', running.url + path);
      const { tools } = await (client.client as ModernClient).listTools();
      await client.close();
      return tools.map(({ name }) => name);
    };
    expect(await listed('/dotted')).toEqual(['search_tools', 'read_tool']);
    expect(await listed('/other')).toEqual(['unnamed_list', 'search_tools', 'read_tool']);
  });

  it('belongs to an endpoint, where there are several', async () => {
    await start(
      {
        auth,
        search: { pinned: ['notes_get'] },
        endpoints: [
          { path: '/read', include: ['GET'] },
          { path: '/write', include: ['POST', 'PUT'] },
          { path: '/whole', search: false },
          { path: '/small', include: ['PUT'], search: { pinned: ['notes_print'] } },
        ],
      },
      NotesController,
    );
    const listOf = async (path: string) => {
      const headers = { authorization: 'Bearer ada' };
      client = await connectEra('2026-07-28', running.url + path, { headers });
      const { tools } = await (client.client as ModernClient).listTools();
      return tools.map(({ name }) => name);
    };
    const [two, readOnly] = [['search_tools', 'call_tool'], { readOnlyHint: true }];
    expect(await listOf('/read')).toEqual(['notes_get', 'search_tools', 'read_tool']);
    const { tools } = await (client!.client as ModernClient).listTools();
    expect(tools.at(-1)?.annotations).toMatchObject(readOnly);
    const call = (name: string) => client!.call('call_tool', { name });
    const read = (name: string) => client!.call('read_tool', { name });
    expect(textOf(await read('notes_hidden'))).toBe('hidden');
    await expect(read('notes_print')).rejects.toThrow('Unknown tool: notes_print');
    await expect(call('notes_hidden')).rejects.toThrow('Unknown tool: call_tool');
    await expect(call('notes_print')).rejects.toThrow('Unknown tool: call_tool');
    await client?.close();
    expect(await listOf('/write')).toEqual(two);
    expect(textOf(await call('notes_print'))).toBe('printed');
    expect(namesIn(textOf(await client!.call('search_tools', {})))).toEqual([
      'notes_create',
      'notes_print',
    ]);
    await client?.close();
    expect(await listOf('/whole')).toHaveLength(6);
    await client?.close();
    expect(await listOf('/small')).toEqual(['notes_print', ...two]);
  });

  it('leaves call_tool unknown where search is off', async () => {
    await start({ auth }, NotesController);
    const answer = await say(
      { name: 'call_tool', arguments: { name: 'notes_print' } },
      { authorization: 'Bearer ada' },
    );
    expect(answer.message.error?.message).toBe('Unknown tool: call_tool');
  });

  it('works in tests with the client of this package', async () => {
    await start({ search: true }, ...shopControllers());
    const test = await createMcpTestClient(running.app);
    expect(await test.listTools()).toHaveLength(300);
    const result = await test.callTool('read_tool', { name: 'orders_get', arguments: { id: '1' } });
    expect(JSON.parse(textOf(result as never))).toMatchObject({ tool: 'orders_get', id: '1' });
    await test.expectSameAsHttp('orders_get', { id: '1' }, { method: 'GET', path: '/orders/1' });
    await test.close();
  });

  /** A request of 2026-07-28, with headers as a client sends them unless others are given. */
  function say(params: object, headers: Record<string, string | undefined>, method = 'tools/call') {
    const { _meta: meta = {}, ...others } = params as { _meta?: object; name?: string };
    return running.wire.post(
      { jsonrpc: '2.0', id: 7, method, params: { _meta: { ...ENVELOPE, ...meta }, ...others } },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': others.name,
        ...headers,
      },
    );
  }
});

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function foundBy(client: EraClient, query: string, more: object = {}): Promise<string[]> {
  return namesIn(textOf(await client.call('search_tools', { query, ...more })));
}

function namesIn(markdown: string): string[] {
  return [...markdown.matchAll(/^### (.*)$/gm)].map(([, name]) => name as string);
}

@Controller('clash')
class ClashController {
  @Get()
  @McpTool({ name: 'call_tool', description: 'Clashes' })
  clash() {}
}

// What is found depends neither on the platform nor on the protocol version.
describe('search among 300 tools', () => {
  let running: RunningApp;
  let client: EraClient;
  afterEach(async () => {
    await client.close();
    await running.close();
  });

  async function open(search: McpAdapterOptions['search'] & {}): Promise<void> {
    const setup = { ...controllers(...shopControllers()), mcp: { search } };
    running = await startApp(platforms[0]!.adapter(), setup);
    client = await connectEra('2026-07-28', running.endpoint);
  }

  it('finds the tool that people mean among 300 within the first five', async () => {
    await open(true);
    expect(running.app.get(McpAdapter).getTools()).toHaveLength(300);
    const missed: string[] = [];
    let first = 0;
    for (const [query, tool] of QUESTIONS) {
      const names = await foundBy(client, query);
      expect(names.length).toBeLessThanOrEqual(5);
      if (!names.includes(tool)) missed.push(`${query}: ${names.join(' ')}`);
      if (names[0] === tool) first++;
    }
    expect(missed).toEqual([]);
    expect(first / QUESTIONS.length).toBeGreaterThan(0.85);
  });

  it('puts the tool of exactly that name first', async () => {
    await open({ maxResults: 50 });
    for (const { name } of running.app.get(McpAdapter).getTools().slice(0, 60)) {
      expect((await foundBy(client, name))[0]).toBe(name);
      expect((await foundBy(client, ` ${name.toUpperCase()} `))[0]).toBe(name);
    }
  });

  it('browses every tool in the order of the routes without a query', async () => {
    await open({ pinned: ['orders_list'] });
    const names: string[] = [];
    for (let offset = 0; ; offset = names.length) {
      const page = await foundBy(client, '  ', { limit: 10, offset });
      names.push(...page);
      if (page.length < 10) break;
    }
    const all = running.app
      .get(McpAdapter)
      .getTools()
      .map(({ name }) => name);
    expect(names).toEqual(all.filter((name) => name !== 'orders_list'));
  });
});

describe('search at boot', () => {
  const boot = async (search: unknown, ...types: object[]) => bootWith({ search }, ...types);
  const bootWith = async (options: object, ...types: object[]) => {
    let app: INestApplication | undefined;
    try {
      ({ app } = await startApp(platforms[0]!.adapter(), {
        ...controllers(...types),
        mcp: { auth, ...options },
      }));
      return 'started';
    } catch (error) {
      expect(error).toBeInstanceOf(McpOptionError);
      return (error as Error).message;
    } finally {
      await app?.close();
    }
  };

  it.each<[search: unknown, message: string]>([
    [
      { pinned: ['notes_gte'] },
      'contains "notes_gte", which is not a tool of the endpoint. Did you mean "notes_get"?',
    ],
    [
      { pinned: ['zzzzzz'] },
      'contains "zzzzzz", which is not a tool of the endpoint. app.get(McpAdapter).getTools()',
    ],
    [{ pinned: 'notes_get' }, 'search.pinned }) is "notes_get", but must be a list of tool names'],
    [{ pinned: [1] }, 'search.pinned'],
    [{ maxResults: 0 }, 'search.maxResults }) is 0, but must be a whole number of at least 1'],
    [{ maxResults: 1.5 }, 'search.maxResults }) is 1.5'],
    [{ maxResults: '5' }, 'search.maxResults }) is "5"'],
    [{ pined: [] }, 'is not an option. Did you mean pinned?'],
    ['yes', 'must be an object with pinned, maxResults or true or false'],
    [null, 'must be an object'],
  ])('refuses %j', async (search, message) => {
    expect(await boot(search, NotesController)).toContain(message);
  });

  it('refuses to pin what an endpoint does not have', async () => {
    const endpoints = [{ path: '/a', include: ['PUT'], search: { pinned: ['notes_get'] } }];
    expect(await bootWith({ endpoints }, NotesController)).toContain(
      'McpModule.forRoot({ endpoints[0].search.pinned }) contains "notes_get", which is not a tool of the endpoint.',
    );
    const search = { pinned: ['notes_none'] };
    expect(await bootWith({ search, endpoints: [{ path: '/a' }] }, NotesController)).toContain(
      'McpModule.forRoot({ search.pinned }) contains "notes_none"',
    );
    expect(await bootWith({ endpoints: [{ path: '/a', search: { max: 1 } }] })).toContain(
      'is not an option. Did you mean maxResults?',
    );
  });

  it('refuses a tool with the name of one that search adds', async () => {
    expect(await boot(true, ClashController)).toContain(
      'McpModule.forRoot({ search }) adds a tool "call_tool", but ClashController.clash already has that name.',
    );
    expect(await boot(false, ClashController)).toBe('started');
    expect(await boot({ pinned: [] }, NotesController)).toBe('started');
  });
});
