import { afterEach, describe, expect, it } from '@jest/globals';
import { BadRequestException } from '@nestjs/common';
import { ContextModule, defineHttpContextDecorator, IntrospectionRegistry } from '@fledge/core';
import { RequestContexts } from '@fledge/core/packages';
import { GraphqlSubscriptionsModule, type GraphqlSubscriptionsOptions } from '@fledge/graphql';
import { buildSchema } from 'graphql';
import { createClient } from 'graphql-ws';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { closeAll, createApp, platforms, serve } from '../../../test/support/platforms.js';
import { feed, TenantsModule } from './support/feed.js';
import { serveFeed } from './support/serve-feed.js';
import { hangUp, Wire } from './support/sockets.js';
import { until } from '../../../test/support/until.js';

afterEach(async () => {
  hangUp();
  await closeAll();
});

describe.each(platforms)('subscriptions on $name', (platform) => {
  const start = (options: Partial<GraphqlSubscriptionsOptions> = {}) =>
    serveFeed(platform, options);

  it('reach a client of graphql-ws, until it leaves', async () => {
    const { url, publish, listeners } = await start();
    const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket });
    const events: unknown[] = [];
    const ticks = client.iterate({ query: 'subscription { tick { n } }' });
    const reading = (async () => {
      for await (const { data } of ticks) {
        events.push(data);
        if (events.length === 3) return;
      }
    })();
    await until(() => Object.keys(listeners()).length === 1);
    for (let n = 1; n <= 5; n += 1) await publish(n);
    await reading;
    expect(events).toEqual([1, 2, 3].map((n) => ({ tick: { n } })));
    await until(() => Object.keys(listeners()).length === 0);
    await client.dispose();
  });

  it('end with `complete` when the resolver has no more', async () => {
    const { url } = await start();
    const wire = await Wire.connect(url);
    wire.subscribe('a', 'subscription ($to: Int!) { count(to: $to) }', { variables: { to: 2 } });
    await wire.message(({ type }) => type === 'complete');
    expect(wire.messages.slice(1)).toEqual([
      { id: 'a', type: 'next', payload: { data: { count: 1 } } },
      { id: 'a', type: 'next', payload: { data: { count: 2 } } },
      { id: 'a', type: 'complete' },
    ]);
  });

  it('are served without queries and mutations by default', async () => {
    const { url } = await start();
    const wire = await Wire.connect(url);
    const only = [
      expect.objectContaining({ message: 'Only subscriptions are served over WebSocket' }),
    ];
    wire.subscribe('q', '{ hello }');
    expect(await wire.answer('q')).toEqual({ id: 'q', type: 'error', payload: only });
    wire.subscribe('m', 'mutation { shout }');
    expect(await wire.answer('m')).toEqual({ id: 'm', type: 'error', payload: only });
    wire.subscribe('s', 'subscription { count(to: 1) }');
    expect(await wire.events('s', 1)).toEqual([{ count: 1 }]);
    wire.subscribe('e', 'subscription { count(to: 1) }', { operationName: '' });
    expect(await wire.events('e', 1)).toEqual([{ count: 1 }]);

    const all = await start({ operations: 'all' });
    const other = await Wire.connect(all.url);
    other.subscribe('q', '{ hello }');
    other.subscribe('m', 'mutation { shout }');
    expect(await other.events('q', 1)).toEqual([{ hello: 'world' }]);
    expect(await other.events('m', 1)).toEqual([{ shout: 'HI' }]);
  });

  it('get { ctx, container } with the headers of the connection', async () => {
    const { url } = await start({ operations: 'all' });
    const wire = await Wire.connect(
      url,
      { Authorization: 'Bearer t', 'X-Tenant-Id': 'acme', 'x-other': 'no header', n: 1 },
      { headers: { 'x-trace': 'abc' } },
    );
    const header = (name: string) => `${name.replaceAll('-', '_')}: header(name: "${name}")`;
    wire.subscribe(
      '1',
      `{ keys tenant ${['authorization', 'x-trace', 'x-other', 'n'].map(header).join(' ')} }`,
    );
    expect(await wire.events('1', 1)).toEqual([
      {
        keys: 'ctx,container',
        tenant: 'acme',
        authorization: 'Bearer t',
        x_trace: 'abc',
        x_other: null,
        n: null,
      },
    ]);
  });

  it('abort the signal of a generator whose reader left', async () => {
    const { url, generators, adapter } = await start();
    const active = () => adapter.introspect().metrics['activeSubscriptions'];
    const [first, second] = [
      await Wire.connect(url, { 'x-tenant-id': 'acme' }),
      await Wire.connect(url, { 'x-tenant-id': 'umbrella' }),
    ];
    for (const [id, wire] of [
      ['1', first],
      ['2', second],
    ] as const) {
      wire.subscribe(id, 'subscription { signalled { n } }');
    }
    await until(() => generators.running === 2);
    expect(active()).toBe(2);
    first.complete('1');
    await until(() => generators.aborted.length === 1);
    expect(active()).toBe(1);
    second.vanish();
    await until(() => generators.aborted.length === 2);
    expect(active()).toBe(0);
    expect(generators.aborted).toEqual(['acme', 'umbrella']);
    expect(first.messages.filter(({ type }) => type !== 'connection_ack')).toEqual([]);
  });

  it('that wait without end release their place and their reader', async () => {
    const { url, generators, publish } = await start({ maxSubscriptions: 2 });
    const wire = await Wire.connect(url);
    for (let i = 0; i < 5; i += 1) {
      wire.subscribe('same', 'subscription { generated { n } }');
      await until(() => generators.running === i + 1);
      wire.complete('same');
    }
    wire.subscribe('last', 'subscription { generated { n } }');
    await until(() => generators.running === 6);
    await publish(7);
    expect(await wire.events('last', 1)).toEqual([{ generated: { n: 7 } }]);
    // The event woke those that were left, too.
    await until(() => generators.running === 1);
    expect(wire.messages.some(({ id }) => id === 'same')).toBe(false);
  });

  it('run openers and context decorators first, or are refused by them', async () => {
    const Visitor = defineHttpContextDecorator({
      key: 'user',
      resolve: async (ctx) => {
        await wait(1);
        return `visitor of ${String(ctx.get('tenant'))}`;
      },
    });
    const { schema } = feed();
    const { app, url } = await serve(
      {
        imports: [
          TenantsModule,
          ContextModule.forRoot({ contributors: [Visitor] }),
          GraphqlSubscriptionsModule.forRoot({ schema, operations: 'all' }),
        ],
      },
      platform,
    );
    app.get(RequestContexts).register({
      open: () => undefined,
      admit: (_execution, ctx) => {
        if (ctx.get('tenant') === 'nobody') throw new BadRequestException('No tenant');
      },
    });
    const wire = await Wire.connect(`${url}/graphql`, { 'x-tenant-id': 'acme' });
    wire.subscribe('1', '{ user }');
    expect(await wire.events('1', 1)).toEqual([{ user: 'visitor of acme' }]);
    const nobody = await Wire.connect(`${url}/graphql`);
    nobody.subscribe('1', 'subscription { count(to: 1) }');
    expect(await nobody.answer('1')).toMatchObject({
      type: 'error',
      payload: [{ message: 'No tenant', extensions: { code: 'BAD_REQUEST' } }],
    });
  });

  it('accept options from providers', async () => {
    const { schema } = feed();
    const { url } = await serve(
      {
        imports: [
          TenantsModule,
          GraphqlSubscriptionsModule.forRootAsync({
            useFactory: () => ({ schema, path: '/live', operations: 'all' }),
          }),
        ],
      },
      platform,
    );
    const wire = await Wire.connect(`${url}/live`);
    wire.subscribe('1', '{ hello }');
    expect(await wire.events('1', 1)).toEqual([{ hello: 'world' }]);
  });

  it('of an invalid schema stop the boot', async () => {
    const schema = buildSchema('type Subscription { a: Int }');
    const imports = [GraphqlSubscriptionsModule.forRoot({ schema })];
    await expect(createApp({ imports }, platform.adapter())).rejects.toMatchObject({
      code: 'GRAPHQL_BAD_SCHEMA',
      message: expect.stringContaining('Query root type must be provided'),
    });
  });

  it('are counted', async () => {
    const { app, url, adapter } = await start({ operations: 'all' });
    const metrics = () => adapter.introspect().metrics;
    expect(adapter.introspect()).toEqual({
      protocolVersion: 1,
      name: 'GraphqlSubscriptionsAdapter',
      kind: 'adapter',
      state: { path: '/graphql' },
      metrics: { connections: 0, activeSubscriptions: 0, subscriptions: 0, errors: 0 },
    });
    const wire = await Wire.connect(url);
    wire.subscribe('1', 'subscription { tick { n } }');
    wire.subscribe('2', 'subscription { tick { n } }');
    wire.subscribe('3', 'subscription { nope }');
    wire.subscribe('4', '{ hello');
    wire.subscribe('5', '{ hello }');
    await wire.events('5', 1);
    await until(() => metrics()['activeSubscriptions'] === 2);
    expect(metrics()).toEqual({
      connections: 1,
      activeSubscriptions: 2,
      subscriptions: 2,
      errors: 2,
    });
    wire.complete('1');
    await until(() => metrics()['activeSubscriptions'] === 1);
    wire.vanish();
    await until(() => metrics()['connections'] === 0);
    expect(metrics()).toEqual({
      connections: 0,
      activeSubscriptions: 0,
      subscriptions: 2,
      errors: 2,
    });
    const { adapters } = await app.get(IntrospectionRegistry).collect();
    expect(adapters).toContainEqual(adapter.introspect());
    expect(adapter.introspect()).not.toBe(adapter.introspect());
  });
});
