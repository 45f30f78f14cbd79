// What Apollo Client makes of the statuses: success, partial success, errors and 4xx.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ApolloClient,
  CombinedGraphQLErrors,
  gql,
  HttpLink,
  InMemoryCache,
  ServerError,
} from '@apollo/client';
import { graphqlHttp, GraphqlMountModule } from '@fledge/graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

const schema = {
  typeDefs:
    'type Query { hello: String, fails: String, twice(n: Int!): Int } type Mutation { go: Int }',
  rootValue: {
    hello: 'world',
    fails: () => {
      throw new Error('no');
    },
    twice: ({ n }: { n: number }) => n * 2,
    go: () => 1,
  },
};

/** The default headers of Apollo Client 4, those of 3, and those of a client for JSON only. */
const CLIENTS = [
  ['Apollo Client', {}, 294, 422],
  ['Apollo Client that accepts */*', { accept: '*/*' }, 200, 200],
  ['Apollo Client that accepts JSON only', { accept: 'application/json' }, 200, 200],
] as const;

describe.each(platforms)('on $name', (platform) => {
  let url: string;
  const clients: ApolloClient[] = [];

  beforeAll(async () => {
    const runtime = graphqlHttp({ jsonStatus: 'exact' });
    const exact = GraphqlMountModule.forRoot({ ...schema, name: 'Exact', path: '/exact', runtime });
    ({ url } = await serve({ imports: [GraphqlMountModule.forRoot(schema), exact] }, platform));
  });
  afterAll(async () => {
    for (const client of clients) client.stop();
    await closeAll();
  });

  function start(headers: Record<string, string>, path = '/graphql') {
    const statuses: number[] = [];
    const link = new HttpLink({
      uri: url + path,
      headers,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        statuses.push(response.status);
        return response;
      },
    });
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    clients.push(client);
    const ask = (text: string, variables = {}) =>
      client.query({ query: gql(text), variables, errorPolicy: 'all', fetchPolicy: 'no-cache' });
    return { client, ask, statuses };
  }

  describe.each(CLIENTS)('%s', (_, headers, partial, invalid) => {
    it('reads data, partial data and errors', async () => {
      const { client, ask, statuses } = start(headers);
      expect((await ask('{ hello }')).data).toEqual({ hello: 'world' });
      const some = await ask('{ hello fails }');
      expect(some.data).toEqual({ hello: 'world', fails: null });
      expect(some.error).toMatchObject({ errors: [{ message: 'no', path: ['fails'] }] });
      const unknown = await ask('{ unknown }');
      expect(unknown.error).toBeInstanceOf(CombinedGraphQLErrors);
      expect(unknown.error?.message).toContain('Cannot query field "unknown"');
      const wrong = await ask('query ($n: Int!) { twice(n: $n) }', { n: 'x' });
      expect(wrong.error).toBeInstanceOf(CombinedGraphQLErrors);
      expect(statuses).toEqual([200, partial, invalid, invalid]);
      const mutation = gql('mutation { go }');
      expect((await client.mutate({ mutation })).data).toEqual({ go: 1 });
    });
  });

  it("with jsonStatus: 'exact', Apollo Client reads errors by the media type", async () => {
    for (const [, headers] of CLIENTS) {
      const { ask, statuses } = start(headers, '/exact');
      const { error } = await ask('{ unknown }');
      expect([statuses, error?.message]).toEqual([[422], expect.stringContaining('"unknown"')]);
      expect(error).toBeInstanceOf(CombinedGraphQLErrors);
    }
  });

  it('Apollo Client reports a refused request', async () => {
    const { ask, statuses } = start({ accept: 'text/html' });
    expect((await ask('{ hello }')).error).toBeInstanceOf(ServerError);
    expect(statuses).toEqual([406]);
  });
});
