import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, type OnModuleDestroy, type Provider } from '@nestjs/common';
import { GraphqlSubscriptionsModule, type GraphqlSubscriptionsOptions } from '@fledge/graphql';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { closeAll, createApp, platforms, serve } from '../../../test/support/platforms.js';
import { feed } from './support/feed.js';
import { withoutLongTimers } from './support/long-timers.js';
import { serveFeed } from './support/serve-feed.js';
import { hangUp, upgrade, Wire } from './support/sockets.js';
import { until } from '../../../test/support/until.js';

/** Longer than the time limit of a test: what waits for it fails. */
const HOUR = 3_600_000;

const stalled = new Set<Socket>();

afterEach(async () => {
  for (const socket of stalled) socket.destroy();
  stalled.clear();
  hangUp();
  await closeAll();
});

/** Connects a client that sends nothing more, and does not answer a close frame. */
async function stall(url: string): Promise<Socket> {
  const { host, port, pathname } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  stalled.add(socket);
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
      'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  );
  await once(socket, 'data');
  return socket;
}

describe.each(platforms)('closing the application on $name', (platform) => {
  const start = (
    options: Partial<GraphqlSubscriptionsOptions> = {},
    providers: readonly Provider[] = [],
  ) => serveFeed(platform, { gracePeriodMs: HOUR, ...options }, providers);

  it('closes idle clients with 1001, and waits until they answer', async () => {
    const { app, url } = await start();
    const idle = [await Wire.connect(url), await Wire.connect(url), await Wire.open(url)];
    await app.close();
    for (const wire of idle) {
      expect(await wire.closed).toEqual({ code: 1001, reason: 'Going away' });
    }
  });

  it('ends subscriptions, also those whose generators wait without end', async () => {
    const { app, url, generators, listeners } = await start();
    const wire = await Wire.connect(url);
    wire.subscribe('1', 'subscription { tick { n } }');
    wire.subscribe('2', 'subscription { signalled { n } }');
    wire.subscribe('3', 'subscription { generated { n } }');
    await until(() => generators.running === 2 && Object.keys(listeners()).length === 2);
    await app.close();
    expect(await wire.closed).toEqual({ code: 1001, reason: 'Going away' });
    expect(wire.messages.map(({ type }) => type)).toEqual(['connection_ack']);
    expect(generators).toEqual({ running: 1, aborted: ['nobody'] });
    // The third generator stays open: it has no signal, and no event has arrived.
    expect(Object.keys(listeners())).toHaveLength(1);
  });

  it('waits for clients that do not answer up to the grace period', async () => {
    const gracePeriodMs = 300;
    const { app, url } = await start({ gracePeriodMs });
    const silent = await stall(url);
    const wire = await Wire.connect(url);
    const began = performance.now();
    // Without the grace period, ws waits for 30 seconds.
    await withoutLongTimers(() => app.close());
    expect(performance.now() - began).toBeGreaterThan(gracePeriodMs - 5);
    expect(await wire.closed).toMatchObject({ code: 1001 });
    await until(() => silent.destroyed || silent.closed || silent.readableEnded);
  });

  it('does not wait with a grace period of 0', async () => {
    const { app, url } = await start({ gracePeriodMs: 0 });
    await stall(url);
    const timers = jest.spyOn(globalThis, 'setTimeout');
    await app.close();
    const delays = timers.mock.calls.map(([, ms]) => ms);
    timers.mockRestore();
    expect(delays).toContain(0);
    // Neither the default nor any other time of ours: 30 seconds are the limit of ws.
    expect(delays.filter((ms) => ms !== undefined && ms > 0 && ms < 30_000)).toEqual([]);
  });

  it('refuses new sockets, and new operations on open ones', async () => {
    const { app, url, generators } = await start();
    const silent = await stall(url);
    const closing = app.close();
    // One frame, masked with zeros, on a socket that is still open.
    for (const message of [
      '{"type":"connection_init"}',
      '{"type":"subscribe","id":"1","payload":{"query":"subscription{generated{n}}"}}',
    ]) {
      silent.write(
        Buffer.concat([
          Buffer.from([0x81, 0x80 | message.length, 0, 0, 0, 0]),
          Buffer.from(message),
        ]),
      );
    }
    expect(await upgrade(url)).toEqual({ status: 503, body: 'Service Unavailable' });
    silent.destroy();
    await closing;
    expect(generators.running).toBe(0);
  });

  it('ends sockets before the shutdown hooks of modules', async () => {
    const seen: number[] = [];
    let running = (): number => -1;
    @Injectable()
    class Store implements OnModuleDestroy {
      onModuleDestroy() {
        seen.push(running());
      }
    }
    const { app, url, generators } = await start({}, [Store]);
    running = () => generators.running;
    const wire = await Wire.connect(url);
    wire.subscribe('1', 'subscription { signalled { n } }');
    await until(() => generators.running === 1);
    await app.close();
    expect(seen).toEqual([0]);
  });

  it('ends several endpoints together', async () => {
    const { schema } = feed();
    const endpoint = (path: string) =>
      GraphqlSubscriptionsModule.forRoot({
        schema,
        path,
        gracePeriodMs: HOUR,
        // Else the server would close silent sockets by itself.
        initTimeoutMs: HOUR,
      });
    const { app, url } = await serve(
      { imports: [endpoint('/a'), endpoint('/b'), endpoint('/c')] },
      platform,
    );
    let goodbyes = 0;
    for (const path of ['/a', '/b', '/c']) {
      (await stall(`${url}${path}`)).once('data', () => (goodbyes += 1));
    }
    const closing = app.close();
    // One after the other, the second would wait an hour for the first client.
    await until(() => goodbyes === 3);
    for (const socket of stalled) socket.destroy();
    await closing;
  });

  it('works without listening, and twice', async () => {
    const imports = [GraphqlSubscriptionsModule.forRoot({ schema: feed().schema })];
    const app = await createApp({ imports }, platform.adapter());
    await app.init();
    await app.close();
    await app.close();
  });
});
