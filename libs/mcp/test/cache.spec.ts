// `cache`: how long clients may keep lists, and `McpAdapter.toolsChanged()`, which makes them ask again.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Client as ModernClient } from '@modelcontextprotocol/client';
import type { Client as SessionClient } from '@modelcontextprotocol/sdk/client/index.js';
import {
  McpAdapter,
  type McpAdapterOptions,
  McpOptionError,
  McpPrompt,
  McpResource,
  McpTool,
} from '../src/index.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connectEra, type EraClient } from './support/eras.js';
import { postModern } from './support/modern-wire.js';
import { wire } from './support/wire.js';

@Controller('notes')
class NotesController {
  @Get()
  @McpTool({ name: 'notes', description: 'Lists notes' })
  @McpResource({ uri: 'notes://all', name: 'notes' })
  @McpPrompt({ name: 'ask', description: 'Asks' })
  list() {
    return 'notes';
  }
}

@Controller('board')
class BoardController {
  @Get()
  @McpTool({ name: 'board', description: 'Shows a board', ui: 'ui://board' })
  board() {
    return 'board';
  }

  @Get('page')
  @McpResource({ uri: 'ui://board' })
  page() {
    return '<p>Board</p>';
  }
}

const auth = { type: 'bearer' as const, validate: () => true };

let running: RunningApp | undefined;
let client: EraClient | undefined;
afterEach(async () => {
  await client?.close();
  await running?.close();
  running = client = undefined;
});

describe.each(platforms)('on $name', ({ adapter }) => {
  const start = async (mcp: Partial<McpAdapterOptions>, controller: object = NotesController) =>
    (running = await startApp(adapter(), { ...controllers(controller), mcp }));

  const resultOf = async (endpoint: string, method: string, params: Record<string, unknown> = {}) =>
    (await postModern(wire(endpoint), { method, params })).message.result;

  it('lists may be kept, and nothing else', async () => {
    const { endpoint } = await start({ cache: { ttlMs: 60_000, cacheScope: 'public' } });
    const kept = { ttlMs: 60_000, cacheScope: 'public' };
    for (const list of ['tools', 'resources', 'resources/templates', 'prompts']) {
      expect(await resultOf(endpoint, `${list}/list`)).toMatchObject(kept);
    }
    const read = await resultOf(endpoint, 'resources/read', { uri: 'notes://all' });
    expect(read).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
    expect(await resultOf(endpoint, 'server/discover')).toMatchObject({ ttlMs: 0 });
    const called = await resultOf(endpoint, 'tools/call', { name: 'notes', arguments: {} });
    expect(called).not.toHaveProperty('ttlMs');
  });

  it('lists that differ by client stay private', async () => {
    const { endpoint } = await start(
      { cache: { ttlMs: 1, cacheScope: 'public' } },
      BoardController,
    );
    const listed = await resultOf(endpoint, 'tools/list');
    expect(listed).toMatchObject({ ttlMs: 1, cacheScope: 'private' });
  });

  it('an endpoint has its own setting, or that of the module', async () => {
    const { url } = await start({
      cache: { ttlMs: 5 },
      endpoints: [{ path: '/a' }, { path: '/b', cache: { ttlMs: 7, cacheScope: 'public' } }],
    });
    expect(await resultOf(`${url}/a`, 'tools/list')).toMatchObject({ ttlMs: 5 });
    expect(await resultOf(`${url}/b`, 'tools/list')).toMatchObject({ ttlMs: 7 });
  });

  it.each<[Partial<McpAdapterOptions>, string]>([
    [
      { visible: () => true },
      'the lists of /_mcp/messages depend on the caller because of the option `visible`',
    ],
    [{ auth }, 'the lists of /_mcp/messages depend on the caller because of the option `auth`'],
  ])('stops startup if callers would share lists: %o', async (own, message) => {
    const starts = start({ ...own, cache: { cacheScope: 'public' } });
    await expect(starts).rejects.toThrow(McpOptionError);
    await expect(starts).rejects.toThrow(`cache.cacheScope }) is 'public', but ${message}`);
  });

  it('toolsChanged() reaches sessions, whose clients then see other tools', async () => {
    let shows = false;
    const { app, endpoint } = await start({ visible: () => shows });
    client = await connectEra('2025-11-25', endpoint);
    const sdk = client.client as SessionClient;
    expect(sdk.getServerCapabilities()?.tools).toEqual({ listChanged: true });
    let heard = 0;
    sdk.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard++);
    expect((await sdk.listTools()).tools).toEqual([]);
    shows = true;
    // The stream of the session opens after `connect()` has returned, so one notification may be too early.
    await until(() => {
      if (heard === 0) app.get(McpAdapter).toolsChanged();
      return heard > 0;
    }, 'the client was notified');
    expect((await sdk.listTools()).tools).toMatchObject([{ name: 'notes' }]);
  });

  it('toolsChanged() reaches clients that listen', async () => {
    const { app, endpoint } = await start({ visible: () => true });
    client = await connectEra('2026-07-28', endpoint);
    const sdk = client.client as ModernClient;
    expect(sdk.getServerCapabilities()?.tools).toEqual({ listChanged: true });
    let heard = 0;
    sdk.setNotificationHandler('notifications/tools/list_changed', () => void heard++);
    const subscription = await sdk.listen({ toolsListChanged: true });
    app.get(McpAdapter).toolsChanged();
    await until(() => heard > 0, 'the client was notified');
    await subscription.close();
  });

  it('without visible, tools do not change, and the server does not say so', async () => {
    const { app, endpoint } = await start({});
    client = await connectEra('2026-07-28', endpoint);
    expect((client.client as ModernClient).getServerCapabilities()?.tools).toEqual({});
    app.get(McpAdapter).toolsChanged();
  });
});
