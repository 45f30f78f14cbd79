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
import { execute, type ExecutionArgs, GraphQLError } from 'graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { TenantsModule } from './support/feed.js';
import { type Answer, query } from './support/requests.js';
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

/** Yoga's own executor words the errors of variables as graphql-js 16 does, not as 17 does. */
function withoutReason(answer: Answer): unknown {
  return JSON.parse(JSON.stringify(answer).replace(/(?<="Variable ).*?(?=","locations")/g, ''));
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
    ['graphqlHttp()', 'sync', {}],
    ['graphqlHttp()', 'async', {}],
    ['yoga()', 'sync', { runtime: yoga() }],
    ['yoga()', 'async', { runtime: yoga() }],
  ])('answers as one without it, with the tenant and counts: %s, %s', async (_, way, runtime) => {
    const { executor, seen } = counted();
    const later: GraphqlExecutor = async (args) => executor(args);
    const own = await start({ ...runtime, executor: way === 'async' ? later : executor });
    const plain = await start(runtime);
    for (const [source, variables] of requests) {
      for (const accept of ['application/json', 'application/graphql-response+json']) {
        const headers = { accept, 'x-tenant-id': 'acme' };
        const expected = await query(plain.url, source, headers, variables);
        const answer = await query(own.url, source, headers, variables);
        expect(withoutReason(answer)).toEqual(withoutReason(expected));
      }
    }
    expect(own.adapter.introspect().metrics).toEqual(plain.adapter.introspect().metrics);
    expect(seen.operations).toBe(16);
  });

  it.each([
    ['graphqlHttp()', {}, 422],
    ['yoga()', { runtime: yoga() }, 400],
  ])('executes nothing that the executor rejects: %s', async (_, runtime, expected) => {
    const executor: GraphqlExecutor = () => ({ errors: [new GraphQLError('Not today')] });
    const { url } = await start({ ...runtime, executor });
    const headers = { accept: 'application/graphql-response+json' };
    const { status, body } = await query(url, 'mutation { add(n: 2) }', headers);
    expect([status, body]).toEqual([expected, { errors: [{ message: 'Not today' }] }]);
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
