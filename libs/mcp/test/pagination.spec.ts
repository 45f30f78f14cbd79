import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Param } from '@nestjs/common';
import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpPrompt } from '../src/publish/decorators/mcp-prompt.decorator.js';
import { McpResource } from '../src/publish/decorators/mcp-resource.decorator.js';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import type { McpAdapterOptions } from '../src/mcp.options.js';
import { platforms } from '../../../test/support/platforms.js';
import { type AppSetup, controllers, type RunningApp, startApp } from './support/app.js';

@Controller()
class LettersController {
  @Get('a')
  @McpTool({ name: 'a', description: 'A' })
  @McpResource({ uri: 'letters://a', name: 'a' })
  a() {}

  @Get('b')
  @McpTool({ name: 'b', description: 'B' })
  @McpPrompt({ name: 'b', description: 'B' })
  b() {}

  @Get('c')
  @McpTool({ name: 'c', description: 'C' })
  @McpResource({ uri: 'letters://c', name: 'c' })
  c() {}

  @Get('d')
  @McpTool({ name: 'd', description: 'D' })
  @McpPrompt({ name: 'd', description: 'D' })
  d() {}

  @Get(':letter')
  @McpResource({ uri: 'letters://{letter}', name: 'any' })
  any(@Param('letter') letter: string) {
    return letter;
  }
}

let running: RunningApp;
afterEach(() => running.close());

type Page = { readonly nextCursor?: string } & Readonly<
  Record<string, readonly { readonly name: string }[]>
>;

describe.each(platforms)('Lists on $name', ({ adapter }) => {
  const start = async (mcp: Partial<McpAdapterOptions>, setup: AppSetup = {}) => {
    running = await startApp(adapter(), { ...controllers(LettersController), ...setup, mcp });
  };

  /** The answers of a session to a list method, one for each cursor. */
  async function inSession(): Promise<(method: string, cursor?: string) => Promise<unknown>> {
    const headers = { 'mcp-session-id': await running.wire.initialize() };
    return async (method, cursor) => {
      const params = cursor === undefined ? {} : { cursor };
      const message = { jsonrpc: '2.0', id: 1, method, params };
      const { message: answer } = await running.wire.post(message, headers);
      return answer.error ?? answer.result;
    };
  }

  /** The names on each page, by way of the cursors. */
  async function pagesOf(method: string, member: string): Promise<string[][]> {
    const list = await inSession();
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = (await list(method, cursor)) as Page;
      pages.push((page[member] ?? []).map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return pages;
  }

  it('come whole without a limit', async () => {
    await start({});
    expect(await pagesOf('tools/list', 'tools')).toEqual([['a', 'b', 'c', 'd']]);
  });

  it.each<[limit: number, pages: string[][]]>([
    [1, [['a'], ['b'], ['c'], ['d']]],
    [
      2,
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [3, [['a', 'b', 'c'], ['d']]],
    [4, [['a', 'b', 'c', 'd']]],
  ])('come in pages of %d', async (listItems, pages) => {
    await start({ limits: { listItems } });
    expect(await pagesOf('tools/list', 'tools')).toEqual(pages);
  });

  it('are paged for resources, templates and prompts', async () => {
    await start({ limits: { listItems: 1 } });
    expect([
      await pagesOf('resources/list', 'resources'),
      await pagesOf('resources/templates/list', 'resourceTemplates'),
      await pagesOf('prompts/list', 'prompts'),
    ]).toEqual([[['a'], ['c']], [['any']], [['b'], ['d']]]);
  });

  it('are complete for the official client of 2026-07-28, which follows the cursors', async () => {
    await start({ limits: { listItems: 3 } });
    const client = new Client(
      { name: 'spec', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(running.endpoint)));
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuse a cursor of no page', async () => {
    await start({ limits: { listItems: 1 } });
    const list = await inSession();
    const unknown = (cursor: string) => ({
      code: -32602,
      message: `Unknown cursor: ${cursor}. Send the \`nextCursor\` of an earlier page, or omit \`cursor\``,
    });
    for (const cursor of ['', 'x', 'YQ==']) {
      expect(await list('tools/list', cursor)).toEqual(unknown(cursor));
    }
  });

  it('leave out what is hidden, and do not tell by a cursor that it exists', async () => {
    await start({
      limits: { listItems: 1 },
      visible: ({ name }, { headers }) => name !== 'b' || headers['x-all'] !== undefined,
    });
    const all = { 'x-all': '1', 'mcp-session-id': await running.wire.initialize({ 'x-all': '1' }) };
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { cursor: cursorTo('a') },
    };
    const { nextCursor } = (await running.wire.post(message, all)).message.result as Page;
    expect(nextCursor).toBe(cursorTo('b'));

    expect(await pagesOf('tools/list', 'tools')).toEqual([['a'], ['c'], ['d']]);
    const list = await inSession();
    expect(await list('tools/list', nextCursor)).toMatchObject({ code: -32602 });
    expect(await list('tools/list', cursorTo('nothing'))).toMatchObject({ code: -32602 });
  });
});

/** The cursor behind an item. Clients must not make one; this test does, as an attacker would. */
function cursorTo(name: string): string {
  return Buffer.from(name).toString('base64url');
}
