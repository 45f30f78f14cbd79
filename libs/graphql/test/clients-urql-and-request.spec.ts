// What @urql/core and graphql-request make of the statuses: success, partial success, errors and 4xx.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { graphqlHttp, GraphqlMountModule } from '@fledge/graphql';
import { Client, type CombinedError, fetchExchange, type OperationResult } from '@urql/core';
import { ClientError, GraphQLClient } from 'graphql-request';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

const schema = {
  typeDefs: `
    type Query { hello: String, fails: String, twice(n: Int!): Int }
    type Mutation { go: Int }
    type Subscription { count(to: Int!): Int }`,
  rootValue: {
    hello: 'world',
    fails: () => {
      throw new Error('no');
    },
    twice: ({ n }: { n: number }) => n * 2,
    go: () => 1,
    async *count({ to }: { to: number }) {
      for (let count = 1; count <= to; count += 1) yield { count };
    },
  },
};

const JSON_ONLY = { accept: 'application/json' };

/** The default headers of a client, and those of one that accepts JSON only. */
const ACCEPTING = [
  { types: 'its own media types', headers: {}, partial: 294, invalid: 422, syntax: 400 },
  { types: 'JSON only', headers: JSON_ONLY, partial: 200, invalid: 200, syntax: 200 },
];

describe.each(platforms)('on $name', (platform) => {
  let url: string;

  beforeAll(async () => {
    const eventStreams = GraphqlMountModule.forRoot({
      ...schema,
      name: 'Streams',
      path: '/streams',
      runtime: graphqlHttp({ eventStreams: true }),
    });
    const mounts = [GraphqlMountModule.forRoot(schema), eventStreams];
    ({ url } = await serve({ imports: mounts }, platform));
  });
  afterAll(closeAll);

  /** Fetches, and keeps the method of each request and the status of its response. */
  function watched() {
    const seen: string[] = [];
    const watch: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      seen.push(`${init?.method} ${response.status}`);
      return response;
    };
    return { seen, watch };
  }

  describe.each(['/graphql', '/streams'])('at %s, urql', (path) => {
    function start(headers: Record<string, string>) {
      const { seen, watch } = watched();
      const client = new Client({
        url: url + path,
        fetch: watch,
        fetchOptions: { headers },
        exchanges: [fetchExchange],
        preferGetMethod: 'within-url-limit',
      });
      return { client, seen };
    }

    const messagesIn = (error: CombinedError | undefined) =>
      error?.graphQLErrors.map(({ message }) => message);

    it.each(ACCEPTING)(
      'that accepts $types reads data, partial data and errors',
      async ({ headers, partial, invalid }) => {
        const { client, seen } = start(headers);
        const full = await client.query('{ hello }', {});
        expect([full.data, full.error]).toEqual([{ hello: 'world' }, undefined]);
        const some = await client.query('{ hello fails }', {});
        expect(some.data).toEqual({ hello: 'world', fails: null });
        expect(messagesIn(some.error)).toEqual(['no']);
        expect(some.error?.graphQLErrors[0]?.path).toEqual(['fails']);
        const unknown = await client.query('{ unknown }', {});
        expect(messagesIn(unknown.error)).toEqual([expect.stringContaining('"unknown"')]);
        const wrong = await client.query('query ($n: Int!) { twice(n: $n) }', { n: 'x' });
        expect(messagesIn(wrong.error)).toEqual([expect.stringContaining('"$n"')]);
        const done = await client.mutation('mutation { go }', {});
        expect([done.data, done.error]).toEqual([{ go: 1 }, undefined]);
        expect(seen).toEqual([
          'GET 200',
          `GET ${partial}`,
          `GET ${invalid}`,
          `GET ${invalid}`,
          'POST 200',
        ]);
      },
    );

    it('reads the error of a refused request', async () => {
      const { client, seen } = start({ accept: 'text/plain' });
      const { data, error } = await client.query('{ hello }', {});
      expect([data, messagesIn(error)]).toEqual([
        undefined,
        ['Send an Accept header with application/graphql-response+json or application/json'],
      ]);
      expect(seen).toEqual(['GET 406']);
    });
  });

  it('urql reads subscriptions as event streams, and the error of one that is refused', async () => {
    const exchanges = [fetchExchange];
    const client = new Client({ url: `${url}/streams`, exchanges, fetchSubscriptions: true });
    /** Resolves when the stream has ended, which urql reports with its last result. */
    const read = (text: string) =>
      new Promise<OperationResult[]>((resolve) => {
        const results: OperationResult[] = [];
        client.subscription(text, {}).subscribe((result) => {
          results.push(result);
          if (!result.hasNext) resolve(results);
        });
      });
    const counted = (await read('subscription { count(to: 3) }')).filter(({ hasNext }) => hasNext);
    expect(counted.map(({ data }) => data)).toEqual([{ count: 1 }, { count: 2 }, { count: 3 }]);
    const refused = (await read('subscription { unknown }')).at(-1);
    expect(refused?.error?.message).toContain('Cannot query field "unknown"');
  });

  describe.each(['/graphql', '/streams'])('at %s, graphql-request', (path) => {
    function start(headers: Record<string, string>) {
      const { seen, watch } = watched();
      const client = new GraphQLClient(url + path, { fetch: watch, headers });
      /** The response that a rejection contains. */
      const refused = async (text: string, variables = {}) => {
        const error: unknown = await client.request(text, variables).catch((it: unknown) => it);
        if (!(error instanceof ClientError)) throw error;
        return error.response;
      };
      return { client, refused, seen };
    }

    it.each(ACCEPTING)(
      'that accepts $types reads data, partial data and errors',
      async ({ headers, partial, invalid, syntax }) => {
        const { client, refused, seen } = start(headers);
        expect(await client.request('{ hello }')).toEqual({ hello: 'world' });
        expect(await refused('{ hello fails }')).toMatchObject({
          data: { hello: 'world', fails: null },
          errors: [{ message: 'no', path: ['fails'] }],
        });
        for (const [text, message, variables] of [
          ['{ unknown }', '"unknown"'],
          ['query ($n: Int!) { twice(n: $n) }', '"$n"', { n: 'x' }],
          ['{', 'Syntax Error'],
        ] as const) {
          expect((await refused(text, variables)).errors).toEqual([
            expect.objectContaining({ message: expect.stringContaining(message) }),
          ]);
        }
        expect(await client.request('mutation { go }')).toEqual({ go: 1 });
        const statuses = [200, partial, invalid, invalid, syntax, 200];
        expect(seen).toEqual(statuses.map((status) => `POST ${status}`));
      },
    );

    it('reads the error of a refused request', async () => {
      const { refused, seen } = start({ accept: 'text/plain' });
      const { errors } = await refused('{ hello }');
      expect(errors).toMatchObject([{ message: expect.stringContaining('Accept') }]);
      expect(seen).toEqual(['POST 406']);
    });
  });
});
