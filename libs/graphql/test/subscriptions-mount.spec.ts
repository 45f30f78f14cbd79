import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type INestApplication, Logger } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { WsAdapter } from '@nestjs/platform-ws';
import { WebSocketGateway } from '@nestjs/websockets';
import {
  getGraphqlAdapterToken,
  GraphqlAdapter,
  GraphqlMountModule,
  type GraphqlMountOptions,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import { IntrospectionRegistry } from '@fledge/core';
import { buildSchema, GraphQLError } from 'graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { query } from './support/requests.js';
import { feed, TenantsModule } from './support/feed.js';
import { hangUp, upgrade, Wire } from './support/sockets.js';

afterEach(async () => {
  hangUp();
  await closeAll();
});

@WebSocketGateway({ path: '/gw' })
class Gateway {}

const typeDefs =
  'type Query { hello: String } type Mutation { go: Int } type Subscription { n: Int }';
const rootValue = {
  hello: () => 'world',
  go: () => 1,
  n: async function* () {
    yield await Promise.resolve({ n: 1 });
  },
};

describe.each(platforms)('subscriptions of a mount on $name', (platform) => {
  const mount = (options: Partial<GraphqlMountOptions>) =>
    GraphqlMountModule.forRoot({ typeDefs, rootValue, ...options });

  it('warn at boot if guards run for HTTP only', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const route = { mountAs: 'route' } as const;
    await serve({ imports: [mount({ ...route, subscriptions: true })] }, platform);
    expect(warn.mock.calls.flat().join()).toMatch(/GraphqlAdapter: Nest's guards .* onConnect/);
    warn.mockClear();
    const decided = { onConnect: () => true };
    await serve({ imports: [mount({ ...route, subscriptions: decided })] }, platform);
    await serve({ imports: [mount({ subscriptions: true })] }, platform);
    expect(warn.mock.calls.flat().join()).not.toContain('guards');
    jest.restoreAllMocks();
  });

  it('count into the mount, and into their own snapshot', async () => {
    const { app, url } = await serve(
      { imports: [mount({ subscriptions: { operations: 'all' } })] },
      platform,
    );
    await query(`${url}/graphql`, '{ hello }');
    const wire = await Wire.connect(`${url}/graphql`);
    for (const [i, text] of [
      '{ hello }',
      '{ hello }',
      'mutation { go }',
      '{ nope }',
      '{',
    ].entries()) {
      wire.subscribe(`${i}`, text);
      await wire.answer(`${i}`);
    }
    wire.subscribe('s', 'subscription { n }');
    await wire.message(({ id, type }) => id === 's' && type === 'complete');
    expect(app.get(GraphqlAdapter).introspect().metrics).toEqual({
      queries: 3,
      mutations: 1,
      errors: 2,
    });
    const { adapters } = await app.get(IntrospectionRegistry).collect();
    expect(adapters).toContainEqual({
      protocolVersion: 1,
      name: 'GraphqlSubscriptionsAdapter',
      kind: 'adapter',
      state: { path: '/graphql' },
      metrics: { connections: 1, activeSubscriptions: 0, subscriptions: 1, errors: 2 },
    });
  });

  it('end with an error if JSON cannot represent a value, and leave their socket open', async () => {
    const { app, url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            typeDefs:
              'scalar Any type Query { any: Any fails: Any } type Subscription { anys: Any }',
            rootValue: {
              any: 1n,
              fails: () => {
                throw new GraphQLError('No', { extensions: { n: 1n } });
              },
              async *anys() {
                yield await Promise.resolve({ anys: 1n });
              },
            },
            subscriptions: { operations: 'all' },
          }),
        ],
      },
      platform,
    );
    const wire = await Wire.connect(`${url}/graphql`);
    const errors = [expect.objectContaining({ message: expect.stringContaining('BigInt') })];
    wire.subscribe('any', '{ any }');
    expect((await wire.answer('any')).payload).toEqual({ errors });
    wire.subscribe('fails', '{ fails }');
    expect((await wire.answer('fails')).payload).toMatchObject({
      data: { fails: null },
      errors: [{ message: 'Internal server error' }],
    });
    wire.subscribe('anys', 'subscription { anys }');
    expect(await wire.answer('anys')).toMatchObject({ type: 'error', payload: errors });
    wire.subscribe('name', '{ __typename }');
    expect((await wire.answer('name')).payload).toEqual({ data: { __typename: 'Query' } });
    expect(app.get(GraphqlAdapter).introspect().metrics).toMatchObject({ errors: 2 });
  });

  it('have the tenant, the protection and the prefix of HTTP', async () => {
    const { schema } = feed();
    const { url } = await serve(
      {
        imports: [
          TenantsModule,
          GraphqlMountModule.forRoot({
            schema,
            introspection: false,
            maxTokens: 20,
            subscriptions: { path: '/live', operations: 'all' },
          }),
        ],
      },
      platform,
      (app) => app.setGlobalPrefix('api'),
    );
    const wire = await Wire.connect(`${url}/api/live`, { 'x-tenant-id': 'acme' });
    const over = {
      http: async (text: string) =>
        (await query(`${url}/api/graphql`, text, { 'x-tenant-id': 'acme' })).body,
      socket: async (text: string) => {
        const id = text;
        wire.subscribe(id, text);
        const { type, payload } = await wire.answer(id);
        return type === 'error' ? { errors: payload } : payload;
      },
    };
    for (const text of [
      '{ tenant }',
      '{ __schema { queryType { name } } }',
      `{ ${'hello '.repeat(20)} }`,
      '{ hell }',
    ]) {
      expect([text, await over.socket(text)]).toEqual([text, await over.http(text)]);
    }
    expect(await over.socket('{ tenant }')).toEqual({ data: { tenant: 'acme' } });
    expect(await upgrade(`${url}/api/graphql`)).toMatchObject({ status: 404 });
    expect(await upgrade(`${url}/live`)).toMatchObject({ status: 404 });
  });

  it('are refused with a warning at a path with a parameter, where HTTP works', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { url } = await serve({ imports: [mount({ subscriptions: true })] }, platform, (app) =>
      app.setGlobalPrefix('t/:tenant'),
    );
    expect(warn.mock.calls.flat().join()).toContain(
      'Subscriptions are not served over WebSocket at /t/:tenant/graphql, because this path has a parameter.',
    );
    warn.mockRestore();
    expect((await query(`${url}/t/acme/graphql`, '{ hello }')).body).toEqual({
      data: { hello: 'world' },
    });
    // An ordinary request, because nothing handles the upgrade.
    expect(await upgrade(`${url}/t/acme/graphql`)).toMatchObject({ status: 422 });
  });

  it.each([
    ['/gw', (app: INestApplication) => new WsAdapter(app), true],
    ['/gw2', (app: INestApplication) => new WsAdapter(app), false],
    // Socket.IO serves /gw/.
    ['/gw', (app: INestApplication) => new IoAdapter(app), false],
  ])('stop the startup if a gateway serves their path: %s, %s', async (path, adapter, isTaken) => {
    const starts = serve(
      { imports: [mount({ subscriptions: { path } })], providers: [Gateway] },
      platform,
      (app) => app.useWebSocketAdapter(adapter(app)),
    );
    if (!isTaken) return void (await starts);
    await expect(starts).rejects.toMatchObject({
      code: 'GRAPHQL_SOCKET_PATH_TAKEN',
      message: expect.stringMatching(/^Gateway already serves WebSockets at "\/gw"\./),
    });
  });

  it('are off by default', async () => {
    const { url } = await serve({ imports: [mount({})] }, platform);
    expect(await upgrade(`${url}/graphql`)).not.toMatchObject({ status: 101 });
  });

  describe('beside those of Apollo', () => {
    const apollo = () =>
      GraphQLModule.forRoot<ApolloDriverConfig>({
        driver: ApolloDriver,
        typeDefs,
        graphiql: false,
        subscriptions: { 'graphql-ws': true },
      });
    const others = () => [
      mount({ name: 'Q', path: '/graphql-q', subscriptions: true }),
      GraphqlSubscriptionsModule.forRoot({ schema: buildSchema(typeDefs), rootValue, path: '/q' }),
    ];

    it.each(['before', 'after'])('work if Apollo is imported %s', async (order) => {
      const { url } = await serve(
        { imports: order === 'before' ? [apollo(), ...others()] : [...others(), apollo()] },
        platform,
      );
      for (const path of ['/q', '/graphql-q']) {
        const wire = await Wire.connect(`${url}${path}`);
        wire.subscribe('1', 'subscription { n }');
        expect(await wire.events('1', 1)).toEqual([{ n: 1 }]);
      }
      const own = await Wire.connect(`${url}/graphql`);
      own.subscribe('1', '{ __typename }');
      expect(await own.events('1', 1)).toEqual([{ __typename: 'Query' }]);
      own.vanish();
    });

    it('and of gateways work, although Apollo’s own socket does not', async () => {
      const { app, url } = await serve(
        { imports: [apollo(), ...others()], providers: [Gateway] },
        platform,
        (it) => it.useWebSocketAdapter(new WsAdapter(it)),
      );
      expect(app.get(getGraphqlAdapterToken('Q'))).toBeInstanceOf(GraphqlAdapter);
      for (const path of ['/gw', '/q', '/graphql-q']) {
        expect([path, await upgrade(`${url}${path}`)]).toEqual([path, { status: 101, body: '' }]);
      }
      const wire = await Wire.connect(`${url}/graphql-q`);
      wire.subscribe('1', 'subscription { n }');
      expect(await wire.events('1', 1)).toEqual([{ n: 1 }]);
      // @nestjs/platform-ws destroys what Apollo has just taken (nestjs/graphql #3448).
      const apollos = Wire.open(`${url}/graphql`).then(
        ({ closed }) => closed.then(({ code }) => code),
        () => 'hang up',
      );
      expect(['hang up', 1006]).toContain(await apollos);
    });
  });
});
