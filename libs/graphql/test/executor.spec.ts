import { afterEach, describe, expect, it } from '@jest/globals';
import { ForbiddenException, Module } from '@nestjs/common';
import {
  getGraphqlAdapterToken,
  type GraphqlAdapter,
  type GraphqlContext,
  type GraphqlExecutor,
  GraphqlMountModule,
  type GraphqlMountOptions,
} from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { execute, type ExecutionArgs } from 'graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { TenantsModule } from './support/feed.js';
import { query } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';

afterEach(async () => {
  hangUp();
  await closeAll();
});

const typeDefs = `
  type Query { tenant: String, double(n: Int!): Int, fails(how: String!): Int! }
  type Mutation { add(n: Int!): Int }
`;
const rootOf = () => {
  let sum = 0;
  return {
    tenant: async (_args: object, { ctx }: GraphqlContext) => Promise.resolve(ctx.get('tenant')),
    double: ({ n }: { n: number }) => n * 2,
    fails: ({ how }: { how: string }) => {
      throw how === 'refused' ? new ForbiddenException('not yours') : new Error('secret');
    },
    add: ({ n }: { n: number }) => (sum += n),
  };
};

const requests: readonly [string, object?][] = [
  ['{ tenant }'],
  ['query($n: Int!) { double(n: $n) }', { n: 3 }],
  ['query($n: Int!) { double(n: $n) }', { n: 'three' }],
  ['query($n: Int!) { double(n: $n) }'],
  ['{ fails(how: "refused") }'],
  ['{ tenant fails(how: "broken") }'],
  ['mutation { add(n: 2) }'],
  ['{ __typename }'],
];

/** Counts the operations that graphql-js runs. */
function counted() {
  const seen = { operations: 0 };
  const executor: GraphqlExecutor = (args: ExecutionArgs) => {
    seen.operations += 1;
    return execute(args);
  };
  return { seen, executor };
}

describe.each(platforms)('a mount with an executor on $name', (platform) => {
  async function start(options: Partial<GraphqlMountOptions>) {
    const mount = GraphqlMountModule.forRoot({ typeDefs, rootValue: rootOf(), ...options });
    @Module({ imports: [TenantsModule, mount] })
    class AppModule {}
    const { app, url } = await serve(AppModule, platform);
    const adapter = app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false });
    return { url: `${url}/graphql`, adapter };
  }

  it.each([
    ['graphqlHttp()', {}],
    ['yoga()', { runtime: yoga() }],
  ])('answers as one without it, with the tenant and the counts: %s', async (_, runtime) => {
    const { executor, seen } = counted();
    const own = await start({ ...runtime, executor });
    const plain = await start(runtime);
    for (const [source, variables] of requests) {
      for (const accept of ['application/json', 'application/graphql-response+json']) {
        const headers = { accept, 'x-tenant-id': 'acme' };
        const expected = await query(plain.url, source, headers, variables);
        expect(await query(own.url, source, headers, variables)).toEqual(expected);
      }
    }
    expect(own.adapter.introspect().metrics).toEqual(plain.adapter.introspect().metrics);
    expect(seen.operations).toBe(16);
  });

  it('executes queries and mutations of sockets', async () => {
    const { executor, seen } = counted();
    const { url } = await start({ executor, subscriptions: { operations: 'all' } });
    const wire = await Wire.connect(url, { 'x-tenant-id': 'acme' });
    for (let i = 0; i < 4; i += 1) {
      wire.subscribe(`q${i}`, '{ tenant double(n: 2) }');
      expect((await wire.answer(`q${i}`)).payload).toEqual({ data: { tenant: 'acme', double: 4 } });
      wire.subscribe(`m${i}`, 'mutation { add(n: 1) }');
      expect((await wire.answer(`m${i}`)).payload).toEqual({ data: { add: i + 1 } });
    }
    wire.subscribe('bad', 'query($n: Int!) { double(n: $n) }', { variables: { n: 'x' } });
    expect(await wire.answer('bad')).toMatchObject({ type: 'next', payload: { errors: [{}] } });
    expect(seen.operations).toBe(9);
  });

  it('refuses an executor that is no function', async () => {
    const wrong = 'fast' as never as GraphqlExecutor;
    await expect(start({ executor: wrong })).rejects.toThrow(/executor.*must be a function/);
    expect((await start({ executor: execute })).adapter.name).toBe('GraphqlAdapter');
  });
});
