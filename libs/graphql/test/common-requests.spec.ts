// The usual requests skip graphql-http. An uncommon parameter in `Accept` sends an equal request through it.
import { afterEach, describe, expect, it } from '@jest/globals';
import { getGraphqlAdapterToken, type GraphqlAdapter, GraphqlMountModule } from '@fledge/graphql';
import { ForbiddenException } from '@nestjs/common';
import fc from 'fast-check';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

const typeDefs = `
  type Query { hello(name: String): String, later: String, fails: String, hard: Int!, twice(n: Int!): Int }
  type Mutation { go: Int }
  type Subscription { tick: Int }
`;
const rootValue = {
  hello: ({ name = 'world' }) => name,
  later: async () => Promise.resolve('later'),
  fails: () => {
    throw new ForbiddenException('not yours');
  },
  hard: async () => Promise.reject(new Error('secret')),
  twice: ({ n }: { n: number }) => n * 2,
  go: () => 1,
};

const json = fc.jsonValue({ maxDepth: 2 });
const wellFormed = fc.record(
  {
    query: fc.constantFrom(
      '{ hello }',
      '{ hello(name: "é😀") later }',
      '{ fails hello }',
      '{ hard }',
      'query($n: Int!) { twice(n: $n) }',
      'query A { hello } mutation B { go }',
      'mutation { go }',
      'subscription { tick }',
      '{ unknown }',
      '{ syntax',
      '',
    ),
    operationName: fc.constantFrom(null, 'A', 'B', 'C', ''),
    variables: fc.constantFrom(null, {}, { n: 2 }, { n: 'x' }),
    extensions: fc.constantFrom(null, {}),
  },
  { requiredKeys: ['query'] },
);
const malformed = fc.oneof(
  json,
  fc.record(
    { query: json, operationName: json, variables: json, extensions: json },
    { requiredKeys: [] },
  ),
);

describe.each(platforms)('a usual request on $name', (platform) => {
  it('is answered and counted as graphql-http would', async () => {
    const mount = GraphqlMountModule.forRoot({ typeDefs, rootValue });
    const { app, url } = await serve({ imports: [mount] }, platform);
    const adapter = app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false });
    const ask = async (body: unknown, accept: string) => {
      const before = adapter.introspect().metrics;
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { accept, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      const { queries, mutations, errors } = adapter.introspect().metrics;
      return {
        status: response.status,
        text,
        headers: [...response.headers].filter(([name]) => name !== 'date'),
        counted: [queries - before.queries, mutations - before.mutations, errors - before.errors],
      };
    };
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 3, arbitrary: wellFormed }, { weight: 1, arbitrary: malformed }),
        fc.constantFrom('application/json', '*/*', 'application/graphql-response+json'),
        async (body, accept) => {
          expect(await ask(body, accept)).toEqual(await ask(body, `${accept};uncommon=1`));
        },
      ),
      { numRuns: 150 },
    );
  });
});
