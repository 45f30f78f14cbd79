import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { GraphqlSubscriptionsModule, type GraphqlSubscriptionsOptions } from '@fledge/graphql';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { closeAll, createApp, platforms, serve } from './platforms.js';
import { feed, TenantsModule } from './support/feed.js';
import { hangUp, until, upgrade, Wire } from './support/sockets.js';

const GRACE = 300;

const stalled = new Set<Socket>();

afterEach(async () => {
  for (const socket of stalled) socket.destroy();
  stalled.clear();
  hangUp();
  await closeAll();
});

async function msToClose(app: INestApplication): Promise<number> {
  const began = performance.now();
  await app.close();
  return performance.now() - began;
}

/** A client that was let in and never says a word again, not even to a close frame. */
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
  async function start(
    options: Partial<GraphqlSubscriptionsOptions> = {},
    providers: unknown[] = [],
  ) {
    const source = feed();
    const { app, url } = await serve(
      {
        imports: [
          TenantsModule,
          GraphqlSubscriptionsModule.forRoot({
            schema: source.schema,
            gracePeriodMs: GRACE,
            ...options,
          }),
        ],
        providers: providers as never[],
      },
      platform,
    );
    return { ...source, app, url: `${url}/graphql` };
  }

  it('says goodbye to idle clients with 1001, in less than 100 ms', async () => {
    const { app, url } = await start();
    const idle = [await Wire.connect(url), await Wire.connect(url), await Wire.open(url)];
    expect(await msToClose(app)).toBeLessThan(100);
    for (const wire of idle) {
      expect(await wire.closed).toEqual({ code: 1001, reason: 'Going away' });
    }
  });

  it('ends subscriptions, also those whose generators wait for ever', async () => {
    const { app, url, generators, listeners } = await start();
    const wire = await Wire.connect(url);
    wire.subscribe('1', 'subscription { tick { n } }');
    wire.subscribe('2', 'subscription { signalled { n } }');
    wire.subscribe('3', 'subscription { generated { n } }');
    await until(() => generators.running === 2 && Object.keys(listeners()).length === 2);
    expect(await msToClose(app)).toBeLessThan(100);
    expect(await wire.closed).toEqual({ code: 1001, reason: 'Going away' });
    expect(wire.messages.map(({ type }) => type)).toEqual(['connection_ack']);
    expect(generators).toEqual({ running: 1, told: ['nobody'] });
    // The third has no end: nothing told it, and no event came.
    expect(Object.keys(listeners())).toHaveLength(1);
  });

  it('waits for clients that do not answer, and not longer than the grace period', async () => {
    const { app, url } = await start();
    const silent = await stall(url);
    const wire = await Wire.connect(url);
    const ms = await msToClose(app);
    expect(ms).toBeGreaterThan(GRACE - 5);
    expect(ms).toBeLessThan(GRACE + 200);
    expect(await wire.closed).toMatchObject({ code: 1001 });
    await until(() => silent.destroyed || silent.closed || silent.readableEnded);
  });

  it('does not wait at all where there is no grace', async () => {
    const { app, url } = await start({ gracePeriodMs: 0 });
    await stall(url);
    expect(await msToClose(app)).toBeLessThan(100);
  });

  it('lets nobody in any more, and starts nothing on the sockets that are left', async () => {
    const { app, url, generators } = await start();
    const silent = await stall(url);
    const closing = app.close();
    // One frame, masked with zeros: the socket is still there, its client does not know better.
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
    await closing;
    expect(generators.running).toBe(0);
  });

  it('ends sockets before the shutdown hooks of every module', async () => {
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
      GraphqlSubscriptionsModule.forRoot({ schema, path, gracePeriodMs: GRACE });
    const { app, url } = await serve(
      { imports: [endpoint('/a'), endpoint('/b'), endpoint('/c')] },
      platform,
    );
    for (const path of ['/a', '/b', '/c']) await stall(`${url}${path}`);
    expect(await msToClose(app)).toBeLessThan(GRACE + 200);
  });

  it('is fine where the application never listened, and twice', async () => {
    const imports = [GraphqlSubscriptionsModule.forRoot({ schema: feed().schema })];
    const app = await createApp({ imports }, platform);
    await app.init();
    await app.close();
    await app.close();
  });
});
