// The event stream of calls, with readers that are slow, away or many.
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { CallObservers } from '@fledge/core/packages';
import { IntrospectionRegistry } from '@fledge/core';
import { PanelModule } from '@fledge/panel';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { callRecord } from './support/call-record.js';

const CALLS = 10_000;
/** Of one record, as `text` below. */
const PAYLOAD = 1_000;

const record = (name: string) =>
  callRecord({ name, session: 'session-digest', arguments: { text: 'x'.repeat(PAYLOAD) } });

async function makeCalls(app: INestApplication, count: number): Promise<void> {
  const observers = app.get(CallObservers, { strict: false });
  for (let i = 0; i < count; i++) {
    void observers.notify(record(`tool_${i}`));
    if (i % 100 === 0) await setImmediate();
  }
}

/** Opens the stream, and reads nothing of it before `resume()`. */
async function idleReader(url: string, headers = ''): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET /_fledge/api/calls/stream HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
  return socket;
}

async function metricsOf(app: INestApplication): Promise<Record<string, unknown>> {
  const { adapters } = await app.get(IntrospectionRegistry, { strict: false }).collect();
  return { ...adapters.find(({ name }) => name === 'PanelAdapter')?.metrics };
}

afterEach(closeAll);

describe.each(platforms)('the stream of calls on $name', (platform) => {
  it('drops and counts the calls that a slow reader does not fetch', async () => {
    const { app, url } = await serve({ imports: [PanelModule.forRoot()] }, platform);
    const socket = await idleReader(url);
    await until(async () => (await metricsOf(app))['streams'] === 1);
    await makeCalls(app, CALLS);
    expect(await metricsOf(app)).toEqual({ calls: CALLS, kept: 200, streams: 1 });

    let text = '';
    socket.on('data', (chunk: Buffer) => (text += String(chunk)));
    socket.resume();
    const sent = () => [...text.matchAll(/^event: call$/gm)].length;
    const dropped = () =>
      [...text.matchAll(/^data: \{"count":(\d+)\}/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
    await until(() => sent() + dropped() === CALLS);
    // Most were not kept for it: what waited is bounded by buffers of the server and of the sockets.
    expect(dropped()).toBeGreaterThan(0);
    expect(text).toContain(`id: ${CALLS}\n`);
    socket.destroy();
    await until(async () => (await metricsOf(app))['streams'] === 0);
  });

  it('buffers little for a slow reader, however large the calls are', async () => {
    const { app, url } = await serve({ imports: [PanelModule.forRoot()] }, platform);
    const server = app.getHttpServer() as Server;
    const opened = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    const socket = await idleReader(url);
    const [, response] = await opened;
    await until(async () => (await metricsOf(app))['streams'] === 1);
    const large = Array.from({ length: 50 }, () => 'x'.repeat(2_000));
    const observers = app.get(CallObservers, { strict: false });
    for (let i = 0; i < 200; i++) {
      void observers.notify({ ...record(`tool_${i}`), arguments: { large } });
    }
    await until(() => response.writableLength > 100_000);
    expect(response.writableLength).toBeLessThan(1_000_000);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += String(chunk)));
    socket.resume();
    await until(() => text.includes('id: 200\n'));
    expect(text.match(/^id: \d+$/gm)).toHaveLength(200);
    socket.destroy();
  });

  it('sends the calls that a reader missed, and counts those that are no longer kept', async () => {
    const { app, url } = await serve({ imports: [PanelModule.forRoot()] }, platform);
    await makeCalls(app, 300);
    const socket = await idleReader(url, 'Last-Event-ID: 40\r\n');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += String(chunk)));
    socket.resume();
    await until(() => text.includes('id: 300\n'));
    expect(text).toContain('data: {"count":60}');
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual(
      Array.from({ length: 200 }, (_, i) => 101 + i),
    );
    expect(text).not.toContain('session-digest');
    socket.destroy();
  });

  it('ends when authorize no longer returns true, before it sends another call', async () => {
    let isAllowed = true;
    const contexts = new Set<unknown>();
    const authorize = () => {
      contexts.add(storage.getStore());
      return Promise.resolve(isAllowed);
    };
    const storage = new AsyncLocalStorage<string>();
    const { app, url } = await serve(
      { imports: [PanelModule.forRoot({ authorize })] },
      platform,
      (it) => it.use((_q: unknown, _s: unknown, next: () => void) => storage.run('reader', next)),
    );
    const socket = await idleReader(url);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += String(chunk)));
    const closed = once(socket.resume(), 'close');
    await until(async () => (await metricsOf(app))['streams'] === 1);
    let made = 0;
    const make = () => storage.run('caller', () => makeCalls(app, 1).then(() => (made += 1)));
    // Until authorize was asked again: calls go on.
    contexts.clear();
    await until(async () => {
      await make();
      return contexts.size > 0;
    });
    await until(() => text.includes(`id: ${made}\n`));
    isAllowed = false;
    await until(async () => {
      await make();
      return (await metricsOf(app))['streams'] === 0;
    });
    await closed;
    expect(text).not.toContain(`id: ${made}\n`);
    // Not in that of the call.
    expect([...contexts]).toEqual(['reader']);
  });

  it('escapes what some clients take for the end of a line', async () => {
    const { app, url } = await serve({ imports: [PanelModule.forRoot()] }, platform);
    const socket = await idleReader(url);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.resume();
    await until(async () => (await metricsOf(app))['streams'] === 1);
    const call = { ...record('tool'), arguments: { text: 'a\u2028b\u2029c\u0085d' } };
    void app.get(CallObservers, { strict: false }).notify(call);
    await until(() => text.includes('"text":"a'));
    expect(text).toContain('"text":"a\\u2028b\\u2029c\\u0085d"');
    socket.destroy();
  });

  it('ends the oldest of too many streams, and all when the application closes', async () => {
    const { app, url } = await serve({ imports: [PanelModule.forRoot()] }, platform);
    const closed: Promise<unknown>[] = [];
    for (let i = 0; i < 33; i++) {
      const socket = await idleReader(url);
      closed.push(once(socket.resume(), 'close'));
      await until(async () => (await metricsOf(app))['streams'] === Math.min(i + 1, 32));
    }
    expect((await metricsOf(app))['streams']).toBe(32);
    await closed[0];
    await app.close();
    await Promise.all(closed);
  });
});
