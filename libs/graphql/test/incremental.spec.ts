// Errors in the later results of `@defer` and `@stream` are masked, changed, counted and logged.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  GraphqlAdapter,
  type GraphqlExecutor,
  graphqlHttp,
  GraphqlMountModule,
  type GraphqlMountOptions,
} from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, type Platform, platforms, serve } from '../../../test/support/platforms.js';
import { testInProduction } from './support/production.js';
import { hangUp, Wire } from './support/sockets.js';

testInProduction();

afterEach(async () => {
  jest.restoreAllMocks();
  hangUp();
  await closeAll();
});

const fails = async () => {
  await Promise.resolve();
  throw new Error('a secret');
};
const mount = {
  typeDefs: `
    directive @defer(if: Boolean, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(if: Boolean, label: String, initialCount: Int = 0) on FIELD
    type Query { fast: String, fails: String, big: Big, list: [String] }
    type Subscription { ticks: Query }
    scalar Big`,
  rootValue: {
    fast: 'f',
    fails,
    big: async () => Promise.resolve(10n),
    async *list() {
      yield await Promise.resolve('a');
      throw new Error('a secret');
    },
    async *ticks() {
      yield await Promise.resolve({ ticks: { fast: 'f', fails } });
    },
  },
  formatError: (formatted: object) => ({ ...formatted, mine: true }) as never,
};
/** Returns what executors with support for `@defer` return. */
const executor = (() => {
  const initialResult = { data: { fast: 'f' }, errors: [new Error('a secret')], hasNext: true };
  return { initialResult, subsequentResults: {} };
}) as unknown as GraphqlExecutor;
const masked = { message: 'Internal server error', mine: true };

async function start(platform: Platform, options: Partial<GraphqlMountOptions>) {
  const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const { app, url } = await serve(
    { imports: [GraphqlMountModule.forRoot({ ...mount, ...options })] },
    platform,
  );
  const path = `${url}/graphql`;
  const send = async (document: string, accept = 'text/event-stream') => {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query: document }),
    });
    return response.text();
  };
  const errors = () => app.get(GraphqlAdapter).introspect().metrics.errors;
  return { send, errors, path, logged: () => JSON.stringify(log.mock.calls) };
}

describe.each(platforms)('yoga() on $name', (platform) => {
  const options = { runtime: yoga() };

  it.each(['{ fast ... @defer { fails } }', '{ list @stream(initialCount: 1) }'])(
    'masks the errors of %s',
    async (document) => {
      const { send, errors, logged } = await start(platform, options);
      const text = await send(document);
      expect(text).toMatch(/"incremental":\[\{.*"errors":\[\{/);
      expect(text).toContain(`"message":"${masked.message}"`);
      expect(text).toContain('"mine":true');
      expect(text).not.toContain('secret');
      expect(logged()).toContain('a secret');
      expect(errors()).toBe(1);
    },
  );

  it('counts no error for a deferred field without errors', async () => {
    const { send, errors } = await start(platform, options);
    expect(await send('{ __typename ... @defer { fast } }')).toContain('"data":{"fast":"f"}');
    expect(errors()).toBe(0);
  });

  it('masks errors in parts of a multipart response and of a subscription', async () => {
    const { send, errors } = await start(platform, options);
    const parts = await send('{ fast ... @defer { fails } }', 'multipart/mixed');
    expect(parts).toContain('Internal server error');
    expect(parts).not.toContain('secret');
    expect(errors()).toBe(1);
    const events = await send('subscription { ticks { fast ... @defer { fails } } }');
    expect(events).toContain('Internal server error');
    expect(events).not.toContain('secret');
    expect(errors()).toBe(2);
  });

  it('sends an error for a deferred value that JSON cannot represent', async () => {
    const { send } = await start(platform, options);
    const text = await send('{ fast ... @defer { big } }');
    expect(text).toContain('Internal server error');
    expect(text).toContain('event: complete');
  });
});

describe.each(platforms)('an executor that returns several results on $name', (platform) => {
  it.each([{ runtime: graphqlHttp({ eventStreams: true }) }, { runtime: yoga() }])(
    'is rejected over HTTP',
    async (runtime) => {
      const { send, logged, errors } = await start(platform, { ...runtime, executor });
      for (const accept of ['application/json', 'text/event-stream']) {
        const text = await send('{ fast ... @defer { fails } }', accept);
        expect(text).toContain('Internal server error');
        expect(text).not.toContain('fast');
      }
      expect(logged()).toContain('@defer and @stream need yoga()');
      expect(errors()).toBe(2);
    },
  );

  it('is rejected over WebSocket', async () => {
    const { path } = await start(platform, { executor, subscriptions: { operations: 'all' } });
    const wire = await Wire.connect(path);
    wire.subscribe('1', '{ fast ... @defer { fails } }');
    expect(await wire.answer('1')).toMatchObject({ payload: { errors: [masked] } });
  });
});
