import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { GraphqlSubscriptionsOptions } from '@fledge/graphql';
import { buildSchema } from 'graphql';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { closeAll, platforms } from '../../../test/support/platforms.js';
import { serveFeed } from './support/serve-feed.js';
import { hangUp, settled, Wire } from './support/sockets.js';
import { until } from '../../../test/support/until.js';

afterEach(async () => {
  hangUp();
  await closeAll();
  jest.restoreAllMocks();
});

const MIB = 1_048_576;

describe.each(platforms)('hostile clients on $name', (platform) => {
  /** An application with a well-behaved subscriber, who has to be served whatever the others do. */
  async function start(options: Partial<GraphqlSubscriptionsOptions> = {}) {
    const served = await serveFeed(platform, options);
    const connections = () => served.adapter.introspect().metrics['connections'];
    return { ...served, connections };
  }

  it.each<[string, (wire: Wire) => void, { code: number; reason?: string }]>([
    ['binary garbage', (it) => it.socket.send(Buffer.alloc(1_000, 0xfe)), { code: 4400 }],
    ['text that is no JSON', (it) => it.socket.send('{"type":'), { code: 4400 }],
    ['JSON that is no message', (it) => it.socket.send('[]'), { code: 4400 }],
    ['null', (it) => it.socket.send('null'), { code: 4400 }],
    ['an unknown type', (it) => it.send({ type: 'start', id: '1' }), { code: 4400 }],
    [
      'what only servers send',
      (it) => it.send({ type: 'next', id: '1', payload: {} }),
      { code: 4400, reason: 'Invalid message received' },
    ],
    ['an acknowledgement', (it) => it.send({ type: 'connection_ack' }), { code: 4400 }],
    [
      'an operation without query',
      (it) => it.send({ type: 'subscribe', id: '1', payload: {} }),
      { code: 4400 },
    ],
    [
      'variables that are no object',
      (it) => it.subscribe('1', 'subscription { count(to: 1) }', { variables: [1] }),
      { code: 4400 },
    ],
    ['a message above 1 MiB', (it) => it.socket.send('x'.repeat(MIB + 1)), { code: 1009 }],
    ['20 MiB', (it) => it.socket.send(Buffer.alloc(20 * MIB)), { code: 1009 }],
    [
      'a text that is no UTF-8',
      (it) => it.socket.send(Buffer.from([0xc3, 0x28]), { binary: false }),
      { code: 1007 },
    ],
  ])('are disconnected for %s, and other clients stay', async (_, attack, closing) => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const written = jest.spyOn(console, 'error').mockReturnValue(undefined);
    const { url, publish, listeners, connections } = await start();
    const good = await Wire.connect(url);
    good.subscribe('1', 'subscription { tick { n } }');
    await until(() => Object.keys(listeners()).length === 1);
    const bad = await Wire.connect(url);
    attack(bad);
    expect(await bad.closed).toMatchObject(closing);
    await until(() => connections() === 1);
    await publish(1);
    expect(await good.events('1', 1)).toEqual([{ tick: { n: 1 } }]);
    // A client's faults are no news: a log would be theirs to fill.
    expect(logged).not.toHaveBeenCalled();
    expect(written).not.toHaveBeenCalled();
  });

  it('may send a message of 1 MiB', async () => {
    const { url } = await start();
    const wire = await Wire.connect(url);
    const query = 'subscription { count(to: 1) }';
    wire.subscribe('1', query.padEnd(MIB - 200));
    expect(await wire.events('1', 1)).toEqual([{ count: 1 }]);
  });

  it('that send invalid frames are disconnected', async () => {
    const { url, connections } = await start();
    for (const frame of [
      [0xc1, 0x80, 0, 0, 0, 0],
      [0x81, 0x01, 0x41],
      [0x83, 0x80, 0, 0, 0, 0],
    ]) {
      const wire = await Wire.connect(url);
      (wire.socket as unknown as { _socket: NodeJS.WritableStream })._socket.write(
        Buffer.from(frame),
      );
      expect(await wire.closed).toMatchObject({ code: 1002 });
    }
    await until(() => connections() === 0);
  });

  it('that disappear end their subscriptions', async () => {
    const { url, listeners, connections, adapter, generators } = await start();
    const wires = await Promise.all(Array.from({ length: 20 }, () => Wire.connect(url)));
    for (const wire of wires) {
      wire.subscribe('1', 'subscription { tick { n } }');
      wire.subscribe('2', 'subscription { signalled { n } }');
    }
    await until(() => generators.running === 20 && Object.keys(listeners()).length === 20);
    expect(adapter.introspect().metrics['activeSubscriptions']).toBe(40);
    for (const wire of wires) wire.vanish();
    await until(() => connections() === 0 && Object.keys(listeners()).length === 0);
    await until(() => generators.running === 0);
    expect(adapter.introspect().metrics['activeSubscriptions']).toBe(0);
  });

  it('that disappear while an operation begins leave nothing behind', async () => {
    let asked = 0;
    let executed = 0;
    let pass!: () => void;
    const gate = new Promise<void>((resolve) => (pass = resolve));
    const { url, app, connections, adapter } = await start({
      schema: buildSchema('type Query { q: Int } type Subscription { slow: Int }'),
      rootValue: {
        slow: async function* () {
          executed += 1;
          yield await Promise.resolve({ slow: 1 });
        },
      },
      onConnect: () => undefined,
    });
    const { RequestContexts } = await import('@fledge/core/packages');
    app.get(RequestContexts).register({
      open: async () => {
        asked += 1;
        if (asked === 2) await gate;
      },
    });
    const wire = await Wire.connect(url);
    wire.subscribe('1', 'subscription { slow }');
    await until(() => asked === 2);
    wire.vanish();
    await until(() => connections() === 0);
    pass();
    await settled(url, () => executed);
    expect(executed).toBe(0);
    expect(adapter.introspect().metrics).toMatchObject({
      activeSubscriptions: 0,
      subscriptions: 0,
    });
  });

  it('that do not read their answers are read no further, and use no memory', async () => {
    const { url, connections } = await start();
    const flood = await Wire.connect(url);
    const raw = (flood.socket as unknown as { _socket: import('node:net').Socket })._socket;
    raw.pause();
    const ping = JSON.stringify({ type: 'ping', payload: { filler: 'x'.repeat(100_000) } });
    for (let i = 0; i < 400; i += 1) flood.socket.send(ping);
    // The server stopped reading: what it would have kept waits on the client's side.
    const waiting = await settled(url, () => flood.socket.bufferedAmount);
    expect(waiting).toBeGreaterThan(4 * MIB);
    const good = await Wire.connect(url);
    good.subscribe('1', 'subscription { count(to: 1) }');
    expect(await good.events('1', 1)).toEqual([{ count: 1 }]);
    // It is read on when it reads.
    raw.resume();
    await until(() => flood.socket.bufferedAmount === 0);
    await until(() => connections() === 2);
  });

  it('that flood with pings do not delay others', async () => {
    const { url, connections } = await start();
    const good = await Wire.connect(url);
    const [frames, messages] = [await Wire.connect(url), await Wire.connect(url)];
    for (let i = 0; i < 5_000; i += 1) {
      frames.socket.ping();
      messages.send({ type: 'ping' });
    }
    good.subscribe('1', 'subscription { count(to: 3) }');
    expect(await good.events('1', 3)).toHaveLength(3);
    await messages.gather(5_000, ({ type }) => type === 'pong');
    // Frames are answered by ws itself, which cuts off who sends more than it can answer.
    expect(await frames.closed).toMatchObject({ code: 1006 });
    await until(() => connections() === 2);
  });

  it('that read slowly delay their own events only, one at a time', async () => {
    let made = 0;
    const { url } = await start({
      schema: buildSchema('type Query { q: Int } type Subscription { big: String }'),
      rootValue: {
        big: async function* () {
          for (;;) {
            made += 1;
            await wait(0);
            yield { big: 'x'.repeat(200_000) };
          }
        },
      },
    });
    const slow = await Wire.connect(url);
    slow.subscribe('1', 'subscription { big }');
    await slow.events('1', 1);
    slow.socket.pause();
    const before = await settled(url, () => made);
    // What the kernel took, and one more: the generator waits for its reader.
    expect(made).toBeLessThan(200);
    slow.socket.resume();
    await until(() => made > before + 5);
    slow.vanish();
  });

  it('that send half a request do not concern the router', async () => {
    const { url } = await start();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /graphql HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
    const wire = await Wire.connect(url);
    wire.subscribe('1', 'subscription { count(to: 1) }');
    expect(await wire.events('1', 1)).toEqual([{ count: 1 }]);
  });
});
