// The span of each operation of Mercurius, over HTTP and WebSocket, with the real OpenTelemetry SDK.
import { afterEach, describe, expect, it } from '@jest/globals';
import { GraphqlSubscriptionsModule } from '@fledge/graphql';
import { GraphqlMercuriusModule, MercuriusContextFactory } from '@fledge/graphql/mercurius';
import { Module } from '@nestjs/common';
import { GraphQLModule, Query, ResolveField, Resolver, Subscription } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { SpanStatusCode } from '@opentelemetry/api';
import { PubSub } from 'graphql-subscriptions';
import { call, closeAll, platforms, post, serve } from '../../../test/support/platforms.js';
import { recordSpans } from '../../../test/support/record-spans.js';
import { until } from '../../../test/support/until.js';
import { hangUp, Wire } from './support/sockets.js';
import { expectOutcomes, work } from './support/spans.js';

const [, fastify] = platforms;
const exporter = recordSpans();
const pubsub = new PubSub();

afterEach(async () => {
  hangUp();
  await closeAll();
});

const spansOf = (scope: string) =>
  exporter.getFinishedSpans().filter((span) => span.instrumentationScope.name === scope);
const finished = () => spansOf('@fledge/graphql');

const EMAIL = 'ada@example.com';

@Resolver('Work')
class WorkResolver {
  @Query()
  async work() {
    await work('SELECT work');
    return {};
  }

  @ResolveField()
  async lines() {
    return work('SELECT lines');
  }

  @Query()
  fails() {
    throw new Error('broken');
  }

  @Query()
  age() {
    return EMAIL;
  }

  @Query()
  twice() {
    return 1;
  }

  @Subscription()
  ticks() {
    return pubsub.asyncIterableIterator('ticks');
  }
}

const typeDefs = `
  type Work { lines: String }
  type Query { work: Work fails: String age: Int twice(n: Int!): Int }
  type Subscription { ticks: String }`;

async function start(options: object = {}, driver: Partial<MercuriusDriverConfig> = {}) {
  @Module({
    imports: [
      GraphqlMercuriusModule.forRoot(options),
      GraphQLModule.forRoot<MercuriusDriverConfig>({
        driver: MercuriusDriver,
        typeDefs,
        allowBatchedQueries: true,
        context: MercuriusContextFactory.create,
        ...driver,
      }),
      GraphqlSubscriptionsModule.forMercurius({ operations: 'all', ...options }),
    ],
    providers: [WorkResolver],
  })
  class AppModule {}
  const { app, url } = await serve(AppModule, fastify!);
  return { app, url: `${url}/graphql` };
}

const ask = (url: string, query: string, more: object = {}) => call(url, post({ query, ...more }));

describe('operations of Mercurius', () => {
  it('have a span with their type, name and outcome, by POST and GET', async () => {
    const { url } = await start();
    await ask(url, 'query Work { work { lines } }');
    await ask(url, '{ fails }');
    await call(`${url}?${new URLSearchParams({ query: '{ __typename }' })}`);
    expectOutcomes(finished());
    const [, , got] = finished();
    expect(got).toMatchObject({ name: 'query', status: { code: SpanStatusCode.UNSET } });
  });

  it('have the spans of their resolvers as children, each its own', async () => {
    const { url } = await start();
    const names = ['A', 'B', 'C', 'D'];
    await Promise.all(names.map((name) => ask(url, `query ${name} { work { lines } }`)));
    const children = spansOf('orm').map(({ name, parentSpanContext }) => {
      const parent = finished().find(
        (span) => span.spanContext().spanId === parentSpanContext?.spanId,
      );
      return `${String(parent?.attributes['graphql.operation.name'])} ${name}`;
    });
    expect(children.toSorted()).toEqual(
      names.flatMap((name) => [`${name} SELECT lines`, `${name} SELECT work`]),
    );
  });

  it('have a span each in a batch', async () => {
    const { url } = await start();
    const document = 'query A { work { lines } } query B { fails }';
    await call(
      url,
      post([
        { query: document, operationName: 'A' },
        { query: document, operationName: 'B' },
        { query: '{ nothing }' },
      ]),
    );
    const seen = finished().map(({ name, attributes, status }) =>
      [name, attributes['graphql.operation.name'], status.code].join(' '),
    );
    expect(seen.toSorted()).toEqual([
      `GraphQL Operation  ${SpanStatusCode.ERROR}`,
      `query A ${SpanStatusCode.UNSET}`,
      `query B ${SpanStatusCode.ERROR}`,
    ]);
  });

  it('that are refused have a span with the first error, those that are not found none', async () => {
    const { url } = await start({ limits: { aliases: 1 } });
    const refused = ['{ nothing }', '{ a: fails b: fails }', '{'];
    for (const query of refused) expect((await ask(url, query)).status).toBe(400);
    await call(url, post({}));
    expect(finished().map(({ name, status }) => [name, status])).toEqual(
      [/^Cannot query field "nothing"/, /aliases/, /^Syntax Error/].map((message) => [
        'GraphQL Operation',
        { code: SpanStatusCode.ERROR, message: expect.stringMatching(message) },
      ]),
    );
  });

  it('have no value of a variable or of a result in their status', async () => {
    const { url } = await start();
    await ask(url, 'query ($n: Int!) { twice(n: $n) }', { variables: { n: EMAIL } });
    await ask(url, '{ age }');
    await ask(url, `{ twice(n: "${EMAIL}") }`);
    expect(finished().map(({ status }) => status.message)).toEqual([
      'A variable or a literal does not fit its type',
      'A resolver returned a value that does not fit its type',
      'A variable or a literal does not fit its type',
    ]);
  });

  it('have their document with traceDocument, over HTTP and WebSocket', async () => {
    const { url } = await start({ traceDocument: true });
    await ask(url, '{ work { lines } }');
    const wire = await Wire.connect(url);
    wire.subscribe('1', '{ fails }');
    await wire.answer('1');
    expect(finished().map(({ attributes }) => attributes['graphql.document'])).toEqual([
      '{ work { lines } }',
      '{ fails }',
    ]);
  });

  it('that subscribe have a span until their stream has started', async () => {
    const { url } = await start();
    const wire = await Wire.connect(url);
    wire.subscribe('1', 'subscription Ticks { ticks }');
    await until(() => finished().length === 1);
    expect(finished()).toMatchObject([
      {
        name: 'subscription',
        status: { code: SpanStatusCode.UNSET },
        attributes: { 'graphql.operation.name': 'Ticks', 'graphql.operation.type': 'subscription' },
      },
    ]);
  });

  it('that the application executes itself are traced, and leave the members of Mercurius in place', async () => {
    const { app } = await start();
    const { graphql } = app.getHttpAdapter().getInstance() as {
      graphql: { (text: string): Promise<object>; schema: object; addHook: Function };
    };
    expect(await graphql('{ work { lines } }')).toMatchObject({
      data: { work: { lines: 'SELECT lines' } },
    });
    expect(finished()).toMatchObject([{ name: 'query' }]);
    expect([typeof graphql.schema, typeof graphql.addHook]).toEqual(['object', 'function']);
  });
});
