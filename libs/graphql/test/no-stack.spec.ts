// Clients get no stack trace and no file path, with any NODE_ENV.
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ApolloDriverConfig } from '@nestjs/apollo';
import type { ModuleMetadata } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import { GraphQLError, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import {
  GraphqlMountModule,
  type GraphqlMountOptions,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import { formatApolloError, GraphqlApolloModule } from '@fledge/graphql/apollo';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { hangUp, Wire } from './support/sockets.js';
import { apolloModule } from './support/nest-graphql.js';

const NODE_ENV = process.env['NODE_ENV'];

afterEach(async () => {
  process.env['NODE_ENV'] = NODE_ENV;
  hangUp();
  await closeAll();
});

/** What a server of others wrote into its error. */
const remote = () =>
  new GraphQLError('remote', {
    extensions: { stacktrace: ['Error: remote', '    at f (/srv/app/f.js:1:1)'] },
  });

const fails = () => {
  throw new TypeError('broken inside');
};

@Resolver()
class FailingResolver {
  @Query(() => String)
  fails(): string {
    return fails();
  }

  @Query(() => String)
  remote(): string {
    throw remote();
  }
}

const field = (resolve: () => string) => ({ type: GraphQLString, resolve });
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      fails: field(fails),
      remote: field(() => {
        throw remote();
      }),
    },
  }),
  subscription: new GraphQLObjectType({
    name: 'Subscription',
    fields: { fails: { type: GraphQLString, subscribe: fails } },
  }),
});

const apollo = (more: Partial<ApolloDriverConfig>): ModuleMetadata => ({
  imports: [GraphqlApolloModule.forRoot(), apolloModule(more)],
  providers: [FailingResolver],
});
const mount = (more: Partial<GraphqlMountOptions>): ModuleMetadata => ({
  imports: [GraphqlMountModule.forRoot({ schema, ...more })],
});

const endpoints: [string, () => ModuleMetadata][] = [
  ['Apollo', () => apollo({})],
  ['Apollo without GraphiQL', () => apollo({ graphiql: false })],
  ['Apollo with formatApolloError', () => apollo({ formatError: formatApolloError })],
  ['Apollo with a formatError that throws', () => apollo({ formatError: fails })],
  ['Apollo with a context that throws', () => apollo({ context: fails })],
  ['Apollo with a context that throws a text', () => apollo({ context: throwsText })],
  ['graphql-http', () => mount({})],
  ['graphql-http as a route', () => mount({ mountAs: 'route' })],
  ['graphql-http with a formatError that throws', () => mount({ formatError: fails })],
  ['Yoga', () => mount({ runtime: yoga() })],
  ['Yoga with a formatError that throws', () => mount({ runtime: yoga(), formatError: fails })],
  ['a runtime that throws', () => mount({ runtime: () => fails })],
  [
    'a runtime that calls next(error)',
    () => mount({ runtime: () => (_q, _s, next) => next(boom) }),
  ],
];
const boom = new TypeError('broken inside');

function throwsText(): never {
  // oxlint-disable-next-line typescript/only-throw-error -- applications do
  throw 'broken inside';
}

const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body,
});
const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
};
const requests: [string, string, RequestInit?][] = [
  ['a browser', '', { headers: BROWSER }],
  ['a client without headers', ''],
  ['a query by GET', '?query=%7Bfails%7D'],
  [
    'a query by a GET that Apollo takes',
    '?query=%7Bfails%7D',
    { headers: { 'apollo-require-preflight': '1' } },
  ],
  [
    'malformed variables',
    '?query=%7Bfails%7D&variables=%7B',
    { headers: { 'apollo-require-preflight': '1' } },
  ],
  ['a syntax error', '', post('{"query":"{"}')],
  ['an unknown field', '', post('{"query":"{ nothing }"}')],
  ['a resolver that fails', '', post('{"query":"{ fails }"}')],
  ['an error of another server', '', post('{"query":"{ remote }"}')],
  [
    'an unknown persisted query',
    '',
    post('{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}'),
  ],
  ['malformed JSON', '', post('{"query":')],
  ['a batch', '', post('[{"query":"{ fails }"}]')],
  ['no body', '', post('')],
  ['a body of another kind', '', post('"text"')],
  [
    'a form',
    '',
    post('query=%7Bfails%7D', { 'content-type': 'application/x-www-form-urlencoded' }),
  ],
  ['an unknown media type', '', post('x', { 'content-type': 'foo' })],
  ['an unknown charset', '', post('{}', { 'content-type': 'application/json; charset=bogus' })],
  ['too large a body', '', post(JSON.stringify({ query: ' '.repeat(2_000_000) }))],
  ['an unsupported media type', '', post('{"query":"{ fails }"}', { accept: 'image/png' })],
  ['another verb', '', { method: 'PUT' }],
  ['a malformed path', '/%E0%A4%A'],
];

const STACK = /stack|\n\s+at |\bat .+:\d+:\d+|file:\/\/|node_modules|\/libs\//i;

describe.each(platforms)('on $name', (platform) => {
  describe.each(['development', 'production', undefined])('under NODE_ENV=%s', (env) => {
    it.each(endpoints)('%s answers without a stack', async (_name, endpoint) => {
      if (env === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = env;
      const { url } = await serve(endpoint(), platform);
      const leaks = await Promise.all(
        requests.map(async ([name, search, init]) => {
          const text = await (await fetch(`${url}/graphql${search}`, init)).text();
          return STACK.test(text) ? { name, text } : undefined;
        }),
      );
      expect(leaks.filter(Boolean)).toEqual([]);
    });

    it('a socket does not send one either', async () => {
      if (env === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = env;
      const { url } = await serve(
        { imports: [GraphqlSubscriptionsModule.forRoot({ schema, operations: 'all' })] },
        platform,
      );
      const wire = await Wire.connect(`${url}/graphql`);
      const operations = ['subscription { fails }', '{ fails }', '{ remote }', '{ nothing }', '{'];
      for (const [i, text] of operations.entries()) {
        wire.subscribe(`${i}`, text);
        await wire.answer(`${i}`);
      }
      wire.send({ type: 'nonsense' });
      const closed = await wire.closed;
      expect(JSON.stringify([wire.messages, closed])).not.toMatch(STACK);
    });
  });
});
