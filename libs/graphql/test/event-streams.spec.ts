// What holds for sockets holds for event streams.
import { afterEach, describe, expect, it } from '@jest/globals';
import { IntrospectionRegistry } from '@fledge/core';
import { buildSchema } from 'graphql';
import {
  type GraphqlContext,
  graphqlHttp,
  GraphqlMountModule,
  type GraphqlMountOptions,
  type GraphqlRuntime,
  GraphqlSubscriptionsAdapter,
} from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { feed, TenantsModule } from './support/feed.js';
import { hangUp, Wire } from './support/sockets.js';
import { until } from '../../../test/support/until.js';
import { heard, openStream, type Stream } from './support/streams.js';

const streams: Stream[] = [];

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.leave();
  hangUp();
  await closeAll();
});

const SIGNALLED = 'subscription { signalled { n } }';

const served = platforms.flatMap((platform) => [
  { name: `Yoga on ${platform.name}`, platform, runtime: () => yoga() },
  {
    name: `graphqlHttp() on ${platform.name}`,
    platform,
    runtime: () => graphqlHttp({ eventStreams: true }),
  },
]);

describe.each(served)('event streams of $name', ({ platform, runtime }) => {
  async function start(
    subscriptions: GraphqlMountOptions['subscriptions'],
    more: Partial<GraphqlMountOptions> = {},
  ) {
    const source = feed();
    const { app, url } = await serve(
      {
        imports: [
          TenantsModule,
          GraphqlMountModule.forRoot({
            schema: source.schema,
            runtime: runtime(),
            ...(subscriptions !== undefined && { subscriptions }),
            ...more,
          }),
        ],
      },
      platform,
    );
    const open = async (query: string, headers?: Record<string, string>) => {
      const stream = await openStream(`${url}/graphql`, query, headers);
      streams.push(stream);
      return stream;
    };
    const metrics = () =>
      app.get(GraphqlSubscriptionsAdapter, { strict: false }).introspect().metrics;
    return { ...source, app, url, open, metrics };
  }

  it.each([
    'text/event-stream',
    'Text/Event-Stream',
    'application/json;q=0.1, text/event-stream',
    'text/*',
  ])('end when the application closes, for Accept: %s', async (accept) => {
    const { app, open, generators, url } = await start(undefined);
    const query = encodeURIComponent(SIGNALLED);
    const wanted = accept === 'text/event-stream' ? open(SIGNALLED) : undefined;
    // Yoga streams for some of these only. For the others there is no open stream to end.
    const answer = fetch(`${url}/graphql?query=${query}`, { headers: { accept } })
      .then((response) => response.text())
      .catch(() => 'cut off');
    const stream = await wanted;
    if (stream) await until(() => generators.running === 2);
    await app.close();
    await answer;
    await stream?.ended;
    if (stream) expect(stream.text()).toContain('event: complete');
    await until(() => generators.running === 0);
  });

  it('escape what some clients take for the end of a line', async () => {
    const { open } = await start(undefined, {
      schema: buildSchema('type Query { text: String }'),
      rootValue: { text: 'one\u2028two\u2029three\u0085' },
    });
    const stream = await open('{ text }');
    await stream.ended;
    expect(stream.text()).toContain(
      'data: {"data":{"text":"one\\u2028two\\u2029three\\u0085"}}\n\n',
    );
  });

  it('give resolvers the signal, which is aborted for the tenant of the stream', async () => {
    const { open, generators } = await start(undefined);
    const stream = await open(SIGNALLED, { 'x-tenant-id': 'acme' });
    await until(() => generators.running === 1);
    stream.leave();
    await until(() => generators.running === 0);
    expect(generators.aborted).toEqual(['acme']);
  });

  it('run each event for the tenant of their subscriber', async () => {
    const { open, publish, listeners } = await start(undefined);
    const fields = '{ n subscribed resolved field later }';
    const tenants = ['a', 'b', 'c'];
    const opened = await Promise.all(
      tenants.map((tenant) =>
        open(`subscription { generated ${fields} }`, { 'x-tenant-id': tenant }),
      ),
    );
    await until(() => Object.keys(listeners()).length === 3);
    for (let n = 0; n < 5; n += 1) await publish(n);
    for (const [i, stream] of opened.entries()) {
      await heard(stream, '"n":4');
      const tenant = tenants[i]!;
      const seen = [...stream.text().matchAll(/"(subscribed|resolved|field|later)":"([^"]*)"/g)];
      expect(seen).toHaveLength(20);
      expect(new Set(seen.map(([, , found]) => found))).toEqual(new Set([tenant]));
    }
  });

  it('are limited per client', async () => {
    const { open, generators, metrics } = await start({ maxSubscriptions: 2 });
    const first = await open(SIGNALLED);
    await open(SIGNALLED);
    await until(() => generators.running === 2);
    const third = await open(SIGNALLED);
    await third.ended;
    expect(third.text()).toContain('Too many subscriptions');
    // Of another user.
    await open(SIGNALLED, { authorization: 'Bearer other' });
    await until(() => generators.running === 3);
    first.leave();
    await until(() => metrics().activeSubscriptions === 2);
    await open(SIGNALLED);
    await until(() => generators.running === 3);
  });

  it('call onConnect', async () => {
    const { open, generators } = await start({
      onConnect: (_params, { ctx }) => ctx.headers.authorization === 'Bearer good',
    });
    const refused = await open(SIGNALLED);
    await refused.ended;
    expect(refused.text()).toContain('FORBIDDEN');
    expect(generators.running).toBe(0);
    await open(SIGNALLED, { authorization: 'Bearer good' });
    await until(() => generators.running === 1);
  });

  it('count in the snapshot of sockets', async () => {
    const { app, url, open, metrics, generators } = await start(true);
    const stream = await open(SIGNALLED);
    const wire = await Wire.connect(`${url}/graphql`);
    wire.subscribe('1', SIGNALLED);
    await until(() => generators.running === 2);
    expect(metrics()).toEqual({
      connections: 1,
      activeSubscriptions: 2,
      subscriptions: 2,
      errors: 0,
    });
    stream.leave();
    await until(() => metrics().activeSubscriptions === 1);
    const { adapters } = await app.get(IntrospectionRegistry, { strict: false }).collect();
    const names = adapters.map(({ name }) => name);
    expect(names).toContain('GraphqlSubscriptionsAdapter');
    expect(new Set(names).size).toBe(names.length);
  });

  it('are in the introspection, also without sockets', async () => {
    const { open, metrics, generators } = await start(undefined);
    await open(SIGNALLED);
    await until(() => generators.running === 1);
    expect(metrics()).toMatchObject({ connections: 0, activeSubscriptions: 1 });
  });

  it('let the application close while a client does not read', async () => {
    const { app, url, generators } = await start({ gracePeriodMs: 50 });
    const query = encodeURIComponent(SIGNALLED);
    // Its body is never read.
    const silent = await fetch(`${url}/graphql?query=${query}`, {
      headers: { accept: 'text/event-stream' },
    });
    await until(() => generators.running === 1);
    await app.close();
    await silent.body?.cancel().catch(() => undefined);
    await until(() => generators.running === 0);
  });
});

describe.each(platforms)('event streams of another runtime on $name', (platform) => {
  it('end when the application closes', async () => {
    const endless: GraphqlRuntime = () => (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      res.write(':\n\n');
    };
    const { app, url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { hello: String }',
            rootValue: { hello: (_args: object, { ctx }: GraphqlContext) => ctx.url },
            runtime: endless,
          }),
        ],
      },
      platform,
    );
    const response = await fetch(`${url}/graphql?query=%7Bhello%7D`, {
      headers: { accept: 'application/x-unknown' },
    });
    const read = response.text().catch(() => 'cut off');
    await app.close();
    await read;
  });
});
