// Sockets and event streams admit operations in one place. These are the cases in which they once differed.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { RequestContexts } from '@fledge/core/packages';
import {
  graphqlHttp,
  GraphqlMountModule,
  GraphqlOperations,
  GraphqlSubscriptionsAdapter,
  type SubscriptionLimits,
} from '@fledge/graphql';
import { ForbiddenException, Logger } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import { request } from 'node:http';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { feed, TenantsModule } from './support/feed.js';
import { hangUp, Wire } from './support/sockets.js';
import { heard, openStream, type Stream } from './support/streams.js';

const SIGNALLED = 'subscription { signalled { n } }';
/** Its generator waits for an event also when its reader has left. */
const GENERATED = 'subscription { generated { n } }';
const streams: Stream[] = [];

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.leave();
  hangUp();
  jest.restoreAllMocks();
  await closeAll();
});

/** A promise that a test resolves. */
function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe.each(platforms)('one admission on $name', (platform) => {
  async function start(subscriptions: SubscriptionLimits = {}) {
    const source = feed();
    const mount = GraphqlMountModule.forRoot({
      schema: source.schema,
      runtime: graphqlHttp({ eventStreams: true }),
      subscriptions,
    });
    const { app, url } = await serve({ imports: [TenantsModule, mount] }, platform);
    const open = async (query = SIGNALLED) => {
      const stream = await openStream(`${url}/graphql`, query);
      streams.push(stream);
      return stream;
    };
    const metrics = () =>
      app.get(GraphqlSubscriptionsAdapter, { strict: false }).introspect().metrics;
    const operations = app.get(GraphqlOperations, { strict: false });
    const contexts = app.get(RequestContexts, { strict: false });
    const field = source.schema.getSubscriptionType()!.getFields()['signalled']!;
    const resolver = jest.spyOn(field as Required<typeof field>, 'subscribe');
    return { ...source, url: `${url}/graphql`, open, metrics, operations, contexts, resolver };
  }

  it('counts no subscription that is refused', async () => {
    const { url, open, metrics, contexts } = await start({
      onConnect: (_params, context) => context.headers !== undefined,
    });
    await (
      await open()
    ).ended;
    expect(metrics()).toMatchObject({ activeSubscriptions: 0, subscriptions: 0, errors: 1 });
    const wire = await Wire.connect(url);
    contexts.register({
      open: () => undefined,
      bind: () => Promise.reject(new ForbiddenException()),
    });
    wire.subscribe('1', SIGNALLED);
    expect(await wire.answer('1')).toMatchObject({ type: 'error' });
    expect(metrics()).toMatchObject({ activeSubscriptions: 0, subscriptions: 0, errors: 2 });
  });

  it('logs an unexpected error of onConnect, and sends none', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    let error: Error = new ForbiddenException('a secret');
    const { url, open } = await start({
      onConnect: () => {
        throw error;
      },
    });
    const connect = async () => {
      const wire = await Wire.open(url);
      wire.send({ type: 'connection_init' });
      return [await wire.closed, wire.messages];
    };
    const closed = [{ code: 4403, reason: 'Forbidden' }, []];
    expect(await connect()).toEqual(closed);
    const refused = await open();
    await refused.ended;
    expect(log).not.toHaveBeenCalled();
    error = new TypeError('a secret mistake');
    expect(await connect()).toEqual(closed);
    const failed = await open();
    await failed.ended;
    expect(log.mock.calls.flat()).toEqual(
      ['socket', 'event stream'].map(() => expect.stringContaining('a secret mistake')),
    );
    for (const { text } of [refused, failed]) expect(text()).not.toContain('secret');
    expect(failed.text()).toContain('FORBIDDEN');
  });

  it('ends an operation that is being admitted, with the error and without its resolver', async () => {
    const [connected, bound] = [gate(), gate()];
    const { url, open, operations, contexts, resolver } = await start({
      onConnect: (_params, context) => (context.headers ? undefined : connected.opened),
    });
    const wire = await Wire.connect(url);
    const ended = open();
    await until(() => operations.list().length === 1);
    contexts.register({
      open: () => undefined,
      bind: ({ req }) => (req.url?.includes('?') ? undefined : bound.opened),
    });
    wire.subscribe('1', SIGNALLED);
    await until(() => operations.list().length === 2);
    const error = new GraphQLError('Bye', { extensions: { code: 'MOVED' } });
    expect(operations.end(() => true, error)).toBe(2);
    connected.open();
    bound.open();
    const stream = await ended;
    await stream.ended;
    expect(stream.text()).toContain('"message":"Bye","extensions":{"code":"MOVED"}');
    expect(await wire.answer('1')).toMatchObject({
      type: 'error',
      payload: [{ message: 'Bye', extensions: { code: 'MOVED' } }],
    });
    expect(resolver).not.toHaveBeenCalled();
    expect(operations.list()).toEqual([]);
  });

  it('runs no resolver for a client that left while it was admitted', async () => {
    const connected = gate();
    const { url, metrics, operations, resolver } = await start({
      onConnect: () => connected.opened,
    });
    const sent = request(`${url}?query=${encodeURIComponent(SIGNALLED)}`, {
      headers: { accept: 'text/event-stream' },
      agent: false,
    });
    sent.on('error', () => undefined).end();
    await until(() => operations.list().length === 1);
    sent.destroy();
    await until(() => operations.list().length === 0);
    connected.open();
    await until(() => metrics().errors === 1);
    expect(resolver).not.toHaveBeenCalled();
  });

  it('forgets a client that left while the context of its operation opened', async () => {
    const [entered, opened] = [gate(), gate()];
    const { url, metrics, operations, contexts, resolver } = await start();
    const wire = await Wire.connect(url);
    contexts.register({ open: () => (entered.open(), opened.opened) });
    wire.subscribe('1', SIGNALLED);
    await entered.opened;
    wire.vanish();
    await until(() => metrics().connections === 0);
    opened.open();
    await until(() => metrics().errors === 1);
    expect(operations.list()).toEqual([]);
    expect(operations.end(() => true)).toBe(0);
    expect(metrics()).toMatchObject({ activeSubscriptions: 0, subscriptions: 0 });
    expect(resolver).not.toHaveBeenCalled();
  });

  it('limits the generators that a client leaves waiting, also if nothing of the client runs', async () => {
    const { open, operations, generators, publish } = await start();
    for (let left = 1; left <= 100; left += 1) {
      const stream = await open(GENERATED);
      await until(() => generators.running === left);
      stream.leave();
      await until(() => operations.list().length === 0);
    }
    await heard(await open(GENERATED), 'Too many subscriptions');
    await publish(1);
    await until(() => generators.running === 0);
    await open(GENERATED);
    await until(() => generators.running === 1);
  });

  it('limits the generators that a client leaves waiting while it is connected', async () => {
    const { url, open, generators } = await start();
    const kept = await open(GENERATED);
    const wire = await Wire.connect(url);
    for (let left = 0; left < 100; left += 1) {
      (await open(GENERATED)).leave();
      wire.subscribe('left', GENERATED);
      await until(() => generators.running === 2 * left + 3);
      wire.complete('left');
    }
    await heard(await open(GENERATED), 'Too many subscriptions');
    wire.subscribe('more', GENERATED);
    expect(await wire.answer('more')).toMatchObject({
      payload: [{ message: 'Too many subscriptions' }],
    });
    expect(kept.text()).not.toContain('event: complete');
  });
});
