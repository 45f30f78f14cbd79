import {
  type GraphqlContext,
  GraphqlMountModule,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';
import { yoga } from '@fledge/graphql/yoga';
import fastifyHelmet from '@fastify/helmet';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import type { INestApplication } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import {
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  printSchema,
} from 'graphql';
import { PubSub } from 'graphql-subscriptions';
import helmet from 'helmet';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Platform, serve } from '../../support/platforms.js';

/** A schema with a query, a mutation that publishes an event, and fields that show what a resolver gets. */
function chat(pubsub: PubSub) {
  const said = { type: GraphQLString, description: 'What was said.' };
  const header = (_root: unknown, { name }: { name: string }, { ctx }: GraphqlContext) =>
    ctx.headers[name];
  const name = { type: new GraphQLNonNull(GraphQLString) };
  const Query = new GraphQLObjectType<unknown, GraphqlContext>({
    name: 'Query',
    description: 'The questions of a chat.',
    fields: {
      greeting: {
        type: GraphQLString,
        args: { to: { type: GraphQLString, defaultValue: 'world' } },
        resolve: (_root, { to }) => `hello ${String(to)}`,
      },
      header: { type: GraphQLString, args: { name }, resolve: header },
      broken: { type: GraphQLInt, resolve: () => Promise.reject(new Error('out of order')) },
    },
  });
  const Message = new GraphQLObjectType({
    name: 'Message',
    fields: { said, from: { type: GraphQLString } },
  });
  const Mutation = new GraphQLObjectType({
    name: 'Mutation',
    fields: {
      say: {
        type: GraphQLString,
        args: { text: { type: new GraphQLNonNull(GraphQLString) } },
        resolve: async (_root, { text }: { text: string }) => {
          await pubsub.publish('said', { said: text });
          return text;
        },
      },
    },
  });
  const Subscription = new GraphQLObjectType<unknown, GraphqlContext>({
    name: 'Subscription',
    fields: {
      message: {
        type: Message,
        subscribe: () => pubsub.asyncIterableIterator('said'),
        resolve: (event, _args, { ctx }) => ({
          ...(event as { readonly said: string }),
          from: ctx.headers['authorization'],
        }),
      },
    },
  });
  return new GraphQLSchema({ query: Query, mutation: Mutation, subscription: Subscription });
}

/** The resolvers of a schema by type and field, as Apollo takes them. */
function resolversOf(schema: GraphQLSchema): Record<string, Record<string, unknown>> {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return Object.fromEntries(
    roots.flatMap((type) => {
      if (!type) return [];
      const fields = Object.values(type.getFields()).map((field) => [
        field.name,
        field.subscribe ? { subscribe: field.subscribe, resolve: field.resolve } : field.resolve,
      ]);
      return [[type.name, Object.fromEntries(fields)]];
    }),
  );
}

const apollo = (schema: GraphQLSchema) => [
  GraphqlApolloModule.forRoot(),
  GraphQLModule.forRoot<ApolloDriverConfig>({
    driver: ApolloDriver,
    typeDefs: printSchema(schema),
    resolvers: resolversOf(schema),
    context: GraphqlContextFactory.create,
  }),
];

const mounts = {
  'the mount': (schema: GraphQLSchema) => [
    GraphqlMountModule.forRoot({ schema, subscriptions: true }),
  ],
  'the mount without introspection': (schema: GraphQLSchema) => [
    GraphqlMountModule.forRoot({ schema, introspection: false }),
  ],
  'the mount with Yoga and event streams': (schema: GraphQLSchema) => [
    GraphqlMountModule.forRoot({ schema, runtime: yoga() }),
  ],
  'Apollo without sockets': apollo,
  Apollo: (schema: GraphQLSchema) => [...apollo(schema), GraphqlSubscriptionsModule.forApollo()],
};

/** The endpoints that serve all of the schema. */
export const ways = ['the mount', 'the mount with Yoga and event streams', 'Apollo'] as const;

/** Serves the chat behind helmet. Returns the address of the endpoint. */
export async function serveChat(
  platform: Platform,
  way: keyof typeof mounts,
): Promise<{ readonly app: INestApplication; readonly url: string }> {
  const { app, url } = await serve(
    { imports: mounts[way](chat(new PubSub())) },
    platform,
    (created) => useHelmet(created, platform),
    { forceCloseConnections: true },
  );
  return { app, url: `${url.replace('127.0.0.1', 'localhost')}/graphql` };
}

/** Runs the mutation that publishes an event. */
export async function say(url: string, text: string): Promise<void> {
  const query = 'mutation ($text: String!) { say(text: $text) }';
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { text } }),
  });
  if (status !== 200) throw new Error(`The mutation was answered with ${status}.`);
}

/** Helmet's defaults. Its policy also applies to answers that set one, as if a proxy added it. */
function useHelmet(app: INestApplication, { name }: Platform): void {
  if (name === 'Fastify') app.getHttpAdapter().getInstance().register(fastifyHelmet);
  const secure = helmet();
  app.use((req: IncomingMessage, res: ServerResponse, next: () => void) =>
    secure(req, res, () => {
      const policy = String(res.getHeader(POLICY));
      const set = res.setHeader.bind(res);
      res.setHeader = (header, value) =>
        set(header, header === POLICY ? [policy, String(value)] : value);
      next();
    }),
  );
}

const POLICY = 'content-security-policy';
