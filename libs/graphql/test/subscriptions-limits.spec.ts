import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ForbiddenException, Logger, UnauthorizedException } from '@nestjs/common';
import { GraphqlSubscriptionsModule, type GraphqlSubscriptionsOptions } from '@fledge/graphql';
import { buildSchema, GraphQLError, type ValidationContext } from 'graphql';
import { setTimeout as wait } from 'node:timers/promises';
import { closeAll, createApp, platforms } from '../../../test/support/platforms.js';
import { feed } from './support/feed.js';
import { serveFeed } from './support/serve-feed.js';
import { hangUp, upgrade, Wire } from './support/sockets.js';
import { until } from '../../../test/support/until.js';

afterEach(async () => {
  hangUp();
  await closeAll();
  jest.restoreAllMocks();
});

/** Refuses selections deeper than a limit. */
const maxDepth = (limit: number) => (context: ValidationContext) => {
  let depth = 0;
  return {
    Field: {
      enter: (node: object) => {
        depth += 1;
        if (depth > limit) {
          context.reportError(
            new GraphQLError(`exceeds maximum operation depth of ${limit}`, {
              nodes: node as never,
            }),
          );
        }
      },
      leave: () => void (depth -= 1),
    },
  };
};

const nested = buildSchema(`
  type Query { n: N }
  type N { n: N v: Int }
  type Subscription { n: N }
`);
const nest = (): object => ({ n: nest, v: 1 });

describe.each(platforms)('limits of sockets on $name', (platform) => {
  const start = (options: Partial<GraphqlSubscriptionsOptions> = {}) =>
    serveFeed(platform, options);

  it('refuse what the protection refuses over HTTP', async () => {
    const { url } = await start({
      schema: nested,
      rootValue: { n: nest },
      operations: 'all',
      introspection: false,
      validationRules: [maxDepth(3)],
      maxTokens: 30,
    });
    const wire = await Wire.connect(url);
    const messageOf = async (id: string, query: string) => {
      wire.subscribe(id, query);
      const { type, payload } = await wire.answer(id);
      return type === 'error' ? (payload as { message: string }[])[0]!.message : payload;
    };
    expect(await messageOf('1', '{ __schema { queryType { name } } }')).toMatch(
      'introspection has been disabled',
    );
    expect(await messageOf('2', '{ n { n { n { v } } } }')).toBe(
      'exceeds maximum operation depth of 3',
    );
    expect(await messageOf('3', '{ n { n { v } } }')).toEqual({ data: { n: { n: { v: 1 } } } });
    expect(await messageOf('4', '{ m }')).toBe('Cannot query field "m" on type "Query".');
    expect(await messageOf('5', `{ ${'n { v } '.repeat(10)} }`)).toMatch(/more tha[nt] 30 tokens/);
    expect(await messageOf('6', 'query A { n { v } } query B { n { v } }')).toBe(
      'The document has several operations or none. Send the name of one as operationName',
    );
  });

  it('confine an error to its operation', async () => {
    const { url, publish, listeners } = await start({ operations: 'all' });
    const wire = await Wire.connect(url);
    wire.subscribe('live', 'subscription { tick { n } }');
    await until(() => Object.keys(listeners()).length === 1);
    const broken = [
      '{ hello',
      '{ nope }',
      'query ($a: Nope) { hello }',
      '',
      '{ header }',
      'subscription { count(to: "x") }',
    ];
    for (const [i, query] of broken.entries()) wire.subscribe(`${i}`, query);
    for (const [i] of broken.entries()) {
      expect((await wire.answer(`${i}`)).type).toBe('error');
    }
    wire.subscribe('variables', 'subscription ($to: Int!) { count(to: $to) }', {
      variables: { to: 'many' },
    });
    expect((await wire.answer('variables')).payload.errors).toMatchObject([
      // "got" in graphql-js 16, "has" in 17
      { message: expect.stringMatching(/^Variable "\$to" (got|has) invalid value.*"many"/) },
    ]);
    await publish(1);
    expect(await wire.events('live', 1)).toEqual([{ tick: { n: 1 } }]);
  });

  it('refuse one subscription too many, and accept one again when another has ended', async () => {
    const { url, publish, listeners } = await start({ maxSubscriptions: 3 });
    const wire = await Wire.connect(url);
    const tick = 'subscription { tick { n } }';
    for (const id of ['1', '2', '3', '4']) wire.subscribe(id, tick);
    expect(await wire.answer('4')).toMatchObject({
      type: 'error',
      payload: [{ message: 'Too many subscriptions' }],
    });
    await until(() => Object.keys(listeners()).length === 3);
    await publish(1);
    for (const id of ['1', '2', '3']) expect(await wire.events(id, 1)).toHaveLength(1);
    wire.complete('2');
    await until(() => Object.keys(listeners()).length === 2);
    wire.subscribe('5', tick);
    await until(() => Object.keys(listeners()).length === 3);
    await publish(2);
    expect(await wire.events('5', 1)).toEqual([{ tick: { n: 2 } }]);
    const other = await Wire.connect(url);
    other.subscribe('4', 'subscription { count(to: 1) }');
    expect(await other.events('4', 1)).toEqual([{ count: 1 }]);
  });

  it('accept pages of their own host and of listed origins, and clients other than browsers', async () => {
    const { url } = await start({ origins: ['https://app.example.com', 'http://localhost:5173/'] });
    const { host } = new URL(url);
    const answers = [
      [{}, 101],
      [{ origin: `http://${host}` }, 101],
      [{ origin: `https://${host}` }, 101],
      [{ origin: 'https://app.example.com' }, 101],
      [{ origin: 'http://localhost:5173' }, 101],
      [{ origin: 'https://evil.example.com' }, 403],
      [{ origin: 'http://app.example.com' }, 403],
      [{ origin: 'https://app.example.com.evil.com' }, 403],
      [{ origin: `http://${host}.evil.com` }, 403],
      [{ origin: `http://${host}@evil.com` }, 403],
      [{ origin: 'http://127.0.0.1:1' }, 403],
      [{ origin: 'null' }, 403],
      [{ origin: '' }, 403],
      [{ origin: 'https://example.com:443', host: 'example.com' }, 101],
      [{ origin: 'http://example.com', host: 'EXAMPLE.com:80' }, 101],
    ] as const;
    for (const [headers, status] of answers) {
      expect([headers, await upgrade(url, headers)]).toEqual([
        headers,
        { status, body: status === 403 ? 'Forbidden' : '' },
      ]);
    }
    const open = await start({ origins: ['*'] });
    expect(await upgrade(open.url, { origin: 'https://evil.example.com' })).toMatchObject({
      status: 101,
    });
  });

  it.each([
    ['an origin without scheme', { origins: ['app.example.com'] }],
    ['a pattern of origins', { origins: ['https://*.example.com'] }],
    ['an origin with a path', { origins: ['https://example.com/app'] }],
    ['half a subscription', { maxSubscriptions: 0.5 }],
    ['a grace that never ends', { gracePeriodMs: Infinity }],
    ['unknown operations', { operations: 'queries' as 'all' }],
    ['a path with a query', { path: '/graphql?a' }],
  ])('with invalid values stop the boot: %s', async (_, options) => {
    const { schema } = feed();
    const boot = async () => {
      const app = await createApp(
        { imports: [GraphqlSubscriptionsModule.forRoot({ schema, ...options })] },
        platform.adapter(),
      );
      await app.init();
    };
    await expect(boot()).rejects.toMatchObject({ code: 'GRAPHQL_BAD_OPTION' });
  });

  describe('onConnect', () => {
    it('gets parameters and a context, whose values each operation has', async () => {
      const seen: unknown[] = [];
      const { url } = await start({
        operations: 'all',
        onConnect: async (params, { ctx, container }) => {
          await wait(1);
          seen.push(params, ctx.get('tenant'), ctx.headers['x-tenant-id'], typeof container.get);
          ctx.set('user', `user of ${String(params['token'])}`);
        },
      });
      const wire = await Wire.connect(url, { token: 't', 'x-tenant-id': 'acme' });
      expect(seen).toEqual([{ token: 't', 'x-tenant-id': 'acme' }, 'acme', 'acme', 'function']);
      for (const id of ['1', '2']) {
        wire.subscribe(id, '{ user tenant }');
        expect(await wire.events(id, 1)).toEqual([{ user: 'user of t', tenant: 'acme' }]);
      }
      const other = await Wire.connect(url, { token: 'u' });
      other.subscribe('1', '{ user tenant }');
      expect(await other.events('1', 1)).toEqual([{ user: 'user of u', tenant: 'nobody' }]);
    });

    it.each([
      ['returns false', () => false],
      [
        'throws what is for clients',
        () => {
          throw new UnauthorizedException('secret');
        },
      ],
      ['rejects', () => Promise.reject(new Error('secret'))],
    ])('that %s closes with 4403 and no reason', async (_, onConnect) => {
      const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
      const { url, adapter } = await start({ onConnect });
      const wire = await Wire.open(url);
      wire.send({ type: 'connection_init', payload: {} });
      expect(await wire.closed).toEqual({ code: 4403, reason: 'Forbidden' });
      expect(wire.messages).toEqual([]);
      expect(JSON.stringify(logged.mock.calls).includes('secret')).toBe(_ === 'rejects');
      await until(() => adapter.introspect().metrics['connections'] === 0);
    });

    it('is not called for parameters that contradict the upgrade request', async () => {
      const onConnect = jest.fn(() => true);
      const { url } = await start({ onConnect });
      const wire = await Wire.open(url, { headers: { 'x-tenant-id': 'acme' } });
      wire.send({ type: 'connection_init', payload: { 'X-Tenant-Id': 'umbrella' } });
      expect(await wire.closed).toEqual({ code: 4403, reason: 'Forbidden' });
      expect(onConnect).not.toHaveBeenCalled();
    });
  });

  it('close a socket that violates the protocol, with the code of the protocol', async () => {
    const hurried = await start({ initTimeoutMs: 40 });
    const silent = await Wire.open(hurried.url);
    expect(await silent.closed).toEqual({
      code: 4408,
      reason: 'Connection initialisation timeout',
    });
    const { url } = await start();
    const hasty = await Wire.open(url);
    hasty.subscribe('1', 'subscription { count(to: 1) }');
    expect(await hasty.closed).toMatchObject({ code: 4401 });
    const twice = await Wire.connect(url);
    twice.send({ type: 'connection_init' });
    expect(await twice.closed).toMatchObject({ code: 4429 });
    const same = await Wire.connect(url);
    same.subscribe('1', 'subscription { tick { n } }');
    same.subscribe('1', 'subscription { tick { n } }');
    expect(await same.closed).toEqual({ code: 4409, reason: 'Subscriber for 1 already exists' });
    const old = await Wire.open(url, {}, []);
    expect(await old.closed).toMatchObject({ code: 4406 });
  });

  describe('in production', () => {
    const before = process.env['NODE_ENV'];
    afterEach(() => void (process.env['NODE_ENV'] = before));

    it('mask unexpected errors in results, events and broken streams', async () => {
      process.env['NODE_ENV'] = 'production';
      const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
      const schema = buildSchema(`
        type Query { bug: Int known: Int http: Int }
        type Subscription { never: Int breaks: Int bad: Int nothing: Int }
      `);
      const { url, adapter } = await start({
        schema,
        operations: 'all',
        rootValue: {
          bug: () => Promise.reject(new Error('secret')),
          known: () => {
            throw new GraphQLError('for you', { extensions: { code: 'KNOWN' } });
          },
          http: () => {
            throw new ForbiddenException('not yours');
          },
          never: () => Promise.reject(new Error('secret')),
          nothing: () => 'no iterable, but a secret',
          bad: async function* () {
            yield { bad: () => Promise.reject(new Error('secret')) };
            yield { bad: () => Promise.reject(new Error('secret')) };
          },
          breaks: async function* () {
            yield { breaks: 1 };
            throw new Error('secret');
          },
        },
      });
      const wire = await Wire.connect(url);
      const queries = ['{ bug }', '{ known }', '{ http }', '{ __typename }'];
      const subscriptions = ['never', 'nothing', 'bad', 'breaks'].map(
        (it) => `subscription { ${it} }`,
      );
      for (const [i, query] of [...queries, ...subscriptions].entries())
        wire.subscribe(`${i}`, query);
      const errorsOf = async (id: string) => (await wire.answer(id)).payload.errors;
      expect(await errorsOf('0')).toMatchObject([
        { message: 'Internal server error', path: ['bug'] },
      ]);
      expect(await errorsOf('1')).toMatchObject([
        { message: 'for you', extensions: { code: 'KNOWN' } },
      ]);
      expect(await errorsOf('2')).toMatchObject([
        { message: 'not yours', extensions: { code: 'FORBIDDEN' } },
      ]);
      expect(await errorsOf('3')).toBeUndefined();
      for (const id of ['4', '5', '6']) {
        expect(await errorsOf(id)).toMatchObject([{ message: 'Internal server error' }]);
      }
      expect(await wire.message(({ id, type }) => id === '7' && type === 'error')).toMatchObject({
        payload: [{ message: 'Internal server error' }],
      });
      await wire.message(({ id, type }) => id === '6' && type === 'complete');
      expect(JSON.stringify(wire.messages)).not.toContain('secret');
      expect(JSON.stringify(logged.mock.calls)).toContain('secret');
      // bug, known, http, never, nothing, bad (twice) and breaks: one for each operation.
      expect(adapter.introspect().metrics['errors']).toBe(7);
    });
  });
});
