// Clients that leave without ending their session, and clients that need a place.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Param } from '@nestjs/common';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import type { McpSessionOptions } from '../src/options/session-options.js';
import { controllers, openSessions, type RunningApp, startApp } from './support/app.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { INITIALIZE } from './support/wire.js';

let release: (() => void) | undefined;

@Controller()
class ThingsController {
  @Get('slow')
  @McpTool({ name: 'slow', description: 'Waits until released' })
  slow() {
    return new Promise((resolve) => {
      release = () => resolve({ done: true });
    });
  }

  @Get('things/:id')
  @McpTool({ name: 'things_get', description: 'Reads a thing' })
  get(@Param('id') id: string) {
    return { id };
  }
}

const call = (name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});
const READ = call('things_get', { id: 'a' });

describe.each(platforms)('the places of sessions on $name', ({ adapter }) => {
  let running: RunningApp;
  afterEach(() => running.close());

  async function start(sessions: McpSessionOptions = {}): Promise<void> {
    release = undefined;
    running = await startApp(adapter(), { ...controllers(ThingsController), mcp: { sessions } });
  }

  const read = async (id: string) => (await running.wire.post(READ, of(id))).status;
  const of = (id: string) => ({ 'mcp-session-id': id });
  const hasPlace = async () => (await running.wire.post(INITIALIZE)).status === 200;

  it('are one by default, and the refusal says when a place may come free', async () => {
    await start();
    const session = await running.wire.initialize();
    const { status, headers, message } = await running.wire.post(INITIALIZE);
    expect([status, message.error?.code]).toEqual([400, -32600]);
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(message.error?.message).toBe(
      'Invalid Request: Server already initialized (1 session is open, which is the maximum. A ' +
        `session may become available in ${seconds} second${seconds === 1 ? '' : 's'}. To allow ` +
        'more clients, increase McpModule.forRoot({ sessions: { max } }))',
    );
    expect(await read(session)).toBe(200);
  });

  it('go to a client that asks once a session has been idle for reclaimAfterMs', async () => {
    await start({ reclaimAfterMs: 1 });
    const left = await running.wire.initialize();
    await until(hasPlace);
    expect(openSessions(running)).toBe(1);
    // The client that was idle learns it by the answer that makes clients initialize again.
    expect(await running.wire.post(READ, of(left))).toMatchObject({
      status: 404,
      message: { error: { code: -32001, message: 'Session not found' } },
    });
  });

  it('are given up by the session that has been idle the longest', async () => {
    await start({ max: 2, reclaimAfterMs: 1 });
    const [first, second] = [await running.wire.initialize(), await running.wire.initialize()];
    expect(await read(first)).toBe(200);
    await until(hasPlace);
    expect(await read(second)).toBe(404);
    expect(await read(first)).toBe(200);
    expect(openSessions(running)).toBe(2);
  });

  it('stay with a session whose stream is open', async () => {
    await start({ reclaimAfterMs: 1 });
    const session = await running.wire.initialize();
    const leave = new AbortController();
    const stream = await fetch(running.endpoint, {
      headers: { ...of(session), accept: 'text/event-stream' },
      signal: leave.signal,
    });
    expect(stream.status).toBe(200);
    for (let tries = 0; tries < 5; tries++) expect(await hasPlace()).toBe(false);
    expect(await read(session)).toBe(200);
    leave.abort();
    await until(hasPlace);
    expect(await read(session)).toBe(404);
  });

  it('stay with a session that has a call under way', async () => {
    await start({ reclaimAfterMs: 1 });
    const session = await running.wire.initialize();
    const slow = running.wire.post(call('slow'), of(session));
    await until(() => release !== undefined);
    for (let tries = 0; tries < 5; tries++) expect(await hasPlace()).toBe(false);
    release?.();
    expect((await slow).message.result).toMatchObject({ content: [{ text: '{"done":true}' }] });
    await until(hasPlace);
  });

  it('go at once to the client that initializes anew under its own id', async () => {
    await start();
    const former = await running.wire.initialize();
    const slow = running.wire.post(call('slow'), of(former));
    await until(() => release !== undefined);
    const session = await running.wire.initialize(of(former));
    expect(session).not.toBe(former);
    expect([await read(former), await read(session), openSessions(running)]).toEqual([404, 200, 1]);
    // What was under way is answered, too: an empty stream would let the client wait.
    expect(await slow).toMatchObject({
      status: 200,
      message: { id: 1, error: { code: -32000, message: 'The session has ended' } },
    });
  });

  it('do not go to another principal by the id', async () => {
    await start();
    const session = await running.wire.initialize({ authorization: 'Bearer alice' });
    for (const authorization of ['Bearer bob', undefined]) {
      const headers = { ...of(session), authorization };
      expect(await running.wire.post(INITIALIZE, headers)).toMatchObject({ status: 400 });
    }
    const { status } = await running.wire.post(READ, {
      ...of(session),
      authorization: 'Bearer alice',
    });
    expect(status).toBe(200);
  });

  it('serve the official 2.x client in its default mode, run after run', async () => {
    await start({ reclaimAfterMs: 1 });
    for (const id of ['first', 'second', 'third']) {
      let client: Client | undefined;
      await until(async () => (client = await connected()) !== undefined);
      const result = await client?.callTool({ name: 'things_get', arguments: { id } });
      expect(result).toMatchObject({ content: [{ text: `{"id":"${id}"}` }] });
      // Sends no DELETE.
      await client?.close();
      expect(openSessions(running)).toBe(1);
    }
  });

  /** The client as its users write it; undefined where there is no place yet. */
  async function connected(): Promise<Client | undefined> {
    const client = new Client({ name: 'spec', version: '1.0.0' });
    try {
      await client.connect(new StreamableHTTPClientTransport(new URL(running.endpoint)));
      return client;
    } catch (error) {
      expect(String(error)).toContain('Server already initialized');
      return undefined;
    }
  }
});
