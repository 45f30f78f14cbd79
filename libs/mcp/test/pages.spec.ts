// Pages that clients show beside the results of tools (MCP Apps, 2026-01-26).
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Header, Param, Post, UseGuards } from '@nestjs/common';
import {
  McpAdapter,
  type McpAdapterOptions,
  McpResource,
  type McpResourceOptions,
  McpTool,
  type McpToolOptions,
} from '../src/index.js';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { eras } from './support/eras.js';
import { postModern } from './support/modern-wire.js';
import { INITIALIZE } from './support/wire.js';

const UI = 'io.modelcontextprotocol/ui';
const PAGE_TYPE = 'text/html;profile=mcp-app';
const SHOWS_PAGES = { [UI]: { mimeTypes: [PAGE_TYPE] } };
const folder = mkdtempSync(join(tmpdir(), 'fledge-pages-'));
const file = join(folder, 'clock.html');
writeFileSync(file, '<!doctype html><title>Clock</title>');

const MoneyGuard = { canActivate: () => false };

const BOARD_META = {
  ui: {
    csp: {
      connectDomains: ['https://api.example.com'],
      resourceDomains: ['https://*.cdn.com'],
    },
    permissions: { clipboardWrite: {} },
    domain: 'board.example.com',
    prefersBorder: true,
  },
};

@Controller('board')
class BoardController {
  @Get()
  @McpTool({ name: 'board', description: 'Shows the board', ui: 'ui://board', tags: ['board'] })
  board() {
    return { open: 3 };
  }

  @Get('page')
  @McpResource({
    uri: 'ui://board',
    title: 'The board',
    ui: {
      csp: { connectDomains: ['https://api.example.com'], resourceDomains: ['https://*.cdn.com'] },
      permissions: ['clipboardWrite'],
      domain: 'board.example.com',
      prefersBorder: true,
    },
  })
  page() {
    return '<!doctype html><title>Board</title>';
  }

  @Post('move')
  @McpTool({
    name: 'move',
    description: 'Moves a card',
    ui: { resourceUri: 'ui://board', visibility: ['app'] },
  })
  move() {
    return { moved: true };
  }

  @Get('clock')
  @McpTool({ name: 'clock', description: 'Tells the time', ui: { resourceUri: 'ui://clock' } })
  clock() {
    return { time: '12:00' };
  }

  @Get('plain')
  @McpTool({ name: 'plain', description: 'Has no page' })
  plain() {
    return 'plain';
  }

  @Get('guarded')
  @UseGuards(MoneyGuard)
  @McpResource({ uri: 'ui://guarded' })
  guarded() {
    return '<!doctype html>';
  }

  @Get('json')
  @McpResource({ uri: 'ui://json' })
  json() {
    return { no: 'page' };
  }

  @Get(':id')
  @McpResource({ uri: 'board://{id}' })
  one(@Param('id') id: string) {
    return id;
  }
}

interface ListedTool {
  readonly name: string;
  readonly _meta?: Record<string, unknown>;
}

describe.each(platforms)('pages, on $name', ({ adapter }) => {
  let running: RunningApp;
  const start = (mcp: Partial<McpAdapterOptions> = {}) =>
    startApp(adapter(), {
      ...controllers(BoardController),
      mcp: {
        pages: [{ uri: 'ui://clock', file: pathToFileURL(file), prefersBorder: false }],
        ...mcp,
      },
    });
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running.close());

  /** The result of a request of one era, for a client with or without pages. */
  async function ask(
    era: string,
    extensions: object | undefined,
    method: string,
    params: Record<string, unknown> = {},
    { wire }: RunningApp = running,
  ): Promise<Record<string, unknown>> {
    if (era === '2026-07-28') {
      const { message } = await postModern(wire, {
        method,
        params,
        ...(extensions && { extensions: extensions as Record<string, object> }),
      });
      return (message.result ?? message.error) as Record<string, unknown>;
    }
    const opened = await wire.post({
      ...INITIALIZE,
      params: { ...INITIALIZE.params, capabilities: { ...(extensions && { extensions }) } },
    });
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    await wire.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    const { message } = await wire.post({ jsonrpc: '2.0', id: 1, method, params }, session);
    await wire.send('DELETE', session);
    return (message.result ?? message.error) as Record<string, unknown>;
  }

  const toolsOf = async (...args: Parameters<typeof ask>) =>
    (await ask(...args))['tools'] as ListedTool[];

  describe.each(eras)('in revision %s', (era) => {
    it('are named by tools, for clients that show them', async () => {
      const tools = await toolsOf(era, SHOWS_PAGES, 'tools/list');
      expect(Object.fromEntries(tools.map(({ name, _meta }) => [name, _meta]))).toEqual({
        board: {
          ui: { resourceUri: 'ui://board', visibility: ['model', 'app'] },
          'ui/resourceUri': 'ui://board',
        },
        move: {
          ui: { resourceUri: 'ui://board', visibility: ['app'] },
          'ui/resourceUri': 'ui://board',
        },
        clock: {
          ui: { resourceUri: 'ui://clock', visibility: ['model', 'app'] },
          'ui/resourceUri': 'ui://clock',
        },
        plain: undefined,
      });
    });

    it.each([
      ['no extension', undefined],
      ['another media type', { [UI]: { mimeTypes: ['text/html+skybridge'] } }],
      ['media types that are no list', { [UI]: { mimeTypes: PAGE_TYPE } }],
    ])('are left out for clients with %s, with the tools for pages only', async (_, extensions) => {
      const tools = await toolsOf(era, extensions, 'tools/list');
      expect(tools.map(({ name }) => name)).toEqual(['board', 'clock', 'plain']);
      expect(tools.every(({ _meta }) => _meta === undefined)).toBe(true);
      const { resources } = await ask(era, extensions, 'resources/list');
      expect(resources).toEqual([]);
    });

    it('have tools that are in the list of every tool', async () => {
      const every = { _meta: { 'fledge/everyTool': true } };
      const tools = await toolsOf(era, undefined, 'tools/list', every);
      expect(tools.map(({ name }) => name)).toEqual(['board', 'move', 'clock', 'plain']);
    });

    it('are listed as resources of their type, with their settings', async () => {
      const { resources } = await ask(era, SHOWS_PAGES, 'resources/list');
      expect(resources).toContainEqual(
        expect.objectContaining({
          uri: 'ui://board',
          mimeType: PAGE_TYPE,
          title: 'The board',
          _meta: BOARD_META,
        }),
      );
      expect(resources).toContainEqual(
        expect.objectContaining({
          uri: 'ui://clock',
          mimeType: PAGE_TYPE,
          _meta: { ui: { prefersBorder: false } },
        }),
      );
    });

    it('are read from a route and from a file, with what the client should know of them', async () => {
      const board = await ask(era, SHOWS_PAGES, 'resources/read', { uri: 'ui://board' });
      expect(board['contents']).toEqual([
        {
          uri: 'ui://board',
          mimeType: PAGE_TYPE,
          text: '<!doctype html><title>Board</title>',
          _meta: BOARD_META,
        },
      ]);
      const clock = await ask(era, SHOWS_PAGES, 'resources/read', { uri: 'ui://clock' });
      expect(clock['contents']).toEqual([
        {
          uri: 'ui://clock',
          mimeType: PAGE_TYPE,
          text: '<!doctype html><title>Clock</title>',
          _meta: { ui: { prefersBorder: false } },
        },
      ]);
    });

    it('come beside the text of a result, which stays', async () => {
      const result = await ask(era, SHOWS_PAGES, 'tools/call', { name: 'board' });
      expect(result['content']).toEqual([{ type: 'text', text: '{"open":3}' }]);
    });

    it('are refused by guards, and if their route answers no HTML', async () => {
      const guarded = await ask(era, SHOWS_PAGES, 'resources/read', { uri: 'ui://guarded' });
      expect(guarded['message']).toMatch(/403/);
      const json = await ask(era, SHOWS_PAGES, 'resources/read', { uri: 'ui://json' });
      expect(json['message']).toMatch(/"ui:\/\/json" returned application\/json instead of HTML/);
    });
  });

  it('are declared as an extension, where there are any', async () => {
    const discovered = await ask('2026-07-28', undefined, 'server/discover');
    expect(discovered['capabilities']).toMatchObject({ extensions: { [UI]: {} } });
    const { message } = await running.wire.post(INITIALIZE);
    expect(message.result?.['capabilities']).toMatchObject({ extensions: { [UI]: {} } });
  });

  it('come with their tools to an endpoint that selects by tags', async () => {
    const tagged = await start({
      endpoints: [{ path: '/_mcp/messages', tags: ['board'] }, { path: '/rest' }],
    });
    try {
      const listed = await ask('2026-07-28', SHOWS_PAGES, 'resources/list', {}, tagged);
      expect((listed['resources'] as { uri: string }[]).map(({ uri }) => uri)).toEqual([
        'ui://board',
      ]);
    } finally {
      await tagged.close();
    }
  });

  it('stay in the list beside a search, which does not find tools for pages only', async () => {
    const searching = await start({ search: true });
    try {
      const listed = await toolsOf('2026-07-28', SHOWS_PAGES, 'tools/list', {}, searching);
      expect(listed.map(({ name }) => name)).toEqual([
        'board',
        'move',
        'clock',
        'search_tools',
        'read_tool',
        'call_tool',
      ]);
      const plain = await toolsOf('2026-07-28', undefined, 'tools/list', {}, searching);
      expect(plain.map(({ name }) => name)).toEqual(['search_tools', 'read_tool', 'call_tool']);
      const params = { name: 'search_tools', arguments: { query: '', limit: 10 } };
      const found = await ask('2026-07-28', undefined, 'tools/call', params, searching);
      const [{ text }] = found['content'] as [{ text: string }];
      expect(text).toContain('### clock');
      expect(text).not.toContain('### move');
    } finally {
      await searching.close();
    }
  });

  it('are shown to `visible` and by the adapter, as other resources', async () => {
    const uris = running.app
      .get(McpAdapter)
      .getResources()
      .map(({ uri }) => uri);
    expect(uris).toContain('ui://clock');
    const hidden = await start({ visible: ({ name }) => name !== 'ui://clock' });
    try {
      const read = await ask(
        '2026-07-28',
        SHOWS_PAGES,
        'resources/read',
        { uri: 'ui://clock' },
        hidden,
      );
      expect(read['message']).toBe('Resource not found');
    } finally {
      await hidden.close();
    }
  });
});

describe('a page that clients could not show', () => {
  interface Setup {
    readonly tool?: Partial<McpToolOptions>;
    readonly resource?: McpResourceOptions;
    readonly type?: string;
    readonly mcp?: Partial<McpAdapterOptions>;
  }

  async function boot({ tool, resource, type, mcp }: Setup): Promise<void> {
    @Controller('bad')
    class BadController {
      @Get()
      page() {}
    }
    const { prototype } = BadController;
    const method = Object.getOwnPropertyDescriptor(prototype, 'page') as PropertyDescriptor;
    if (tool) McpTool({ name: 'bad', description: 'Bad', ...tool })(prototype, 'page', method);
    if (resource) McpResource(resource)(prototype, 'page', method);
    if (type !== undefined) Header('content-type', type)(prototype, 'page', method);
    const platform = platforms[0];
    if (!platform) throw new Error('no platform');
    const setup = controllers(BadController);
    const running = await startApp(platform.adapter(), { ...setup, ...(mcp && { mcp }) });
    await running.close();
  }

  it.each<[string, Setup, RegExp]>([
    [
      'a tool names a page that no resource serves',
      { tool: { ui: 'ui://bord' }, resource: { uri: 'ui://board' } },
      /BadController\.page: no resource serves the page "ui:\/\/bord".*Known pages: ui:\/\/board/,
    ],
    [
      'a tool names a resource that is no page',
      { tool: { ui: 'board://one' }, resource: { uri: 'board://one' } },
      /no resource serves the page/,
    ],
    ['a tool names nothing', { tool: { ui: {} } }, /the option `ui` is empty/],
    [
      'an unknown visibility',
      { tool: { ui: { visibility: ['user' as never] } } },
      /ui\.visibility\[0\] }\) on BadController\.page is "user", but must be 'model' or 'app'/,
    ],
    [
      'another media type',
      { resource: { uri: 'ui://board', mimeType: 'text/html' } },
      /mimeType is "text\/html", but a page is always sent as "text\/html;profile=mcp-app"/,
    ],
    [
      'a route that declares another type',
      { resource: { uri: 'ui://board' }, type: 'application/json' },
      /the route returns application\/json, but a page must be text\/html/,
    ],
    [
      'an origin that would change the policy',
      {
        resource: {
          uri: 'ui://a',
          ui: { csp: { connectDomains: ['https://a.com; script-src *'] } },
        },
      },
      /ui\.csp\.connectDomains\[0\] }\).* is "https:\/\/a\.com; script-src \*", but must be an origin/,
    ],
    [
      'any origin',
      { resource: { uri: 'ui://a', ui: { csp: { resourceDomains: ['*'] } } } },
      /ui\.csp\.resourceDomains\[0\] }\).* is "\*"/,
    ],
    [
      'an unknown permission',
      { resource: { uri: 'ui://a', ui: { permissions: ['usb' as never] } } },
      /ui\.permissions\[0\] }\).* is "usb"/,
    ],
    [
      'parameters in the URI',
      { resource: { uri: 'ui://{id}' } },
      /has the parameter|has parameters/,
    ],
    [
      'settings of a page on a resource that is none',
      { resource: { uri: 'board://a', ui: { prefersBorder: true } } },
      /"board:\/\/a" is not a page URI. Start the URI with ui:/,
    ],
    [
      'a file that does not exist',
      { mcp: { pages: [{ uri: 'ui://a', file: '/no/such.html' }] } },
      /pages\[0\].*cannot be read \(ENOENT/,
    ],
    [
      'a file that is no HTML',
      { mcp: { pages: [{ uri: 'ui://a', file: 'package.json' }] } },
      /"package\.json" is not an \.html file/,
    ],
    [
      'a file with another URI',
      { mcp: { pages: [{ uri: 'https://a', file }] } },
      /is not a page URI/,
    ],
    [
      'two pages with one URI',
      { resource: { uri: 'ui://a' }, mcp: { pages: [{ uri: 'ui://a', file }] } },
      /Resource "ui:\/\/a" is declared by BadController\.page and by pages\[0\]/,
    ],
    [
      'a misspelled setting',
      { mcp: { pages: [{ uri: 'ui://a', file, scp: {} } as never] } },
      /pages\[0\]\.scp }\) is not an option/,
    ],
  ])('stops the boot: %s', async (_what, setup, error) => {
    await expect(boot(setup)).rejects.toThrow(error);
  });
});
