// A short document can ask for an introspection that is a hundred times as large as the one that tools ask for.
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ModuleMetadata } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import {
  graphqlHttp,
  GraphqlMountModule,
  type GraphqlMountOptions,
  GraphqlSubscriptionsModule,
  type OperationLimits,
} from '@fledge/graphql';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';
import { GraphqlMercuriusModule, MercuriusContextFactory } from '@fledge/graphql/mercurius';
import { yoga } from '@fledge/graphql/yoga';
import { getIntrospectionQuery } from 'graphql';
import { closeAll, type Platform, platforms, serve } from '../../../test/support/platforms.js';
import { query } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';
import { openStream } from './support/streams.js';

afterEach(async () => {
  hangUp();
  await closeAll();
});

const count = (to: number, text: (n: number) => string) =>
  Array.from({ length: to }, (_, n) => text(n)).join(' ');

const typeDefs = `
  type Query { t0: T0 }
  type Subscription { ticks: Int }
  ${count(20, (t) => `type T${t} { ${count(40, (f) => `"Text of a field" f${f}(id: ID): T${(t + f) % 20}`)} }`)}
`;

const aliased = (times: number, selection: string) => count(times, (n) => `a${n}: ${selection}`);
const FIELD = 'name description args { name }';
const HOSTILE: readonly [string, string][] = [
  [
    'fields of the types of fields',
    `{ __schema { types { fields { type { fields { ${FIELD} } } } } } }`,
  ],
  ['aliases of a nested list', `{ __schema { types { ${aliased(20, `fields { ${FIELD} }`)} } } }`],
  ['aliases of __schema', `{ ${aliased(20, `__schema { types { fields { ${FIELD} } } }`)} }`],
  [
    'aliases of __type',
    `{ ${aliased(90, `__type(name: "T1") { fields { type { fields { ${FIELD} } } } }`)} }`,
  ],
  [
    'a type in a variable',
    `query ($t: String!) { ${aliased(90, `__type(name: $t) { fields { type { fields { ${FIELD} } } } }`)} }`,
  ],
  [
    'a type in the default of a variable',
    `query ($d: String! = "T1") { ${aliased(90, `__type(name: $d) { fields { type { fields { ${FIELD} } } } }`)} }`,
  ],
  [
    'fragments',
    `{ ...S } fragment S on Query { __schema { types { ...T } } }
     fragment T on __Type { fields { type { ...U } } } fragment U on __Type { fields { ${FIELD} } }`,
  ],
];
const variables = { t: 'T1' };

const mount = (
  limits?: OperationLimits,
  more: Partial<GraphqlMountOptions> = {},
): ModuleMetadata => ({
  imports: [
    GraphqlMountModule.forRoot({
      typeDefs,
      subscriptions: { operations: 'all' },
      ...(limits && { limits }),
      ...more,
    }),
  ],
});
const apollo = (limits?: OperationLimits): ModuleMetadata => ({
  imports: [
    GraphqlApolloModule.forRoot({ ...(limits && { limits }) }),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      typeDefs,
      context: GraphqlContextFactory.create,
    }),
    GraphqlSubscriptionsModule.forApollo({ operations: 'all' }),
  ],
});
const mercurius = (limits?: OperationLimits): ModuleMetadata => ({
  imports: [
    GraphqlMercuriusModule.forRoot({ ...(limits && { limits }) }),
    GraphQLModule.forRoot<MercuriusDriverConfig>({
      driver: MercuriusDriver,
      typeDefs,
      context: MercuriusContextFactory.create,
    }),
    GraphqlSubscriptionsModule.forMercurius({ operations: 'all' }),
  ],
});

type Make = (limits?: OperationLimits) => ModuleMetadata;
const [, fastify] = platforms;
const endpoints: readonly [string, Make, readonly Platform[]][] = [
  ['graphqlHttp()', (it) => mount(it, { runtime: graphqlHttp({ eventStreams: true }) }), platforms],
  ['yoga()', (it) => mount(it, { runtime: yoga() }), platforms],
  ['Apollo', apollo, platforms],
  ['Mercurius', mercurius, [fastify!]],
];
const cases = endpoints.flatMap(([name, make, on]) =>
  on.map((platform) => ({ name: `${name} on ${platform.name}`, make, platform })),
);

const refusal = (maximum: number) =>
  expect.objectContaining({
    message: expect.stringContaining(`${maximum} times`),
    extensions: expect.objectContaining({
      code: 'GRAPHQL_LIMIT_EXCEEDED',
      limit: 'introspection',
      maximum,
    }),
  });

describe.each(cases)('introspection by $name', ({ name, make, platform }) => {
  it('is refused if its answer is many times the complete one', async () => {
    const url = `${(await serve(make(), platform)).url}/graphql`;
    const wire = await Wire.connect(url);
    for (const [kind, text] of HOSTILE) {
      const { body } = await query(url, text, {}, variables);
      expect([kind, body.errors]).toEqual([kind, [refusal(3)]]);
      wire.subscribe(kind, text, { variables });
      expect((await wire.answer(kind)).payload).toEqual([refusal(3)]);
    }
    if (!name.startsWith('graphqlHttp')) return;
    const stream = await openStream(url, HOSTILE[0]![1]);
    await stream.ended;
    expect(stream.text()).toContain('GRAPHQL_LIMIT_EXCEEDED');
  });

  it('is answered as tools ask for it, and for a type that somebody explores', async () => {
    const url = `${(await serve(make({ introspection: 1 }), platform)).url}/graphql`;
    const complete = getIntrospectionQuery({ oneOf: true, inputValueDeprecation: true });
    for (const text of [
      complete,
      `{ __type(name: "T1") { fields { type { fields { ${FIELD} } } } } }`,
    ]) {
      expect((await query(url, text)).body).not.toHaveProperty('errors');
    }
    const twice = `${getIntrospectionQuery()} fragment S on Query { again: __schema { types { ...FullType } } }`;
    const { body } = await query(url, twice.replace('{', '{ ...S '));
    expect(body.errors).toEqual([refusal(1)]);
  });
});

it('has no limit with false', async () => {
  const { url } = await serve(mount({ introspection: false }), fastify!);
  const { body } = await query(`${url}/graphql`, HOSTILE[1]![1]);
  expect(body.data.__schema.types.length).toBeGreaterThan(20);
});
