// What a reviewer broke once.
import { afterEach, describe, expect, it } from '@jest/globals';
import { GraphqlMountModule, type GraphqlMountOptions } from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import {
  GraphQLEnumType,
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { query } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';
import { until } from '../../../test/support/until.js';

afterEach(async () => {
  hangUp();
  process.env['NODE_ENV'] = 'test';
  await closeAll();
});

const Day = new GraphQLScalarType({
  name: 'Day',
  parseValue: () => {
    throw new TypeError('no day');
  },
});
const Nested: GraphQLInputObjectType = new GraphQLInputObjectType({
  name: 'Nested',
  fields: () => ({ n: { type: Nested } }),
});
const Color = new GraphQLEnumType({ name: 'Color', values: { RED: {}, GREEN: {} } });
const Root: GraphQLObjectType = new GraphQLObjectType({
  name: 'Query',
  fields: () => ({
    hello: { type: GraphQLString, resolve: () => 'world' },
    q: { type: Root },
    on: { type: GraphQLString, args: { day: { type: Day } } },
    color: { type: GraphQLString, args: { is: { type: Color } }, resolve: () => 'red' },
    strict: {
      type: GraphQLString,
      resolve: () => {
        throw new GraphQLError('Unknown. Did you mean "red"?');
      },
    },
    nested: { type: GraphQLString, args: { n: { type: Nested } } },
  }),
});
const schema = new GraphQLSchema({ query: Root });

describe.each(platforms)('on $name', (platform) => {
  const boot = (options: Partial<GraphqlMountOptions>) =>
    serve({ imports: [GraphqlMountModule.forRoot({ schema, ...options })] }, platform);

  it('a document that is nested too deeply gets a client error', async () => {
    process.env['NODE_ENV'] = 'production';
    const { url } = await boot({});
    const deep = `${'{q'.repeat(5_000)}{hello${'}'.repeat(5_001)}`;
    const { status, body } = await query(`${url}/graphql`, deep);
    expect(status).toBeLessThan(500);
    expect(body).toMatchObject({ errors: [{ message: 'The document is nested too deeply' }] });
  });

  it('variables that are nested too deeply get a client error', async () => {
    process.env['NODE_ENV'] = 'production';
    const { url } = await boot({});
    const n = `${'{"n":'.repeat(8_000)}null${'}'.repeat(8_000)}`;
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"query":"query ($n: Nested) { nested(n: $n) }","variables":{"n":${n}}}`,
    });
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).toContain('The variables are nested too deeply');
  });

  it.each([
    ['{ helo }', undefined],
    ['{ color(is: REDD) }', undefined],
    ['query ($is: Color) { color(is: $is) }', { is: 'REDD' }],
  ])('no error suggests names of the schema in production: %s', async (text, variables) => {
    process.env['NODE_ENV'] = 'production';
    const { url } = await boot({});
    const hidden = await query(`${url}/graphql`, text, {}, variables);
    expect(JSON.stringify(hidden.body)).not.toContain('Did you mean');
    const { url: open } = await boot({ introspection: true });
    const shown = await query(`${open}/graphql`, text, {}, variables);
    expect(JSON.stringify(shown.body)).toContain('Did you mean');
  });

  it('a resolver may suggest in production', async () => {
    process.env['NODE_ENV'] = 'production';
    const { url } = await boot({});
    const { body } = await query(`${url}/graphql`, '{ strict }');
    expect(body).toMatchObject({ errors: [{ message: 'Unknown. Did you mean "red"?' }] });
  });

  it.each(['{ on(day: "nope") }', 'query ($d: Day = "nope") { on(day: $d) }'])(
    'a value that a scalar refuses gets the error of the scalar: %s',
    async (text) => {
      process.env['NODE_ENV'] = 'production';
      const { url } = await boot({});
      const { body } = await query(`${url}/graphql`, text);
      expect(JSON.stringify(body)).toContain('no day');
      expect(JSON.stringify(body)).not.toContain('INTERNAL');
    },
  );

  it('formatError gets a new error object each time', async () => {
    const seen: unknown[] = [];
    const { url } = await boot({
      formatError: (formatted) => {
        const extensions = formatted.extensions as Record<string, number>;
        extensions['n'] = (extensions['n'] ?? 0) + 1;
        seen.push(extensions['n']);
        return formatted;
      },
    });
    for (let i = 0; i < 3; i += 1) await query(`${url}/graphql`, '{ nothing }');
    expect(seen).toEqual([1, 1, 1]);
  });

  it('an application closes while a client reads an event stream', async () => {
    const { app, url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { a: Int } type Subscription { t: Int }',
            rootValue: {
              t: async function* () {
                for (;;) {
                  yield { t: 1 };
                  await new Promise((resolve) => setTimeout(resolve, 20));
                }
              },
            },
            runtime: yoga(),
            subscriptions: { gracePeriodMs: 3_600_000 },
          }),
        ],
      },
      platform,
    );
    const response = await fetch(`${url}/graphql?query=subscription{t}`, {
      headers: { accept: 'text/event-stream' },
    });
    const reader = response.body!.getReader();
    await reader.read();
    // Does not wait for the grace period, which is longer than the time limit of a test.
    await app.close();
    await reader.cancel().catch(() => undefined);
  });

  it('a socket leaves no more than a hundred generators waiting', async () => {
    let live = 0;
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { a: Int } type Subscription { g: Int }',
            rootValue: {
              g: async function* () {
                live += 1;
                await new Promise(() => undefined);
                yield 1;
              },
            },
            subscriptions: { maxSubscriptions: 2 },
          }),
        ],
      },
      platform,
    );
    const wire = await Wire.connect(`${url}/graphql`);
    for (let i = 0; i < 101; i += 1) {
      wire.subscribe('x', 'subscription { g }');
      if (i === 100) break;
      await until(() => live === i + 1);
      wire.complete('x');
    }
    const refused = await wire.answer('x');
    expect(JSON.stringify(refused)).toContain('Too many subscriptions');
    expect(live).toBe(100);
  });

  it.each([
    [() => GraphqlMountModule.forRoot(undefined as never), /options|schema/],
    [
      () => GraphqlMountModule.forRoot({ schema, mountAs: 'routes' } as never),
      /mountAs.*'middleware' or 'route'/,
    ],
    [() => GraphqlMountModule.forRoot({ schema, runtime: 'yoga' } as never), /runtime/],
    [
      () => GraphqlMountModule.forRootAsync({ useFactory: () => ({ schema, mountAs: 'route' }) }),
      /next to the factory/,
    ],
    [() => GraphqlMountModule.forRootAsync({ useFactory: () => undefined as never }), /no options/],
  ])('refuses invalid options, with the reason (%#)', async (module, message) => {
    const booting = Promise.resolve().then(() => serve({ imports: [module()] }, platform));
    await expect(booting).rejects.toMatchObject({
      code: expect.stringMatching(/^GRAPHQL_/),
      message: expect.stringMatching(message),
    });
  });
});
