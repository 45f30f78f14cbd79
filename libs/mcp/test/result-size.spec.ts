// Results of a limited size, links to the rest, and members that the model selects.
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Header,
  NotFoundException,
  Post,
  StreamableFile,
} from '@nestjs/common';
import { ApiOkResponse, ApiProperty } from '@nestjs/swagger';
import { z } from 'zod';
import type { McpPrincipal } from '../src/options/auth-options.js';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import { McpResource } from '../src/publish/decorators/mcp-resource.decorator.js';
import type { McpAdapterOptions } from '../src/mcp.options.js';
import { once } from '../../../test/support/once.js';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { type Era, type EraClient, connectEra, eras } from './support/eras.js';

class Row {
  @ApiProperty() id!: number;
  @ApiProperty() title!: string;
  @ApiProperty() owner!: object;
}

const ROWS = Array.from({ length: 30 }, (_, id) => ({
  id,
  title: `Task ${id}`,
  owner: { name: 'Ada', mail: 'ada@example.com' },
}));

const TEXT = 'Größe, '.repeat(100);

let runs = 0;

let echoed: unknown;

const link = { maxBytes: 200, overflow: 'link' } as const;

@Controller('large')
class LargeController {
  @Get('text')
  @McpTool({ name: 'text', description: 'text', result: { maxBytes: 100 } })
  text() {
    return TEXT;
  }

  @Get('list')
  @McpTool({ name: 'list', description: 'list', result: { maxBytes: 200 } })
  list() {
    return ROWS;
  }

  @Get('linked') @McpTool({ name: 'linked', description: 'linked', result: link }) linked() {
    return TEXT;
  }

  @Get('linked-list')
  @McpTool({ name: 'linked_list', description: 'linked list', result: link })
  linkedList() {
    return ROWS;
  }

  @Get('image')
  @McpTool({ name: 'image', description: 'image', result: link })
  @Header('content-type', 'image/png')
  image() {
    return new StreamableFile(Buffer.alloc(300, 1), { type: 'image/png' });
  }

  @Get('failing') @McpTool({ name: 'failing', description: 'failing', result: link }) failing() {
    throw new NotFoundException({ code: 'GONE', text: TEXT });
  }

  @Get('small') @McpTool({ name: 'small', description: 'small', result: link }) small() {
    return 'small';
  }

  @Get('declared')
  @McpTool({ name: 'declared', description: 'declared', result: link, select: true })
  @ApiOkResponse({ type: Row, isArray: true })
  declared() {
    return ROWS;
  }

  @Get('explicit')
  @McpTool({
    name: 'explicit',
    description: 'explicit',
    outputSchema: z.object({ rows: z.array(z.object({ id: z.number() })) }),
  })
  explicit() {
    return { rows: ROWS.map(({ id }) => ({ id })) };
  }

  @Get('partial')
  @McpTool({
    name: 'partial',
    description: 'partial',
    outputSchema: z.object({ id: z.number(), title: z.string().min(50) }),
    select: 'members',
  })
  partial() {
    return { id: 1, title: 'short' };
  }

  @Post('echo')
  @McpTool({
    name: 'echo',
    description: 'echo',
    inputSchema: { type: 'object', additionalProperties: true },
    select: 'members',
  })
  echo(@Body() body: object) {
    echoed = body;
    return body;
  }

  @Post('counted')
  @McpTool({ name: 'counted', description: 'counted', select: true })
  counted() {
    runs++;
    return { id: runs, owner: { name: 'Ada', mail: 'x' } };
  }
}

@Controller('resource')
class ResourceController {
  @Get() @McpResource({ uri: 'tasks://all' }) all() {
    return ROWS;
  }
}

interface Part {
  readonly text?: string;
  readonly blob?: string;
  readonly mimeType?: string;
}

async function read({ client }: EraClient, uri: string): Promise<Part> {
  const { contents } = await client.readResource({ uri });
  return contents[0] as Part;
}

/** Follows the notes in the texts, as a model does. */
async function everyPart(client: EraClient, first: string): Promise<readonly string[]> {
  const parts: string[] = [];
  for (let text = first; ;) {
    const [, part = '', next] =
      /^([^]*)\n\(part \d+ of \d+(?:; the next part is (\S+))?\)$/.exec(text) ?? [];
    parts.push(part);
    if (next === undefined) return parts;
    text = (await read(client, next)).text ?? '';
  }
}

async function linkOf(client: EraClient, tool = 'linked'): Promise<string> {
  const { content } = await client.call(tool);
  const block = content.find(({ type }) => type === 'resource_link') as { uri: string };
  return block.uri;
}

const failureOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'no failure',
    ({ code, message, data }: { code: number; message: string; data: { uri: string } }) => ({
      code,
      message,
      ...(data as object | undefined),
      uri: undefined,
    }),
  );

const UNKNOWN = `fledge-result://${'0'.repeat(32)}/2`;

describe.each(platforms)('results of a limited size on $name', ({ adapter }) => {
  const running: RunningApp[] = [];
  const open: EraClient[] = [];
  afterAll(async () => {
    await Promise.all(open.map((client) => client.close().catch(() => undefined)));
    await Promise.all(running.map((app) => app.close()));
  });

  async function start(
    mcp: Partial<McpAdapterOptions> = {},
    ...types: object[]
  ): Promise<RunningApp> {
    const app = await startApp(adapter(), {
      ...controllers(LargeController, ...types),
      mcp: { outputSchemas: 'declared', ...mcp },
    });
    running.push(app);
    return app;
  }

  async function connect(
    app: RunningApp,
    era: Era,
    headers: Record<string, string> = {},
  ): Promise<EraClient> {
    const client = await connectEra(era, app.endpoint, { headers });
    open.push(client);
    await client.client.listTools();
    return client;
  }

  /** Applications that several tests call. */
  const withDefaults = once(() => start());
  const ofFewBytes = once(() => start({ result: { maxBytes: 150 } }));
  /** Clients of the application with defaults. */
  const clients = {
    '2025-11-25': once(async () => connect(await withDefaults(), '2025-11-25')),
    '2026-07-28': once(async () => connect(await withDefaults(), '2026-07-28')),
  };

  it.each(eras)('cut texts between characters and lists between items, in %s', async (era) => {
    const client = await clients[era]();
    const text = async (tool: string) => {
      const { content } = await client.call(tool);
      return content.map((block) => (block.type === 'text' ? block.text : block.type));
    };
    const bytes = Buffer.byteLength(TEXT);
    expect(await text('text')).toEqual([
      `${Buffer.from(TEXT).toString('utf8', 0, 100)}\n(cut to the first 100 of ${bytes} bytes)`,
    ]);
    expect(await text('list')).toEqual([
      `${JSON.stringify(ROWS.slice(0, 2))}\n(cut to the first 2 of 30 items)`,
    ]);
    expect(await text('small')).toEqual(['small']);
    expect((await text('failing'))[0]).toMatch(/\(cut to the first 200 of \d+ bytes\)$/);
  });

  it.each(eras)('offer the rest by links that are read in parts, in %s', async (era) => {
    const client = await clients[era]();
    const { content } = await client.call('linked');
    const [first, linked] = content as unknown as [{ text: string }, { uri: string }];
    expect(linked).toMatchObject({ type: 'resource_link', name: 'part 2 of 5' });
    expect(first.text).toContain(`(part 1 of 5; the next part is ${linked.uri})`);
    const parts = await everyPart(client, first.text);
    expect(parts.join('')).toBe(TEXT);
    expect(Math.max(...parts.map((part) => Buffer.byteLength(part)))).toBeLessThanOrEqual(200);

    const [list] = (await client.call('linked_list')).content as unknown as [{ text: string }];
    const lists = await everyPart(client, list.text);
    expect(lists.flatMap((part) => JSON.parse(part) as unknown[])).toEqual(ROWS);

    const image = (await client.call('image')).content;
    expect(image[0]).toEqual({ type: 'text', text: '(image left out: image/png, 300 bytes)' });
    const { blob, mimeType } = await read(client, await linkOf(client, 'image'));
    expect([mimeType, Buffer.from(blob ?? '', 'base64')]).toEqual([
      'image/png',
      Buffer.alloc(300, 1),
    ]);
  });

  it.each(eras)('pass strict clients, cut or not, in %s', async (era) => {
    const client = await connect(await ofFewBytes(), era);
    const cut = await client.call('declared');
    expect(cut.structuredContent).toEqual({
      body: expect.stringMatching(/^\(part 1 of \d+; the next/),
    });
    const selected = await client.call('declared', { select: ['id'] });
    expect(selected.structuredContent).toMatchObject({ body: expect.any(String) });
    // An outputSchema of @McpTool is sent whole.
    expect((await client.call('explicit')).structuredContent).toEqual({
      rows: ROWS.map(({ id }) => ({ id })),
    });
  });

  it.each(eras)('declare resources for links, and list none, in %s', async (era) => {
    const { client } = await clients[era]();
    expect(client.getServerCapabilities()?.resources).toEqual({});
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
  });

  it('read resources of the application beside links', async () => {
    const app = await start({}, ResourceController);
    const client = await connect(app, '2025-11-25');
    expect(client.client.getServerCapabilities()?.resources).toEqual({ subscribe: true });
    expect((await read(client, 'tasks://all')).text).toBe(JSON.stringify(ROWS));
    expect((await read(client, await linkOf(client))).text).toContain('(part 2 of 5');
  });

  const auth = {
    type: 'bearer' as const,
    validate: (token: string): McpPrincipal => ({
      id: token.split('-')[0] as string,
      scopes: [],
    }),
  };
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const withAuth = once(() => start({ auth }));
  const withScopes = once(() => {
    @Controller()
    class ScopedController {
      @Get()
      @McpTool({ name: 'scoped', description: 'scoped', result: link, scopes: ['read'] })
      scoped() {
        return TEXT;
      }
    }
    const validate = (token: string) => ({ id: 'ada', scopes: [token] });
    return start({ auth: { type: 'bearer', validate } }, ScopedController);
  });
  const withForwarded = once(() => start({ forwardHeaders: ['authorization', 'x-api-key'] }));
  const withShortLinks = once(() => start({ result: { linkTtlMs: 1 } }));
  const withLittleRoom = once(() => start({ result: { linkBytes: 300 } }));
  let hidden = false;
  const withHidden = once(() => start({ visible: ({ name }) => !(hidden && name === 'linked') }));

  describe.each(eras)('links in %s', (era) => {
    it('belong to the principal, also with a renewed token', async () => {
      const app = await withAuth();
      const ada = await connect(app, era, as('ada-1'));
      const uri = await linkOf(ada);
      const eve = await connect(app, era, as('eve-1'));
      const unknown = await failureOf(read(eve, UNKNOWN));
      expect(unknown).toMatchObject({ code: era === '2025-11-25' ? -32002 : -32602 });
      expect(await failureOf(read(eve, uri))).toEqual(unknown);
      expect(await failureOf(read(ada, uri.replace(/2$/, '9')))).toEqual(unknown);
      const later = await connect(app, era, as('ada-2'));
      expect((await read(later, uri)).text).toContain('(part 2 of 5');
    });

    it('need the scopes of their tool', async () => {
      const app = await withScopes();
      const uri = await linkOf(await connect(app, era, as('read')), 'scoped');
      const other = await connect(app, era, as('write'));
      await expect(read(other, uri)).rejects.toThrow(/403|insufficient_scope|scope/);
      expect((await read(await connect(app, era, as('read')), uri)).text).toContain('(part 2 of 5');
    });

    it('belong to the credentials that reach the route, without auth', async () => {
      const app = await withForwarded();
      const ada = await connect(app, era, { 'x-api-key': 'ada' });
      const uri = await linkOf(ada);
      expect((await read(ada, uri)).text).toContain('(part 2 of 5');
      for (const headers of [{ 'x-api-key': 'eve' }, as('eve'), {}]) {
        const eve = await connect(app, era, headers);
        expect(await failureOf(read(eve, uri))).toEqual(await failureOf(read(eve, UNKNOWN)));
      }
    });

    it('end with their time, as unknown ones do', async () => {
      const client = await connect(await withShortLinks(), era);
      const uri = await linkOf(client);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await failureOf(read(client, uri))).toEqual(await failureOf(read(client, UNKNOWN)));
    });

    it('end when their tool is hidden from the caller', async () => {
      hidden = false;
      const client = await connect(await withHidden(), era);
      const uri = await linkOf(client);
      hidden = true;
      expect(await failureOf(read(client, uri))).toEqual(await failureOf(read(client, UNKNOWN)));
    });

    it('are cut instead if there is no room for the answer', async () => {
      const client = await connect(await withLittleRoom(), era);
      const { content } = await client.call('linked');
      expect(content).toHaveLength(1);
      expect((content[0] as { text: string }).text).toMatch(
        /\(cut to the first \d+ of \d+ bytes\)$/,
      );
    });
  });

  it('belong to the session of a client of 2025-11-25 without credentials', async () => {
    const app = await withDefaults();
    const first = await connect(app, '2025-11-25');
    const uri = await linkOf(first);
    const second = await connect(app, '2025-11-25');
    expect(await failureOf(read(second, uri))).toEqual(await failureOf(read(second, UNKNOWN)));
    expect((await read(first, uri)).text).toContain('(part 2 of 5');
  });

  it.each(eras)('send the members that the model selects, in %s', async (era) => {
    const client = await clients[era]();
    const { tools } = await client.client.listTools();
    const counted = tools.find(({ name }) => name === 'counted');
    expect(counted?.inputSchema).toMatchObject({
      properties: { select: { type: 'array', items: { type: 'string' } } },
      additionalProperties: false,
    });
    runs = 0;
    const contentOf = async (args: Record<string, unknown>) => {
      const { content, isError } = await client.call('counted', args);
      return [
        isError,
        ...content.map((block) => (block.type === 'text' ? block.text : block.type)),
      ];
    };
    expect(await contentOf({})).toEqual([false, '{"id":1,"owner":{"name":"Ada","mail":"x"}}']);
    expect(await contentOf({ select: ['owner.name'] })).toEqual([
      false,
      '{"owner":{"name":"Ada"}}',
    ]);
    // The route has run: a wrong path is no error.
    expect(await contentOf({ select: ['owner.nam', 'id'] })).toEqual([
      false,
      '{"id":3,"owner":{}}',
      '(there is no field "owner.nam"; instead of "nam", these exist: name, mail)',
    ]);
    expect(await contentOf({ select: 5 })).toEqual([
      true,
      'Invalid arguments for "counted": /select must be a list of strings.',
    ]);
    expect(await contentOf({ select: 'a,'.repeat(101) })).toEqual([
      true,
      'Invalid arguments for "counted": /select must contain at most 100 fields.',
    ]);
    expect(await contentOf({ other: 1, select: ['id'] })).toEqual([
      true,
      'Invalid arguments for "counted": Unknown argument "other".',
    ]);
    expect(runs).toBe(3);

    const partial = tools.find(({ name }) => name === 'partial');
    expect(partial?.outputSchema).toEqual({
      type: 'object',
      properties: { id: { type: 'number' }, title: { type: 'string' } },
    });
    const { structuredContent } = await client.call('partial', { members: ['title'] });
    expect(structuredContent).toEqual({ title: 'short' });
  });

  it('leave the argument out of what the route gets', async () => {
    const client = await clients['2025-11-25']();
    const args = { members: 'a', a: 1, b: 2 };
    const { content } = await client.call('echo', args);
    expect(content[0]).toEqual({ type: 'text', text: '{"a":1}' });
    expect(echoed).toEqual({ a: 1, b: 2 });
  });
});

describe('options of results', () => {
  const [{ adapter }] = platforms as [(typeof platforms)[0]];

  function withTool(options: object): Promise<RunningApp> {
    @Controller()
    class WrongController {
      @Get(':select')
      @McpTool({ description: 'wrong', ...options })
      wrong() {}
    }
    return startApp(adapter(), controllers(WrongController));
  }

  it.each<[object, RegExp]>([
    [
      { result: { maxBytes: 0 } },
      /result\.maxBytes }\) on WrongController\.wrong is 0, but must be a whole number/,
    ],
    [{ result: { maxBytes: 2e6 } }, /must be at most limits\.responseBytes \(1048576\)/],
    [
      { result: { overflow: 'cut' } },
      /result\.overflow }\) .* is "cut", but must be 'truncate' or 'link'/,
    ],
    [
      { result: { linkTtlMs: 1 } },
      /result\.linkTtlMs }\) on WrongController\.wrong is not an option/,
    ],
    [{ result: { maxBytes: 5 }, content: 'blocks' }, /no effect together with content: 'blocks'/],
    [{ result: { maxBytes: 5 }, outputSchema: {} }, /no effect together with outputSchema/],
    [
      { select: true, content: 'blocks' },
      /select }\) .* no effect together with content: 'blocks'/,
    ],
    [{ select: '' }, /must be true, false or the name of an argument/],
    [
      { select: true, inputSchema: { type: 'object', properties: { select: {} } } },
      /adds the argument "select", but the route already has/,
    ],
  ])('are checked at boot: %j', async (options, message) => {
    await expect(withTool(options)).rejects.toThrow(message);
  });

  it('of the module are checked at boot', async () => {
    const mcp = { result: { maxBytes: 11 }, limits: { responseBytes: 10 } };
    await expect(startApp(adapter(), { mcp })).rejects.toThrow(
      'McpModule.forRoot({ result.maxBytes }) is 11, but must be at most limits.responseBytes (10), the largest ' +
        'response that the server reads.',
    );
  });
});
