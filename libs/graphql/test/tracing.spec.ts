// The span of each operation, over HTTP and WebSocket, with the real OpenTelemetry SDK.
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type DynamicModule, Module } from '@nestjs/common';
import { Args, GraphQLModule, Int, Query, Resolver, Subscription } from '@nestjs/graphql';
import { graphqlHttp, GraphqlMountModule, GraphqlSubscriptionsModule } from '@fledge/graphql';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';
import { yoga } from '@fledge/graphql/yoga';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { PubSub } from 'graphql-subscriptions';
import { call, closeAll, platforms, post, serve } from '../../../test/support/platforms.js';
import { recordSpans } from '../../../test/support/record-spans.js';
import { until } from '../../../test/support/until.js';
import { feed } from './support/feed.js';
import { hangUp, Wire } from './support/sockets.js';
import { expectOutcomes, work } from './support/spans.js';
import { heard, openStream } from './support/streams.js';
import { apolloModule } from './support/nest-graphql.js';

const exporter = recordSpans();

afterEach(async () => {
  hangUp();
  await closeAll();
});

const finished = () =>
  exporter
    .getFinishedSpans()
    .filter(({ instrumentationScope }) => instrumentationScope.name === '@fledge/graphql');

async function query(url: string, text: string) {
  return call(url, post({ query: text }));
}

const pubsub = new PubSub();

const EMAIL = 'ada@example.com';

@Resolver()
class WorkResolver {
  @Query(() => Int, { nullable: true })
  age(): unknown {
    return EMAIL;
  }

  @Query(() => Int)
  twice(@Args('n', { type: () => Int }) n: number) {
    return n * 2;
  }

  @Query(() => String)
  work() {
    return work('SELECT');
  }

  @Query(() => String)
  fails() {
    throw new Error('broken');
  }

  @Subscription(() => String)
  ticks() {
    return pubsub.asyncIterableIterator('ticks');
  }
}

function apollo(traceDocument?: boolean): DynamicModule[] {
  return [
    GraphqlApolloModule.forRoot(traceDocument === undefined ? {} : { traceDocument }),
    apolloModule({ allowBatchedHttpRequests: true }),
  ];
}

function apolloAsync(): DynamicModule[] {
  return [
    GraphqlApolloModule.forRoot(),
    GraphQLModule.forRootAsync<ApolloDriverConfig>({
      driver: ApolloDriver,
      inject: [GraphqlContextFactory],
      useFactory: (factory: GraphqlContextFactory) => ({
        autoSchemaFile: true,
        context: factory.create,
      }),
    }),
  ];
}

function mount(options: object = {}): DynamicModule[] {
  return [
    GraphqlMountModule.forRoot({
      typeDefs: 'type Query { work: String fails: String age: Int twice(n: Int!): Int }',
      rootValue: {
        age: () => EMAIL,
        twice: () => 1,
        work: () => work('SELECT'),
        fails: () => {
          throw new Error('broken');
        },
      },
      ...options,
    }),
  ];
}

describe.each(platforms)('operations on $name', (platform) => {
  async function start(imports: DynamicModule[]): Promise<string> {
    @Module({ imports, providers: [WorkResolver] })
    class AppModule {}
    const { url } = await serve(AppModule, platform);
    return `${url}/graphql`;
  }

  describe.each([
    ['graphqlHttp()', mount],
    ['yoga()', () => mount({ runtime: yoga() })],
    ['Apollo', () => apollo()],
    ['Apollo by forRootAsync()', apolloAsync],
  ])('with %s', (_, imports) => {
    it('have a span with their type, name and outcome', async () => {
      const url = await start(imports());
      await query(url, 'query Work { work }');
      await query(url, '{ fails }');
      expectOutcomes(finished());
    });

    it('have no value of a variable or of a result in their status', async () => {
      const url = await start(imports());
      const twice = 'query ($n: Int!) { twice(n: $n) }';
      await call(url, post({ query: twice, variables: { n: EMAIL } }));
      await query(url, '{ age }');
      await query(url, `{ twice(n: "${EMAIL}") }`);
      const messages = finished().map(({ status }) => status.message);
      expect(messages.slice(0, 2)).toEqual([
        'A variable or a literal does not fit its type',
        'A resolver returned a value that does not fit its type',
      ]);
      expect(JSON.stringify(messages)).not.toContain(EMAIL);
    });

    it('have the spans of their resolvers as children', async () => {
      const url = await start(imports());
      await query(url, '{ work }');
      const select = exporter.getFinishedSpans().find(({ name }) => name === 'SELECT');
      expect(select?.parentSpanContext?.spanId).toBe(finished()[0]!.spanContext().spanId);
    });
  });

  it('have a span each in a batch of graphqlHttp()', async () => {
    const url = await start(mount({ runtime: graphqlHttp({ batch: { limit: 2 } }) }));
    await call(url, post([{ query: 'query A { work }' }, { query: 'query B { fails }' }]));
    expect(
      finished().map(({ attributes, status }) => [
        attributes['graphql.operation.name'],
        status.code,
      ]),
    ).toEqual([
      ['B', SpanStatusCode.ERROR],
      ['A', SpanStatusCode.UNSET],
    ]);
  });

  it('have their document with traceDocument', async () => {
    const url = await start(mount({ traceDocument: true }));
    await query(url, '{ work }');
    await closeAll();
    const other = await start(apollo(true));
    await query(other, '{ work }');
    expect(finished().map(({ attributes }) => attributes['graphql.document'])).toEqual([
      '{ work }',
      '{ work }',
    ]);
  });

  it('that were refused before execution have no span, but with Apollo', async () => {
    await query(await start(mount()), '{ nothing }');
    await query(await start(mount({ runtime: yoga() })), '{ nothing }');
    await query(await start(apollo()), '{ nothing }');
    expect(finished()).toMatchObject([
      { name: 'GraphQL Operation', status: { code: SpanStatusCode.ERROR } },
    ]);
  });

  it('of an unknown name have a span with Apollo', async () => {
    const url = await start(apollo());
    const sent = await call(url, post({ query: 'query A { work }', operationName: 'B' }));
    expect(sent.status).toBe(400);
    expect(finished()).toMatchObject([
      {
        name: 'GraphQL Operation',
        status: { code: SpanStatusCode.ERROR, message: 'Unknown operation named "B".' },
      },
    ]);
  });

  it('of a batch to Apollo share a span', async () => {
    const url = await start(apollo());
    await call(url, post([{ query: '{ work }' }, { query: '{ work }' }]));
    expect(finished()).toMatchObject([{ name: 'GraphQL Operation', attributes: {} }]);
  });

  it('have no span where Apollo shows its page', async () => {
    const url = await start(apollo());
    await fetch(url, { headers: { accept: 'text/html' } });
    expect(finished()).toEqual([]);
  });

  it('of a socket have a span each, in traces of their own', async () => {
    const url = await start([
      GraphqlSubscriptionsModule.forRoot({ schema: feed().schema, operations: 'all' }),
    ]);
    const wire = await Wire.connect(url);
    wire.subscribe('1', 'query Hello { hello }');
    await wire.answer('1');
    wire.subscribe('2', 'mutation { shout }');
    await wire.answer('2');
    expect(finished()).toMatchObject([
      {
        name: 'query',
        kind: SpanKind.SERVER,
        attributes: { 'graphql.operation.name': 'Hello', 'graphql.operation.type': 'query' },
      },
      { name: 'mutation', attributes: { 'graphql.operation.type': 'mutation' } },
    ]);
    expect(finished().map(({ parentSpanContext }) => parentSpanContext)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('that subscribe have a span until their stream has started', async () => {
    const { schema, publish, listeners } = feed();
    const url = await start([GraphqlSubscriptionsModule.forRoot({ schema })]);
    const wire = await Wire.connect(url);
    wire.subscribe('1', 'subscription Ticks { tick { n } }');
    await until(() => finished().length === 1);
    await until(() => Object.keys(listeners()).length === 1);
    await publish(1);
    await publish(2);
    await wire.events('1', 2);
    wire.complete('1');
    await until(() => Object.keys(listeners()).length === 0);
    expect(finished()).toMatchObject([
      {
        name: 'subscription',
        status: { code: SpanStatusCode.UNSET },
        attributes: { 'graphql.operation.name': 'Ticks', 'graphql.operation.type': 'subscription' },
      },
    ]);
  });

  it('that subscribe over an event stream have a span until it has started', async () => {
    const { schema, publish } = feed();
    const url = await start([GraphqlMountModule.forRoot({ schema, runtime: yoga() })]);
    const stream = await openStream(url, 'subscription { tick { n } }');
    await until(() => finished().length === 1);
    await publish(1);
    await heard(stream, '"n":1');
    stream.leave();
    expect(finished()).toMatchObject([{ name: 'subscription' }]);
  });

  it('of Apollo over a socket have a span, too', async () => {
    const url = await start([
      ...apollo(),
      GraphqlSubscriptionsModule.forApollo({ operations: 'all' }),
    ]);
    const wire = await Wire.connect(url);
    wire.subscribe('1', '{ work }');
    await wire.answer('1');
    wire.subscribe('2', 'subscription { ticks }');
    await until(() => finished().length === 2);
    expect(finished()).toMatchObject([{ name: 'query' }, { name: 'subscription' }]);
  });
});
