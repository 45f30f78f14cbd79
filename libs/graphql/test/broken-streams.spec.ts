// In production, an error that the source of a subscription throws is masked on each transport.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ForbiddenException, Logger, type ModuleMetadata } from '@nestjs/common';
import { Args, Query, Resolver, Subscription } from '@nestjs/graphql';
import { GraphQLError } from 'graphql';
import {
  graphqlHttp,
  GraphqlMountModule,
  type GraphqlRuntime,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import { GraphqlApolloModule } from '@fledge/graphql/apollo';
import { GraphqlMercuriusModule } from '@fledge/graphql/mercurius';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, type Platform, platforms, serve } from '../../../test/support/platforms.js';
import { testInProduction } from './support/production.js';
import { hangUp, Wire } from './support/sockets.js';
import { openStream } from './support/streams.js';
import { apolloModule, mercuriusModule } from './support/nest-graphql.js';

testInProduction();

afterEach(async () => {
  jest.restoreAllMocks();
  hangUp();
  await closeAll();
});

const THROWN: Readonly<Record<string, unknown>> = {
  error: new Error('a secret'),
  several: new AggregateError([new Error('a secret')], 'a secret'),
  text: 'a secret',
  object: { message: { toString: () => 'a secret' }, toString: () => 'a secret' },
  http: new ForbiddenException('Not yours'),
  told: new GraphQLError('Said so', { extensions: { code: 'LOCKED' } }),
};

/** Yields one event and then throws. */
async function* broken({ how }: { readonly how: string }) {
  yield await Promise.resolve({ broken: how });
  throw THROWN[how];
}

@Resolver()
class Broken {
  @Query(() => String)
  hello(): string {
    return 'world';
  }

  @Subscription(() => String)
  broken(@Args('how') how: string) {
    return broken({ how });
  }
}

const typeDefs = `
  type Query { hello: String }
  type Subscription { broken(how: String!): String }
`;
const mount = (runtime?: GraphqlRuntime): ModuleMetadata => ({
  imports: [
    GraphqlMountModule.forRoot({
      typeDefs,
      rootValue: { broken },
      subscriptions: true,
      ...(runtime && { runtime }),
    }),
  ],
});
const apollo = (): ModuleMetadata => ({
  imports: [GraphqlApolloModule.forRoot(), apolloModule(), GraphqlSubscriptionsModule.forApollo()],
  providers: [Broken],
});
const mercurius = (): ModuleMetadata => ({
  imports: [
    GraphqlMercuriusModule.forRoot(),
    mercuriusModule(),
    GraphqlSubscriptionsModule.forMercurius(),
  ],
  providers: [Broken],
});

/** Returns everything that a client receives. */
type Read = (url: string, query: string) => Promise<string>;

const readStream: Read = async (url, query) => {
  const stream = await openStream(url, query);
  await stream.ended;
  return stream.text();
};
const readSocket: Read = async (url, query) => {
  const wire = await Wire.connect(url);
  wire.subscribe('1', query);
  await wire.message(({ type }) => type === 'error' || type === 'complete');
  return JSON.stringify(wire.messages);
};

const [, fastify] = platforms;
const transports: readonly [string, () => ModuleMetadata, Read, readonly Platform[]][] = [
  [
    'event streams of graphqlHttp()',
    () => mount(graphqlHttp({ eventStreams: true })),
    readStream,
    platforms,
  ],
  ['event streams of yoga()', () => mount(yoga()), readStream, platforms],
  ['sockets of a mount', () => mount(), readSocket, platforms],
  ['sockets of forApollo()', apollo, readSocket, platforms],
  ['sockets of forMercurius()', mercurius, readSocket, [fastify!]],
];
const cases = transports.flatMap(([name, module, read, on]) =>
  on.map((platform) => ({ name: `${name} on ${platform.name}`, module, read, platform })),
);

describe.each(cases)('$name', ({ module, read, platform }) => {
  const received = async (how: string) => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const { url } = await serve(module(), platform);
    const text = await read(`${url}/graphql`, `subscription { broken(how: "${how}") }`);
    return { text, logs: logged.mock.calls.map(([error]) => String(error)).join() };
  };

  it.each(['error', 'several', 'text', 'object'])('mask and log: %s', async (how) => {
    const { text, logs } = await received(how);
    expect(text).toContain('"message":"Internal server error"');
    expect(text).toContain('"extensions":{"code":"INTERNAL_SERVER_ERROR"}');
    expect(text).not.toContain('secret');
    expect(logs).toContain('a secret');
  });

  it.each([
    ['http', 'Not yours', 'FORBIDDEN'],
    ['told', 'Said so', 'LOCKED'],
  ])('keep the message and the code: %s', async (how, message, code) => {
    const { text, logs } = await received(how);
    expect(text).toContain(`"message":"${message}"`);
    expect(text).toContain(`"code":"${code}"`);
    expect(logs).toBe('');
  });
});
