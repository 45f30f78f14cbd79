// Runs the guards of Nest's resolvers again: in revalidations, and before each event.
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  Logger,
  type NestInterceptor,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import {
  Context,
  GqlExecutionContext,
  GraphQLModule,
  Int,
  Query,
  Resolver,
  Subscription,
} from '@nestjs/graphql';
import { MercuriusDriver, MercuriusFederationDriver } from '@nestjs/mercurius';
import {
  type ApolloSubscriptionsOptions,
  type GraphqlContext,
  GraphqlOperations,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import type { GraphQLSchema } from 'graphql';
import { PubSub } from 'graphql-subscriptions';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { TenantsModule } from './support/feed.js';
import { query } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';

const pubsub = new PubSub();
const listening = () =>
  Object.keys((pubsub as unknown as { subscriptions: object }).subscriptions).length;
const seen = { subscribed: 0, resolved: 0, guarded: 0, intercepted: 0 };
const sessions = new Map<string, { id: string }>();
let allows: () => boolean | Promise<boolean> = () => true;

afterEach(async () => {
  hangUp();
  await closeAll();
  allows = () => true;
  sessions.clear();
  Object.assign(seen, { subscribed: 0, resolved: 0, guarded: 0, intercepted: 0 });
  jest.restoreAllMocks();
});

/** A global guard as applications write it: it sets the user. */
@Injectable()
class SessionGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const { req } = GqlExecutionContext.create(execution).getContext<GraphqlContext>();
    const user = sessions.get(req.headers.authorization ?? '');
    if (user === undefined) throw new UnauthorizedException('no session');
    (req as { user?: unknown }).user = user;
    return true;
  }
}

@Injectable()
class SeatGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean | Promise<boolean> {
    const context = GqlExecutionContext.create(execution);
    seen.guarded += 1;
    expect(context.getInfo<{ fieldName: string }>().fieldName).toBe('tick');
    expect(context.getArgs()).toEqual({ room: 'a' });
    return allows();
  }
}

@Injectable()
class Counting implements NestInterceptor {
  intercept(_execution: ExecutionContext, next: Parameters<NestInterceptor['intercept']>[1]) {
    seen.intercepted += 1;
    return next.handle();
  }
}

@Resolver()
class Ticks {
  @Query(() => String)
  hello() {
    return 'world';
  }

  @UseGuards(SeatGuard)
  @Subscription(() => Int, {
    // Events for which the filter rejects are dropped.
    filter: (n: number) => (n < 0 ? Promise.reject(new Error('negative')) : n > 0),
    resolve: (n: number) => ((seen.resolved += 1), n),
  })
  tick(@Context() _context: GraphqlContext) {
    seen.subscribed += 1;
    return pubsub.asyncIterableIterator('tick');
  }
}

const TICK = 'subscription { tick(room: "a") }';
const typed = `type Query { hello: String } type Subscription { tick(room: String!): Int }`;

const apollo = { driver: ApolloDriver, call: 'forApollo' } as const;
const mercurius = { driver: MercuriusDriver, call: 'forMercurius' } as const;
const servers = [
  ...platforms.map((platform) => ({ name: `Apollo on ${platform.name}`, platform, ...apollo })),
  { name: 'Mercurius', platform: platforms[1]!, ...mercurius },
  // Without Fledge, this driver ignores the filter.
  {
    name: 'a subgraph of Mercurius',
    platform: platforms[1]!,
    ...mercurius,
    driver: MercuriusFederationDriver,
  },
];

/** Wraps the handler of Nest in a generator, which calls the handler only for the first event. */
function wrapHandler(schema: GraphQLSchema): GraphQLSchema {
  const { tick } = schema.getSubscriptionType()!.getFields();
  const subscribe = tick!.subscribe!;
  tick!.subscribe = async function* (...args) {
    yield* (await subscribe(...args)) as AsyncIterable<number>;
  };
  return schema;
}

describe.each(servers)('guards of subscriptions of $name', ({ platform, driver, call }) => {
  async function start(
    options: ApolloSubscriptionsOptions,
    more: Partial<ApolloDriverConfig> = {},
  ) {
    sessions.set('ann', { id: 'ann' });
    sessions.set('bob', { id: 'bob' });
    const { app, url } = await serve(
      {
        imports: [
          TenantsModule,
          GraphQLModule.forRoot<ApolloDriverConfig>({
            driver,
            typeDefs: typed,
            graphiql: false,
            // The driver of Mercurius for subgraphs has no default context.
            ...(driver === MercuriusFederationDriver && { context: (req: object) => ({ req }) }),
            ...more,
          }),
          GraphqlSubscriptionsModule[call](options),
        ],
        providers: [
          Ticks,
          { provide: APP_GUARD, useClass: SessionGuard },
          { provide: APP_INTERCEPTOR, useClass: Counting },
        ],
      },
      platform,
    );
    const operations = app.get(GraphqlOperations, { strict: false });
    const wire = async (authorization: string) => {
      const opened = await Wire.connect(`${url}/graphql`, { authorization });
      opened.subscribe('1', TICK);
      return opened;
    };
    return { url: `${url}/graphql`, operations, wire };
  }

  it('run again in revalidations, without the handler and its interceptors', async () => {
    const { operations, wire, url } = await start({ revalidate: true });
    const [ann, bob] = [await wire('ann'), await wire('bob')];
    await until(() => listening() === 2);
    expect(await operations.revalidate()).toEqual({ valid: 2, ended: 0, failed: 0 });
    expect(seen).toEqual({ subscribed: 2, resolved: 0, guarded: 4, intercepted: 2 });
    expect(listening()).toBe(2);
    sessions.delete('ann');
    expect(await operations.revalidate()).toEqual({ valid: 1, ended: 1, failed: 0 });
    expect(await ann.answer('1')).toMatchObject({
      type: 'error',
      payload: [{ message: 'no session', extensions: { code: 'UNAUTHENTICATED' } }],
    });
    allows = () => false;
    expect(await operations.revalidate({ user: 'bob' })).toMatchObject({ ended: 1 });
    expect(await bob.answer('1')).toMatchObject({
      payload: [{ message: 'Forbidden resource', extensions: { code: 'FORBIDDEN' } }],
    });
    await until(() => listening() === 0);
    sessions.set('ann', { id: 'ann' });
    const http = await query(url, '{ hello }', { authorization: 'ann' });
    expect(http.body).toEqual({ data: { hello: 'world' } });
  });

  it('end a subscription by time', async () => {
    const { wire } = await start({ revalidate: { everyMs: 50 } });
    const ann = await wire('ann');
    await until(() => seen.guarded > 3);
    sessions.set('ann', { id: 'zoe' });
    expect(await ann.answer('1')).toMatchObject({
      payload: [{ message: 'The user has changed', extensions: { code: 'UNAUTHENTICATED' } }],
    });
    expect(seen.subscribed).toBe(1);
  });

  it('run before each event with guardEvents, and end the subscription that they refuse', async () => {
    const { wire } = await start({ guardEvents: true });
    const [ann, bob] = [await wire('ann'), await wire('bob')];
    await until(() => listening() === 2);
    // Events that the filter drops are not checked.
    for (const n of [1, 0, -1, 2]) await pubsub.publish('tick', n);
    expect(await ann.events('1', 2)).toEqual([{ tick: 1 }, { tick: 2 }]);
    await bob.events('1', 2);
    expect(seen).toMatchObject({ subscribed: 2, guarded: 2 + 4, intercepted: 2 });
    sessions.delete('ann');
    for (const n of [3, 4]) await pubsub.publish('tick', n);
    expect(await bob.events('1', 4)).toHaveLength(4);
    expect(await ann.message(({ type }) => type === 'error')).toMatchObject({
      payload: [{ message: 'no session', extensions: { code: 'UNAUTHENTICATED' } }],
    });
    expect(ann.messages.filter(({ type }) => type === 'next')).toHaveLength(2);
    expect(listening()).toBe(1);
  });

  it('end a subscription if they throw an unexpected error, masked in production', async () => {
    jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      const { wire } = await start({ guardEvents: true });
      const ann = await wire('ann');
      await until(() => listening() === 1);
      allows = () => Promise.reject(new Error('secret'));
      await pubsub.publish('tick', 1);
      expect(await ann.answer('1')).toMatchObject({
        type: 'error',
        payload: [{ message: 'Internal server error' }],
      });
      expect(JSON.stringify(ann.messages)).not.toContain('secret');
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });

  it('send nothing for an event whose subscription ends while they run', async () => {
    const { wire, operations } = await start({ guardEvents: true });
    const ann = await wire('ann');
    await until(() => listening() === 1);
    let release!: (allowed: boolean) => void;
    allows = () => new Promise((resolve) => (release = resolve));
    await pubsub.publish('tick', 1);
    await until(() => seen.guarded === 2);
    expect(operations.end({ user: 'ann' }, new ForbiddenException('locked'))).toBe(1);
    release(true);
    await ann.answer('1');
    allows = () => true;
    ann.subscribe('2', TICK);
    await until(() => listening() === 1);
    await pubsub.publish('tick', 2);
    await ann.events('2', 1);
    expect(ann.messages.filter(({ id }) => id === '1').map(({ type }) => type)).toEqual(['error']);
  });

  it('run again for a handler that a generator calls', async () => {
    const { operations, wire } = await start(
      { revalidate: true },
      { transformSchema: wrapHandler },
    );
    const ann = await wire('ann');
    await until(() => listening() === 1);
    expect(await operations.revalidate()).toEqual({ valid: 1, ended: 0, failed: 0 });
    expect(seen).toMatchObject({ subscribed: 1, guarded: 2 });
    allows = () => false;
    expect(await operations.revalidate()).toEqual({ valid: 0, ended: 1, failed: 0 });
    expect(await ann.answer('1')).toMatchObject({
      payload: [{ message: 'Forbidden resource', extensions: { code: 'FORBIDDEN' } }],
    });
    await pubsub.publish('tick', 1);
    await until(() => listening() === 0);
  });

  it('run before each event for a handler that a generator calls', async () => {
    const { wire } = await start({ guardEvents: true }, { transformSchema: wrapHandler });
    const ann = await wire('ann');
    await until(() => listening() === 1);
    await pubsub.publish('tick', 1);
    await ann.events('1', 1);
    allows = () => false;
    await pubsub.publish('tick', 2);
    expect(await ann.message(({ type }) => type === 'error')).toMatchObject({
      payload: [{ message: 'Forbidden resource' }],
    });
    expect(seen).toMatchObject({ subscribed: 1, guarded: 3 });
  });

  it('refuse a subscription at its start, and the socket stays open', async () => {
    const { wire } = await start({});
    allows = () => false;
    const ann = await wire('ann');
    expect(await ann.answer('1')).toMatchObject({
      payload: { errors: [{ message: 'Forbidden resource', extensions: { code: 'FORBIDDEN' } }] },
    });
    allows = () => true;
    ann.subscribe('2', TICK);
    await until(() => listening() === 1);
    ann.complete('2');
    await until(() => listening() === 0);
  });

  it('run once without the options', async () => {
    const { wire } = await start({});
    const ann = await wire('ann');
    await until(() => listening() === 1);
    await pubsub.publish('tick', 1);
    await ann.events('1', 1);
    expect(seen.guarded).toBe(1);
  });
});
