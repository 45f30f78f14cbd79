// In production, clients get no value that a resolver returned and that does not fit its type: on each runtime,
// over HTTP, sockets and event streams.
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ModuleMetadata } from '@nestjs/common';
import {
  createUnionType,
  Field,
  Int,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Subscription,
} from '@nestjs/graphql';
import {
  GraphQLEnumType,
  GraphQLError,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql';
import {
  graphqlHttp,
  GraphqlMountModule,
  type GraphqlMountOptions,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import { formatApolloError, GraphqlApolloModule } from '@fledge/graphql/apollo';
import { formatMercuriusErrors, GraphqlMercuriusModule } from '@fledge/graphql/mercurius';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, type Platform, platforms, serve } from '../../../test/support/platforms.js';
import { query } from './support/requests.js';
import { testInProduction } from './support/production.js';
import { hangUp, Wire } from './support/sockets.js';
import { openStream } from './support/streams.js';
import { apolloModule, mercuriusModule } from './support/nest-graphql.js';

testInProduction();

afterEach(async () => {
  hangUp();
  await closeAll();
});

const SECRET = 'alice@example.com 4111-1111';

/** Throws what graphql-scalars throws. */
const email = () =>
  new GraphQLScalarType({
    name: 'Email',
    serialize: (value) => {
      throw new GraphQLError(`Value is not an email address: ${String(value)}`);
    },
  });

/** Throws an error for clients, with a cause that is not for clients. */
const told = () => {
  const originalError = new Error(SECRET);
  throw new GraphQLError('Said so', { originalError, extensions: { code: 'LOCKED' } });
};

/** Like `InvalidQueryError` of `@fledge/query`, which has further properties. */
class InvalidQuery extends Error {
  readonly code = 'QUERY_INVALID';
  readonly status = 400;
  readonly expose = true;
  readonly errors = [{ kind: 'sort' }];
}

const parsed = () => {
  throw new InvalidQuery('Invalid query: sort "pay"');
};

enum State {
  OPEN = 'OPEN',
}
registerEnumType(State, { name: 'State' });

@ObjectType()
class Row {
  @Field()
  id!: string;
}
const Found = createUnionType({
  name: 'Found',
  types: () => [Row] as const,
  resolveType: ({ id }) => id,
});

const NestEmail = email();

@Resolver()
class Rows {
  @Query(() => Int, { nullable: true })
  int(): unknown {
    return SECRET;
  }

  @Query(() => State, { nullable: true })
  state(): unknown {
    return SECRET;
  }

  @Query(() => NestEmail, { nullable: true })
  email(): string {
    return SECRET;
  }

  @Query(() => Found, { nullable: true })
  found(): Row {
    return { id: SECRET };
  }

  @Query(() => [String], { nullable: true })
  list(): unknown {
    return 7;
  }

  @Query(() => String, { nullable: true })
  told(): string {
    return told();
  }

  @Query(() => String, { nullable: true })
  parsed(): string {
    return parsed();
  }

  @Subscription(() => Int, { nullable: true })
  async *ints() {
    yield await Promise.resolve({ ints: SECRET });
  }
}

function ownSchema(): GraphQLSchema {
  const State = new GraphQLEnumType({ name: 'State', values: { OPEN: {} } });
  const Row = new GraphQLObjectType({
    name: 'Row',
    fields: { id: { type: GraphQLString } },
  });
  const Found = new GraphQLUnionType({
    name: 'Found',
    types: [Row],
    resolveType: ({ id }: { id: string }) => id,
  });
  const returned = () => SECRET;
  return new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        int: { type: GraphQLInt, resolve: returned },
        state: { type: State, resolve: returned },
        email: { type: email(), resolve: returned },
        found: { type: Found, resolve: () => ({ id: SECRET }) },
        list: { type: new GraphQLList(GraphQLString), resolve: () => 7 },
        told: { type: GraphQLString, resolve: told },
        parsed: { type: GraphQLString, resolve: parsed },
      },
    }),
    subscription: new GraphQLObjectType({
      name: 'Subscription',
      fields: {
        ints: {
          type: GraphQLInt,
          subscribe: async function* () {
            yield await Promise.resolve({ ints: SECRET });
          },
        },
      },
    }),
  });
}

const mount = (more: Partial<GraphqlMountOptions>): ModuleMetadata => ({
  imports: [
    GraphqlMountModule.forRoot({
      schema: ownSchema(),
      subscriptions: { operations: 'all' },
      ...more,
    }),
  ],
});
const apollo = (): ModuleMetadata => ({
  imports: [
    GraphqlApolloModule.forRoot(),
    apolloModule({ formatError: formatApolloError }),
    GraphqlSubscriptionsModule.forApollo({ operations: 'all' }),
  ],
  providers: [Rows],
});
const mercurius = (): ModuleMetadata => ({
  imports: [
    GraphqlMercuriusModule.forRoot(),
    mercuriusModule({ errorFormatter: formatMercuriusErrors }),
    GraphqlSubscriptionsModule.forMercurius({ operations: 'all' }),
  ],
  providers: [Rows],
});

const [, fastify] = platforms;
const endpoints: readonly [string, () => ModuleMetadata, readonly Platform[]][] = [
  ['graphqlHttp()', () => mount({ runtime: graphqlHttp({ eventStreams: true }) }), platforms],
  ['yoga()', () => mount({ runtime: yoga() }), platforms],
  ['Apollo', apollo, platforms],
  ['Mercurius', mercurius, [fastify!]],
];
const cases = endpoints.flatMap(([name, module, on]) =>
  on.map((platform) => ({ name: `${name} on ${platform.name}`, module, platform })),
);

const masked = (path: string) =>
  expect.objectContaining({
    message: 'Internal server error',
    path: [path],
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });

describe.each(cases)('$name', ({ name, module, platform }) => {
  it.each(['int', 'state', 'email', 'list', 'found { __typename }'])(
    'masks the value of { %s }',
    async (field) => {
      const { url } = await serve(module(), platform);
      const path = field.split(' ')[0]!;
      const { body } = await query(`${url}/graphql`, `{ ${field} }`);
      expect(body).toEqual({ data: { [path]: null }, errors: [masked(path)] });
      const wire = await Wire.connect(`${url}/graphql`);
      wire.subscribe('1', `{ ${field} }`);
      expect((await wire.answer('1')).payload).toEqual({
        data: { [path]: null },
        errors: [masked(path)],
      });
      expect(JSON.stringify(wire.messages)).not.toContain('alice');
    },
  );

  it('masks the value of an event', async () => {
    const { url } = await serve(module(), platform);
    const wire = await Wire.connect(`${url}/graphql`);
    wire.subscribe('1', 'subscription { ints }');
    expect((await wire.answer('1')).payload.errors).toEqual([masked('ints')]);
    if (!/^(graphqlHttp|yoga)/.test(name)) return;
    const stream = await openStream(`${url}/graphql`, 'subscription { ints }');
    await stream.ended;
    expect(stream.text()).toContain('Internal server error');
    expect(stream.text()).not.toContain('alice');
  });

  it('keeps the text and the code of a GraphQLError that a resolver throws, but not its cause', async () => {
    const { url } = await serve(module(), platform);
    const { body } = await query(`${url}/graphql`, '{ told }');
    const error = { message: 'Said so', path: ['told'], extensions: { code: 'LOCKED' } };
    expect(body.errors).toEqual([expect.objectContaining(error)]);
    const wire = await Wire.connect(`${url}/graphql`);
    wire.subscribe('1', '{ told }');
    expect((await wire.answer('1')).payload.errors).toEqual([expect.objectContaining(error)]);
  });

  it('keeps the text and the code of an error that is meant for clients', async () => {
    const { url } = await serve(module(), platform);
    const { body } = await query(`${url}/graphql`, '{ parsed }');
    const error = {
      message: expect.stringMatching(/^Invalid query: sort/),
      path: ['parsed'],
      extensions: { code: 'QUERY_INVALID', status: 400 },
    };
    expect(body.errors).toEqual([expect.objectContaining(error)]);
    const wire = await Wire.connect(`${url}/graphql`);
    wire.subscribe('1', '{ parsed }');
    expect((await wire.answer('1')).payload.errors).toEqual([expect.objectContaining(error)]);
  });
});
