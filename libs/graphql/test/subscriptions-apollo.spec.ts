import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  Logger,
  Scope,
  UseGuards,
} from '@nestjs/common';
import {
  Context,
  Field,
  GqlExecutionContext,
  GraphQLModule,
  Int,
  ObjectType,
  Parent,
  Query,
  ResolveField,
  Resolver,
  Subscription,
} from '@nestjs/graphql';
import { WsAdapter } from '@nestjs/platform-ws';
import { WebSocketGateway } from '@nestjs/websockets';
import { Ctx, RequestContext } from '@fledge/core';
import { RequestContexts } from '@fledge/core/packages';
import {
  type ApolloSubscriptionsOptions,
  type GraphqlContext,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import { GraphQLError, type ValidationContext } from 'graphql';
import { PubSub } from 'graphql-subscriptions';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { closeAll, createApp, platforms, serve } from '../../../test/support/platforms.js';
import { query } from './support/requests.js';
import { TenantsModule } from './support/feed.js';
import { hangUp, upgrade, Wire } from './support/sockets.js';
import { withoutLongTimers } from './support/long-timers.js';
import { until } from '../../../test/support/until.js';

const pubsub = new PubSub();
const listening = () =>
  Object.keys((pubsub as unknown as { subscriptions: object }).subscriptions).length;
/** What each part of Nest saw: the tenant of its context, and that of the current request. */
const seen: Record<string, string[]> = {};

function see(part: string, context: GraphqlContext): void {
  const { ctx, container } = context;
  const current = container.get(RequestContext);
  (seen[part] ??= []).push(
    [ctx.get('tenant'), current.get('tenant'), ctx.get('user'), current.get('user')].join(),
  );
}

afterEach(async () => {
  for (const part of Object.keys(seen)) delete seen[part];
  hangUp();
  await closeAll();
  jest.restoreAllMocks();
});

/** A guard as applications write it for HTTP: it looks at the request, and leaves the user there. */
@Injectable()
class TokenGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const context = GqlExecutionContext.create(execution).getContext<GraphqlContext>();
    const req = context.req as { headers: Record<string, string>; user?: string };
    const token = req.headers['authorization'];
    if (token === undefined) throw new ForbiddenException('no token');
    req.user = token.replace('Bearer ', 'user ');
    see('guard', context);
    return true;
  }
}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  static made = 0;
  readonly number = (PerRequest.made += 1);
}

@ObjectType()
class Task {
  @Field(() => Int) n!: number;
  @Field(() => String) tenant!: string;
}

interface Published {
  readonly n: number;
  readonly tenant: string;
}

@Resolver(() => Task)
class TaskResolver {
  @Query(() => String)
  hello() {
    return 'world';
  }

  @Query(() => String)
  bug() {
    throw new Error('secret');
  }

  @UseGuards(TokenGuard)
  @Subscription(() => Task, {
    filter(this: TaskResolver, { tenant }: Published, _args: object, context: GraphqlContext) {
      see('filter', context);
      return this.isOf(tenant, context.ctx);
    },
    resolve(this: TaskResolver, { n }: Published, _args: object, context: GraphqlContext) {
      see('resolve', context);
      return { n };
    },
  })
  tasks(@Ctx() ctx: RequestContext, @Context() context: GraphqlContext) {
    expect(ctx).toBe(context.ctx);
    see('subscribe', context);
    return pubsub.asyncIterableIterator('tasks');
  }

  @Subscription(() => Int)
  async *perRequest(@Context() { container }: GraphqlContext) {
    const made = await Promise.all([container.resolve(PerRequest), container.resolve(PerRequest)]);
    yield { perRequest: made[0] === made[1] ? made[0].number : -1 };
  }

  @ResolveField(() => String)
  tenant(@Parent() _task: Task, @Context() context: GraphqlContext) {
    see('field', context);
    return context.ctx.get('tenant');
  }

  private isOf(tenant: string, ctx: RequestContext): boolean {
    return ctx.get('tenant') === tenant;
  }
}

@WebSocketGateway({ path: '/gw' })
class Gateway {}

const TASKS = 'subscription { tasks { n tenant } }';

describe.each(platforms)('subscriptions of GraphQLModule on $name', (platform) => {
  const apollo = (options: Partial<ApolloDriverConfig> = {}) =>
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      autoSchemaFile: true,
      graphiql: false,
      ...options,
    });

  const app = (
    nest: DynamicModule[] = [apollo()],
    options: ApolloSubscriptionsOptions = {},
    prepare?: Parameters<typeof serve>[2],
  ) =>
    serve(
      {
        imports: [TenantsModule, GraphqlSubscriptionsModule.forApollo(options), ...nest],
        providers: [TaskResolver, PerRequest, Gateway],
      },
      platform,
      (it) => {
        it.useWebSocketAdapter(new WsAdapter(it));
        prepare?.(it);
      },
    );

  it('run guards, filter, resolve and fields for their own tenant and user', async () => {
    const { app: it, url } = await app();
    const [acme, umbrella] = await Promise.all(
      ['acme', 'umbrella'].map((tenant) =>
        Wire.connect(`${url}/graphql`, {
          authorization: `Bearer of ${tenant}`,
          'x-tenant-id': tenant,
        }),
      ),
    );
    for (const wire of [acme!, umbrella!]) wire.subscribe('1', TASKS);
    await until(() => listening() === 2);

    const contexts = it.get(RequestContexts);
    const publisher = await contexts.open({
      headers: { 'x-tenant-id': 'publisher' },
      method: 'POST',
      url: '/',
    });
    await contexts.run(publisher, async () => {
      for (const [i, tenant] of ['acme', 'umbrella', 'nobody', 'acme'].entries()) {
        await pubsub.publish('tasks', { n: i, tenant } satisfies Published);
      }
    });
    expect(await acme!.events('1', 2)).toEqual(
      [0, 3].map((n) => ({ tasks: { n, tenant: 'acme' } })),
    );
    expect(await umbrella!.events('1', 1)).toEqual([{ tasks: { n: 1, tenant: 'umbrella' } }]);

    const as = (tenant: string) =>
      [tenant, tenant, `user of ${tenant}`, `user of ${tenant}`].join();
    await until(() => seen['filter']?.length === 8);
    expect(Object.keys(seen).sort()).toEqual(['field', 'filter', 'guard', 'resolve', 'subscribe']);
    for (const [part, times] of Object.entries({ guard: 1, subscribe: 1, filter: 4 })) {
      expect([part, seen[part]!.sort()]).toEqual([
        part,
        [...Array<string>(times).fill(as('acme')), ...Array<string>(times).fill(as('umbrella'))],
      ]);
    }
    for (const part of ['resolve', 'field']) {
      expect([part, seen[part]!.sort()]).toEqual([part, [as('acme'), as('acme'), as('umbrella')]]);
    }
  });

  it('are refused by guards, with the code and text of HTTP', async () => {
    const { url } = await app();
    const wire = await Wire.connect(`${url}/graphql`);
    wire.subscribe('1', TASKS);
    expect((await wire.answer('1')).payload.errors).toMatchObject([
      { message: 'no token', extensions: { code: 'FORBIDDEN' } },
    ]);
  });

  it('have their own request-scoped providers', async () => {
    const { url } = await app();
    const wire = await Wire.connect(`${url}/graphql`);
    const numbers: unknown[] = [];
    for (const id of ['1', '2']) {
      wire.subscribe(id, 'subscription { perRequest }');
      const [data] = (await wire.events(id, 1)) as { perRequest: number }[];
      numbers.push(data!.perRequest);
    }
    expect(numbers).not.toContain(-1);
    expect(numbers[0]).not.toBe(numbers[1]);
  });

  it('are protected as the module protects HTTP', async () => {
    const noHello = (context: ValidationContext) => ({
      Field: (node: { name: { value: string } }) => {
        if (node.name.value === 'hello') context.reportError(new GraphQLError('no hello'));
      },
    });
    const module = () =>
      apollo({
        introspection: false,
        validationRules: [noHello],
        formatError: (formatted) => ({ ...formatted, message: `formatted ${formatted.message}` }),
      });
    const { url } = await app([module()], { operations: 'all' });
    const wire = await Wire.connect(`${url}/graphql`);
    wire.subscribe('1', '{ __schema { queryType { name } } }');
    wire.subscribe('2', '{ hello }');
    wire.subscribe('3', TASKS);
    expect((await wire.answer('1')).payload[0].message).toMatch(
      /^formatted .*introspection has been disabled/,
    );
    expect((await wire.answer('2')).payload[0].message).toBe('formatted no hello');
    expect((await wire.answer('3')).payload.errors[0]).toMatchObject({
      message: 'formatted no token',
      extensions: { code: 'FORBIDDEN' },
    });
    expect((await query(`${url}/graphql`, '{ hello }')).body.errors[0].message).toBe(
      'formatted no hello',
    );

    const own = await app([module()], {
      operations: 'all',
      validationRules: [],
      introspection: true,
      formatError: (formatted) => formatted,
    });
    const other = await Wire.connect(`${own.url}/graphql`);
    other.subscribe('1', '{ __schema { queryType { name } } }');
    other.subscribe('2', '{ hello }');
    expect(await other.events('1', 1)).toEqual([{ __schema: { queryType: { name: 'Query' } } }]);
    expect(await other.events('2', 1)).toEqual([{ hello: 'world' }]);
  });

  it('mask unexpected errors in production', async () => {
    jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      const { url } = await app([apollo()], { operations: 'all' });
      const wire = await Wire.connect(`${url}/graphql`);
      wire.subscribe('1', '{ bug }');
      wire.subscribe('2', '{ __schema { queryType { name } } }');
      expect((await wire.answer('1')).payload.errors[0].message).toBe('Internal server error');
      expect((await wire.answer('2')).type).toBe('error');
      expect(JSON.stringify(wire.messages)).not.toContain('secret');
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });

  it('are served at the path of the module, or at their own path, with its prefix', async () => {
    const statusAt = async (url: string) => {
      const answer = await upgrade(url);
      return answer === 'hang up' ? answer : answer.status;
    };
    const prefixed = await app([apollo({ useGlobalPrefix: true, path: '/g' })], {}, (it) =>
      it.setGlobalPrefix('api'),
    );
    expect(await statusAt(`${prefixed.url}/api/g`)).toBe(101);
    expect(await statusAt(`${prefixed.url}/g`)).toBe('hang up');
    const bare = await app([apollo({ path: '/g' })], {}, (it) => it.setGlobalPrefix('api'));
    expect(await statusAt(`${bare.url}/g`)).toBe(101);
    const own = await app([apollo({ useGlobalPrefix: true })], { path: 'live' }, (it) =>
      it.setGlobalPrefix('api'),
    );
    expect(await statusAt(`${own.url}/api/live`)).toBe(101);
    expect(await statusAt(`${own.url}/gw`)).toBe(101);
  });

  it('of several modules are selected by path', async () => {
    const two = [apollo({ path: '/a' }), apollo({ path: '/b' })];
    const { url } = await app(two, { path: '/b' });
    expect(await upgrade(`${url}/b`)).toMatchObject({ status: 101 });
    const boot = async (nest: DynamicModule[], options: ApolloSubscriptionsOptions) => {
      const it = await createApp(
        {
          imports: [GraphqlSubscriptionsModule.forApollo(options), ...nest],
          providers: [TaskResolver, PerRequest],
        },
        platform.adapter(),
      );
      await it.init();
    };
    await expect(boot(two, {})).rejects.toMatchObject({
      code: 'GRAPHQL_WHICH_NEST_MODULE',
      message: expect.stringMatching(
        /several: at \/(a|b), \/(a|b)\. Select one: forApollo\({ path: /,
      ),
    });
    await expect(boot(two, { path: '/c' })).rejects.toMatchObject({
      code: 'GRAPHQL_WHICH_NEST_MODULE',
    });
    await expect(boot([], {})).rejects.toMatchObject({
      message: expect.stringContaining('forApollo() found no GraphQLModule'),
    });
    const forMercurius = GraphqlSubscriptionsModule.forMercurius();
    const it = await createApp({ imports: [forMercurius] }, platform.adapter());
    await expect(it.init()).rejects.toMatchObject({
      message: expect.stringContaining('forMercurius() found no GraphQLModule'),
    });
  });

  it.each([
    ['graphql-ws switched on', { subscriptions: { 'graphql-ws': true } }, true],
    ['the same path said', { subscriptions: { 'graphql-ws': { path: '/graphql' } } }, true],
    ['handlers installed', { installSubscriptionHandlers: true }, true],
    ['another path', { subscriptions: { 'graphql-ws': { path: '/other' } } }, false],
  ])('with a second server at their path stop the boot: %s', async (_, options, refused) => {
    const it = await createApp(
      {
        imports: [GraphqlSubscriptionsModule.forApollo(), apollo(options)],
        providers: [TaskResolver, PerRequest],
      },
      platform.adapter(),
    );
    const booted = it.init();
    if (!refused) return void (await booted);
    await expect(booted).rejects.toMatchObject({
      code: 'GRAPHQL_SOCKET_PATH_TAKEN',
      message: expect.stringContaining('`subscriptions` of GraphQLModule already serves'),
    });
  });

  it('end with 1001 and the grace period, also while Apollo drains the server', async () => {
    for (const order of ['before', 'after']) {
      const sockets = GraphqlSubscriptionsModule.forApollo({ gracePeriodMs: 300 });
      const { app: it, url } = await serve(
        {
          imports: order === 'before' ? [sockets, apollo()] : [apollo(), sockets],
          providers: [TaskResolver, PerRequest],
        },
        platform,
      );
      const wire = await Wire.connect(`${url}/graphql`);
      const { host, port } = new URL(url);
      const silent: Socket = connect(Number(port), '127.0.0.1');
      silent.write(
        `GET /graphql HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
          'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
      );
      await once(silent, 'data');
      // Without the grace period, Apollo waits for 10 seconds and ws for 30.
      await withoutLongTimers(() => it.close());
      expect(await wire.closed).toEqual({ code: 1001, reason: 'Going away' });
      silent.destroy();
    }
  });
});
