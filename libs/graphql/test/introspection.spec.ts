import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { IntrospectionRegistry } from '@fledge/core';
import { getGraphqlAdapterToken, GraphqlAdapter, GraphqlMountModule } from '@fledge/graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { query } from './support/requests.js';

afterEach(closeAll);

const schema = {
  typeDefs: `
    type Query { hello: String }
    type Mutation { go: Int }
    type Subscription { ticks: Int }`,
  rootValue: {
    hello: () => 'world',
    go: () => 1,
    async *ticks() {
      for (const ticks of [1, 2, 3]) yield Promise.resolve({ ticks });
    },
  },
};

describe.each(platforms)('GraphqlAdapter.introspect() on $name', (platform) => {
  it('starts at zero, and returns copies', async () => {
    const { app } = await serve({ imports: [GraphqlMountModule.forRoot(schema)] }, platform);
    const adapter = app.get(GraphqlAdapter);
    const fresh = {
      protocolVersion: 1,
      name: 'GraphqlAdapter',
      kind: 'adapter',
      state: { path: '/graphql' },
      metrics: { queries: 0, mutations: 0, errors: 0 },
    };
    expect(adapter.introspect()).toEqual(fresh);
    Object.assign(adapter.introspect().metrics, { queries: 7 });
    Object.assign(adapter.introspect().state, { path: '/elsewhere' });
    expect(adapter.introspect()).toEqual(fresh);
    expect((await app.get(IntrospectionRegistry).collect()).adapters).toContainEqual(fresh);
  });

  it('has the name and path of the mount, without the global prefix', async () => {
    const { app } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...schema, name: 'Mine', path: '/mine' })] },
      platform,
      (prefixed) => prefixed.setGlobalPrefix('api'),
    );
    const adapter = app.get<GraphqlAdapter>(getGraphqlAdapterToken('Mine'), { strict: false });
    expect(adapter.introspect()).toMatchObject({ name: 'Mine', state: { path: '/mine' } });
  });

  it('counts what HTTP and sockets execute', async () => {
    const { app, url } = await serve(
      {
        imports: [GraphqlMountModule.forRoot({ ...schema, subscriptions: { operations: 'all' } })],
      },
      platform,
    );
    const metrics = () => app.get(GraphqlAdapter).introspect().metrics;
    await query(`${url}/graphql`, '{ hello }');
    expect(metrics()).toEqual({ queries: 1, mutations: 0, errors: 0 });

    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    });
    const results = async (operation: string) => {
      const all: unknown[] = [];
      for await (const { data } of client.iterate({ query: operation })) all.push(data);
      return all;
    };
    expect(await results('{ hello }')).toEqual([{ hello: 'world' }]);
    expect(await results('mutation { go }')).toEqual([{ go: 1 }]);
    expect(await results('subscription { ticks }')).toEqual([
      { ticks: 1 },
      { ticks: 2 },
      { ticks: 3 },
    ]);
    await expect(results('{ nope }')).rejects.toBeDefined();
    await client.dispose();
    expect(metrics()).toEqual({ queries: 2, mutations: 1, errors: 1 });
  });
});
