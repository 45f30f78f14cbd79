// In production, and with `introspection: false`, clients learn nothing about the schema that they do not know: on each
// runtime, over HTTP and sockets.
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ModuleMetadata } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { GraphqlMountModule, GraphqlSubscriptionsModule } from '@fledge/graphql';
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
import { closeAll, type Platform, platforms, serve } from '../../../test/support/platforms.js';
import { testInProduction } from './support/production.js';
import { query } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';

testInProduction();

afterEach(async () => {
  hangUp();
  await closeAll();
});

const typeDefs = `
  enum Color { VERMILION }
  input Paint { vermilionShade: Int }
  type Query { vermilion(color: Color, paint: Paint): Int }
  type Subscription { ticks: Int }
`;
const GUESSES: readonly [string, object?][] = [
  ['{ vermilon }'],
  ['{ vermilion(colr: null) }'],
  ['{ vermilion(color: VERMILON) }'],
  ['query ($c: Colr) { vermilion(color: $c) }'],
  ['query ($c: Color) { vermilion(color: $c) }', { c: 'VERMILON' }],
  ['query ($p: Paint) { vermilion(paint: $p) }', { p: { vermilionShad: 1 } }],
];
const ASKED = ['{ __schema { queryType { name } } }', '{ __type(name: "Query") { name } }'];

type Introspection = { readonly introspection?: true };
const apollo =
  (more: Partial<ApolloDriverConfig> = {}) =>
  (given: Introspection): ModuleMetadata => ({
    imports: [
      GraphqlApolloModule.forRoot(),
      GraphQLModule.forRoot<ApolloDriverConfig>({
        driver: ApolloDriver,
        typeDefs,
        context: GraphqlContextFactory.create,
        ...given,
        ...more,
      }),
      GraphqlSubscriptionsModule.forApollo({ operations: 'all' }),
    ],
  });
const mercurius =
  (more: Partial<MercuriusDriverConfig> = {}) =>
  (given: Introspection): ModuleMetadata => ({
    imports: [
      GraphqlMercuriusModule.forRoot(given),
      GraphQLModule.forRoot<MercuriusDriverConfig>({
        driver: MercuriusDriver,
        typeDefs,
        context: MercuriusContextFactory.create,
        ...more,
      }),
      GraphqlSubscriptionsModule.forMercurius({
        operations: 'all',
        ...(typeof more.validationRules === 'function' && { validationRules: [] }),
      }),
    ],
  });
const mount =
  (more: object = {}) =>
  (given: Introspection): ModuleMetadata => ({
    imports: [
      GraphqlMountModule.forRoot({
        typeDefs,
        rootValue: { vermilion: 1 },
        subscriptions: { operations: 'all' },
        ...given,
        ...more,
      }),
    ],
  });

const [, fastify] = platforms;
const endpoints: readonly [
  string,
  (given: Introspection) => ModuleMetadata,
  readonly Platform[],
][] = [
  ['graphqlHttp()', mount(), platforms],
  ['yoga()', mount({ runtime: yoga() }), platforms],
  ['Apollo', apollo(), platforms],
  ['Apollo with formatApolloError', apollo({ formatError: formatApolloError }), platforms],
  ['Mercurius', mercurius(), [fastify!]],
  [
    'Mercurius with formatMercuriusErrors',
    mercurius({ errorFormatter: formatMercuriusErrors }),
    [fastify!],
  ],
  ['Mercurius with rules', mercurius({ validationRules: [] }), [fastify!]],
  [
    'Mercurius with a function for rules',
    mercurius({ validationRules: () => [], cache: false }),
    [fastify!],
  ],
];
const cases = endpoints.flatMap(([name, module, on]) =>
  on.map((platform) => ({ name: `${name} on ${platform.name}`, module, platform })),
);

describe.each(cases)('in production, $name', ({ module, platform }) => {
  const open = async (given: Introspection) => {
    const url = `${(await serve(module(given), platform)).url}/graphql`;
    const wire = await Wire.connect(url);
    let id = 0;
    /** The answers over HTTP and over a socket. */
    return async (text: string, variables?: object) => {
      id += 1;
      wire.subscribe(`${id}`, text, { variables });
      return [
        (await query(url, text, {}, variables)).body as unknown,
        (await wire.answer(`${id}`)).payload as unknown,
      ];
    };
  };

  it('answers no introspection, and suggests no names', async () => {
    const ask = await open({});
    for (const text of ASKED) {
      for (const answer of await ask(text)) {
        expect(JSON.stringify(answer)).toMatch(/introspection/);
        expect(JSON.stringify(answer)).not.toContain('"name"');
      }
    }
    for (const [text, variables] of GUESSES) {
      for (const answer of await ask(text, variables)) {
        expect(JSON.stringify(answer)).toContain('"message"');
        expect(JSON.stringify(answer)).not.toMatch(/Did you mean|VERMILION|vermilionShade/);
      }
    }
  });

  it('does both with introspection: true', async () => {
    const ask = await open({ introspection: true });
    for (const answer of await ask(ASKED[0]!)) {
      expect(JSON.stringify(answer)).toContain('"name":"Query"');
    }
    for (const answer of await ask(GUESSES[0]![0])) {
      expect(JSON.stringify(answer)).toContain('Did you mean \\"vermilion\\"?');
    }
  });
});
