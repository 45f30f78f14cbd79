// The statuses of each runtime: the table in docs/runtimes.md#statuses-of-other-runtimes. That they mask the same errors and
// hide the same suggestions is in stored-values.spec.ts and suggestions.spec.ts.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { GraphqlMountModule } from '@fledge/graphql';
import {
  formatApolloError,
  GraphqlApolloModule,
  GraphqlContextFactory,
} from '@fledge/graphql/apollo';
import {
  formatMercuriusErrors,
  GraphqlMercuriusModule,
  MercuriusContextFactory,
} from '@fledge/graphql/mercurius';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

const typeDefs = `
  type Query { hello: String, fails: String, twice(n: Int!): Int }
  type Mutation { go: Int }
`;
const fails = () => {
  throw new Error('secret');
};
const rootValue = { hello: 'world', fails, twice: ({ n }: { n: number }) => n * 2, go: () => 1 };
const resolvers = {
  Query: { hello: () => 'world', fails, twice: (_: unknown, { n }: { n: number }) => n * 2 },
  Mutation: { go: () => 1 },
};

const SERVERS: Readonly<Record<string, () => ModuleMetadata>> = {
  'graphqlHttp()': () => ({ imports: [GraphqlMountModule.forRoot({ typeDefs, rootValue })] }),
  'yoga()': () => ({
    imports: [GraphqlMountModule.forRoot({ typeDefs, rootValue, runtime: yoga() })],
  }),
  Apollo: () => ({
    imports: [
      GraphqlApolloModule.forRoot(),
      GraphQLModule.forRoot<ApolloDriverConfig>({
        driver: ApolloDriver,
        typeDefs,
        resolvers,
        context: GraphqlContextFactory.create,
        formatError: formatApolloError,
      }),
    ],
  }),
  Mercurius: () => ({
    imports: [
      GraphqlMercuriusModule.forRoot(),
      GraphQLModule.forRoot<MercuriusDriverConfig>({
        driver: MercuriusDriver,
        typeDefs,
        resolvers,
        context: MercuriusContextFactory.create,
        errorFormatter: formatMercuriusErrors,
      }),
    ],
  }),
};
const servers = platforms.flatMap((platform) =>
  Object.keys(SERVERS)
    .filter((name) => name !== 'Mercurius' || platform.name === 'Fastify')
    .map((name) => ({ name, platform })),
);

const post = (body: unknown, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': type },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const inUrl = (search: object): [string, RequestInit] => [
  `?${new URLSearchParams({ ...search })}`,
  {},
];
const sent = (init: RequestInit): [string, RequestInit] => ['', init];

/** Apollo asks for this header, or refuses what a page of another site can send. */
const PREFLIGHT = { 'apollo-require-preflight': 'yes' };

type Statuses = readonly [number, number];

/** A request, and its statuses for clients of the GraphQL media type and of JSON: ours, Yoga's, Apollo's, Mercurius'. */
const REQUESTS: readonly (readonly [string, [string, RequestInit], ...Statuses[]])[] = [
  ['data', sent(post({ query: '{ hello }' })), [200, 200], [200, 200], [200, 200], [200, 200]],
  [
    'partial data',
    sent(post({ query: '{ hello fails }' })),
    [294, 200],
    [200, 200],
    [200, 200],
    [200, 200],
  ],
  ['a body that is not JSON', sent(post('{')), [400, 400], [400, 400], [400, 400], [400, 400]],
  ['no query', sent(post({ qeury: '{ hello }' })), [422, 422], [400, 400], [400, 400], [400, 400]],
  [
    'variables of another type',
    sent(post({ query: '{ hello }', variables: [7] })),
    [422, 422],
    [400, 400],
    [400, 400],
    [400, 400],
  ],
  ['a batch', sent(post([{ query: '{ hello }' }])), [422, 422], [400, 400], [400, 400], [400, 400]],
  ['a syntax error', sent(post({ query: '{' })), [400, 200], [400, 200], [400, 400], [400, 400]],
  [
    'an invalid document',
    sent(post({ query: '{ unknown }' })),
    [422, 200],
    [400, 200],
    [400, 400],
    [400, 400],
  ],
  [
    'an unknown operation',
    sent(post({ query: 'query A { hello }', operationName: 'B' })),
    [422, 200],
    [400, 400],
    [400, 400],
    [200, 200],
  ],
  [
    'an empty name of an operation',
    sent(post({ query: '{ hello }', operationName: '' })),
    [200, 200],
    [200, 200],
    [400, 400],
    [200, 200],
  ],
  [
    'variables that do not fit',
    sent(post({ query: 'query ($n: Int!) { twice(n: $n) }', variables: { n: 'x' } })),
    [422, 200],
    [400, 400],
    [400, 400],
    [400, 400],
  ],
  [
    'a mutation by GET',
    inUrl({ query: 'mutation { go }' }),
    [405, 405],
    [405, 405],
    [405, 405],
    [405, 405],
  ],
  [
    'variables in a URL that are not JSON',
    inUrl({ query: '{ hello }', variables: '{' }),
    [400, 400],
    [400, 400],
    [400, 400],
    [400, 400],
  ],
  [
    'a form',
    sent(post('query=mutation{go}', 'application/x-www-form-urlencoded')),
    [415, 415],
    [415, 415],
    [400, 400],
    // Nest's adapter parses forms, and Mercurius executes them.
    [200, 200],
  ],
];

describe.each(servers)('$name on $platform.name', ({ name, platform }) => {
  it('has these statuses', async () => {
    const { url } = await serve(SERVERS[name]!(), platform);
    const found = [];
    for (const [request, [search, init]] of REQUESTS) {
      const by = async (accept: string) => {
        const preflight = request === 'a form' ? {} : PREFLIGHT;
        const headers = { ...(init.headers as object), accept, ...preflight };
        const response = await fetch(`${url}/graphql${search}`, { ...init, headers });
        await response.text();
        return response.status;
      };
      found.push([
        request,
        [await by('application/graphql-response+json'), await by('application/json')],
      ]);
    }
    const column = 2 + Object.keys(SERVERS).indexOf(name);
    expect(found).toEqual(REQUESTS.map((row) => [row[0], row[column]]));
  });
});

describe('the hook of docs/runtimes.md for Mercurius', () => {
  const page = readFileSync(new URL('../docs/runtimes.md', import.meta.url), 'utf8');
  const [, hook] = /```js\n(app\n {2}\.getHttpAdapter\(\)[^`]+)```/.exec(page) ?? [];
  const useHook = (app: INestApplication) => void runInNewContext(hook!, { app });

  it.each([
    'application/x-www-form-urlencoded',
    'Application/X-WWW-Form-URLencoded; charset=utf-8',
  ])('rejects a form of the type %s', async (type) => {
    const [, fastify] = platforms;
    const { url } = await serve(SERVERS['Mercurius']!(), fastify!, useHook);
    const endpoint = `${url}/graphql`;
    expect((await fetch(endpoint, post('query=mutation{go}', type))).status).toBe(415);
    const { status } = await fetch(endpoint, post({ query: 'mutation { go }' }));
    expect(status).toBe(200);
  });
});
