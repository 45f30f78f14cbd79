import { ContextModule, RequestContext } from '@fledge/core';
import { CallerHeaders, RequestContexts } from '@fledge/core/packages';
import type { GraphqlContext } from '@fledge/graphql';
import { Module } from '@nestjs/common';
import {
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';
import { PubSub } from 'graphql-subscriptions';
import { setTimeout as wait } from 'node:timers/promises';

/** Stands for a tenant module: sets the tenant of each request. */
@Module({ imports: [ContextModule] })
export class TenantsModule {
  constructor(contexts: RequestContexts, headers: CallerHeaders) {
    headers.add('x-tenant-id');
    contexts.register({
      open: async (ctx) => {
        await wait(Math.random() * 2);
        ctx.set('tenant', ctx.headers['x-tenant-id'] ?? 'nobody');
      },
    });
  }
}

/** Returns the tenant of the resolver's context, and that of the current request. */
function tenants({ ctx, container }: GraphqlContext): [unknown, unknown] {
  return [ctx.get('tenant'), container.get(RequestContext).get('tenant')];
}

const same = (context: GraphqlContext) => {
  const [given, current] = tenants(context);
  return given === current ? String(given) : `${String(given)} in ${String(current)}`;
};

interface Tick {
  readonly n: number;
}

const Seen = new GraphQLObjectType<
  Tick & { subscribed?: string; resolved?: string },
  GraphqlContext
>({
  name: 'Seen',
  fields: {
    n: { type: new GraphQLNonNull(GraphQLInt) },
    subscribed: { type: GraphQLString },
    resolved: { type: GraphQLString },
    field: { type: GraphQLString, resolve: (_seen, _args, context) => same(context) },
    later: {
      type: GraphQLString,
      resolve: async (_seen, _args, context) => {
        await wait(Math.random() * 3);
        return same(context);
      },
    },
  },
});

/** A schema whose events contain the tenant in each step. */
export function feed() {
  const pubsub = new PubSub();
  /** The number of running generators, and the tenants of those whose signal was aborted. */
  const generators = { running: 0, aborted: [] as string[] };

  const Subscription = new GraphQLObjectType<Tick, GraphqlContext>({
    name: 'Subscription',
    fields: {
      tick: {
        type: Seen,
        subscribe: () => pubsub.asyncIterableIterator('tick'),
        resolve: async (event: Tick, _args: object, context: GraphqlContext) => {
          const resolved = same(context);
          await wait(Math.random() * 3);
          return { ...event, resolved };
        },
      },
      generated: {
        type: Seen,
        async *subscribe(_root, _args, context) {
          const subscribed = same(context);
          generators.running += 1;
          try {
            const ticks: AsyncIterable<Tick> = pubsub.asyncIterableIterator('tick');
            for await (const event of ticks) {
              yield { ...event, subscribed, resolved: same(context) };
            }
          } finally {
            generators.running -= 1;
          }
        },
        resolve: (event: Tick) => event,
      },
      signalled: {
        type: Seen,
        async *subscribe(_root, _args, context) {
          generators.running += 1;
          const signal = context.ctx.get<AbortSignal>('signal')!;
          const goodbye = await new Promise<string>((resolve) =>
            signal.addEventListener('abort', () => resolve(same(context))),
          );
          generators.running -= 1;
          generators.aborted.push(goodbye);
          yield { n: 0 };
        },
      },
      count: {
        type: GraphQLInt,
        args: { to: { type: new GraphQLNonNull(GraphQLInt) } },
        async *subscribe(_root, { to }) {
          for (let count = 1; count <= to; count += 1) {
            await wait(1);
            yield { count };
          }
        },
      },
    },
  });
  const Query = new GraphQLObjectType<unknown, GraphqlContext>({
    name: 'Query',
    fields: {
      hello: { type: GraphQLString, resolve: () => 'world' },
      tenant: { type: GraphQLString, resolve: (_root, _args, context) => same(context) },
      user: { type: GraphQLString, resolve: (_root, _args, { ctx }) => ctx.get('user') },
      keys: {
        type: GraphQLString,
        resolve: (_root, _args, context) => Object.keys(context).join(),
      },
      header: {
        type: GraphQLString,
        args: { name: { type: new GraphQLNonNull(GraphQLString) } },
        resolve: (_root, { name }, { req }) => req.headers[name as string],
      },
    },
  });
  const Mutation = new GraphQLObjectType({
    name: 'Mutation',
    fields: { shout: { type: GraphQLString, resolve: () => 'HI' } },
  });

  return {
    schema: new GraphQLSchema({ query: Query, mutation: Mutation, subscription: Subscription }),
    generators,
    publish: (n: number) => pubsub.publish('tick', { n } satisfies Tick),
    /** Subscriptions registered at PubSub. */
    listeners: () =>
      (pubsub as unknown as { subscriptions: Record<number, unknown> }).subscriptions,
  };
}
