// A client that asks for messages but does not read them must not fill the memory of the server.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { type IncomingMessage, request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { McpAdapter } from '../src/mcp.adapter.js';
import type { McpAdapterOptions } from '../src/mcp.options.js';
import { McpResource } from '../src/publish/decorators/mcp-resource.decorator.js';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import { McpCallInfo } from '../src/serve/call/mcp-call-info.decorator.js';
import type { McpCall } from '../src/serve/call/mcp-call.js';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { wire } from './support/wire.js';

const LOGS = 30_000;
const UPDATES = 200_000;
const URI = 'notes://a';

@Controller('notes')
class NotesController {
  @Get()
  @McpTool({ name: 'talk', description: 'Logs much' })
  async talk(@McpCallInfo() call: McpCall) {
    for (let i = 0; i < LOGS; i++) {
      call.log('error', 'x'.repeat(1_000));
      if (i % 50 === 0) await nextTurn();
    }
    return 'done';
  }

  @Get('a')
  @McpResource({ uri: URI })
  read() {
    return 'a';
  }
}

const REVISION = '2026-07-28';

describe.each(platforms)('a client that does not read on $name', ({ adapter }) => {
  let running: RunningApp;
  afterEach(() => running.close());

  const start = async (sessions: McpAdapterOptions['sessions'] = {}) => {
    const mcp = { sessions: { max: 100, ...sessions } };
    running = await startApp(adapter(), { ...controllers(NotesController), mcp });
  };

  /** Sends a request and reads nothing of the body of its response. */
  const unread = (headers: object, message?: object) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(running.endpoint, {
        method: message ? 'POST' : 'GET',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      });
      sent.once('response', resolve).once('error', reject);
      sent.end(message && JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
    });

  const stateless = (method: string, params: object, meta: object = {}) =>
    unread(
      { 'mcp-protocol-version': REVISION, 'mcp-method': method, 'mcp-name': 'talk' },
      {
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': REVISION,
            'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1.0.0' },
            'io.modelcontextprotocol/clientCapabilities': {},
            ...meta,
          },
        },
      },
    );

  it('misses log messages, but gets the result', async () => {
    await start();
    const meta = { 'io.modelcontextprotocol/logLevel': 'debug' };
    const response = await stateless('tools/call', { name: 'talk', arguments: {} }, meta);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const text = await textOf(response);
    expect(text).toContain('"text":"done"');
    expect(text.split('notifications/message').length).toBeLessThan(LOGS);
  });

  const change = async () => {
    const { app } = running;
    for (let i = 0; i < UPDATES; i++) {
      app.get(McpAdapter).resourceUpdated(URI);
      if (i % 1_000 === 0) await nextTurn();
    }
  };

  /** Reads until the notifications that waited have arrived. */
  const updatesIn = async (response: IncomingMessage) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const count = () => text.split('notifications/resources/updated').length - 1;
    for (let before = -1; before !== count();) {
      before = count();
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    response.destroy();
    return count();
  };

  it('gets equal notifications once at subscriptions/listen', async () => {
    await start();
    const notifications = { resourceSubscriptions: [URI] };
    const response = await stateless('subscriptions/listen', { notifications });
    await change();
    const count = await updatesIn(response);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(UPDATES);
  });

  it('gets equal notifications once in the stream of a session', async () => {
    await start();
    const session = { 'mcp-session-id': await wire(running.endpoint).initialize() };
    const subscribe = { method: 'resources/subscribe', params: { uri: URI } };
    await textOf(await unread(session, subscribe));
    const response = await unread(session);
    await change();
    const count = await updatesIn(response);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(UPDATES);
  });

  it('resumes the stream of a session, if the session stores events', async () => {
    await start({ resume: { maxEvents: 100 } });
    const session = { 'mcp-session-id': await wire(running.endpoint).initialize() };
    const subscribe = { method: 'resources/subscribe', params: { uri: URI } };
    await textOf(await unread(session, subscribe));
    const response = await unread(session);
    await change();
    const text = await textOf(response);
    expect(text.split('notifications/resources/updated').length).toBeLessThan(UPDATES);
  });
});

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
  return text;
}
