import { afterEach, describe, expect, it } from '@jest/globals';
import { ForbiddenException, Injectable, Module, Scope, UseGuards } from '@nestjs/common';
import {
  Context,
  GqlExecutionContext,
  GraphQLModule,
  Int,
  Mutation,
  Query,
  Resolver,
  Subscription,
} from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { Ctx, FromContext, RequestContext } from '@fledge/core';
import {
  getGraphqlAdapterToken,
  type GraphqlAdapter,
  type GraphqlContext,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import { GraphqlMercuriusModule, MercuriusContextFactory } from '@fledge/graphql/mercurius';
import { PubSub } from 'graphql-subscriptions';
import mercurius from 'mercurius';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { persisted } from './support/documents.js';
import { TenantsModule } from './support/feed.js';
import { call, query } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';
import { mercuriusModule } from './support/nest-graphql.js';

const [, fastify] = platforms;
const pubsub = new PubSub();

afterEach(async () => {
  hangUp();
  await closeAll();
});

@Injectable({ scope: Scope.REQUEST })
class Basket {
  readonly id = Math.random();
}

/** Reads the request as guards for Apollo do. */
class HeaderGuard {
  canActivate(execution: never): boolean {
    const { req } = GqlExecutionContext.create(execution).getContext<GraphqlContext>();
    return req.headers['x-refused'] === undefined;
  }
}

@Resolver()
@UseGuards(HeaderGuard)
class Shop {
  constructor(private readonly current: RequestContext) {}

  @Query(() => String)
  tenant(@Context() { ctx }: GraphqlContext, @Ctx() own: RequestContext) {
    return [ctx, own, this.current].map((each) => String(each.get('tenant'))).join();
  }

  @Query(() => Boolean)
  async sameBasket(@Context() { container }: GraphqlContext) {
    return (await container.resolve(Basket)) === (await container.resolve(Basket));
  }

  @Query(() => String, { nullable: true })
  user(@FromContext('user') user: string | undefined) {
    return user;
  }

  @Query(() => String, { nullable: true })
  fails() {
    throw new ForbiddenException('not yours');
  }

  @Mutation(() => Int)
  buy() {
    return 1;
  }

  @Subscription(() => String, {
    resolve(this: Shop, event: { n: number }, _args: object, { ctx, container }: GraphqlContext) {
      return [event.n, ctx.get('tenant'), container.get(RequestContext).get('tenant')].join();
    },
  })
  bought() {
    return pubsub.asyncIterableIterator('bought');
  }
}

async function start(options: Partial<MercuriusDriverConfig> = {}, also: object[] = []) {
  @Module({
    imports: [
      TenantsModule,
      GraphqlMercuriusModule.forRoot(),
      mercuriusModule(options),
      ...(also as never[]),
    ],
    providers: [Shop, Basket],
  })
  class AppModule {}
  const { app, url } = await serve(AppModule, fastify!);
  const adapter = app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false });
  return { app, adapter, url: `${url}/graphql` };
}

const as = (tenant: string) => ({ 'x-tenant-id': tenant });

describe('Mercurius in Nest', () => {
  it('gives resolvers the context, the container and the tenant of their request', async () => {
    const { url } = await start();
    const names = Array.from({ length: 100 }, (_, i) => `t${i % 7}`);
    const answers = await Promise.all(names.map((name) => query(url, '{ tenant }', as(name))));
    expect(answers.map(({ body }) => body.data)).toEqual(
      names.map((name) => ({ tenant: `${name},${name},${name}` })),
    );
    expect((await query(url, '{ sameBasket user }', as('a'))).body.data).toEqual({
      sameBasket: true,
      user: null,
    });
  });

  it('runs guards that read the request of the context', async () => {
    const { url } = await start();
    const { body } = await query(url, '{ user }', { ...as('a'), 'x-refused': 'yes' });
    expect(body.errors[0].message).toBe('Forbidden resource');
  });

  it('counts queries, mutations and errors, each once', async () => {
    const { url, adapter } = await start();
    await query(url, '{ tenant }', as('a'));
    await query(url, 'mutation { buy }', as('a'));
    await query(url, '{ fails }', as('a'));
    await query(url, '{ nothing }', as('a'));
    await query(url, '{ syntax', as('a'));
    await call(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...as('a') },
      body: JSON.stringify({ query: 'query A { tenant } mutation B { buy }', operationName: 'B' }),
    });
    expect(adapter.introspect().metrics).toEqual({ queries: 2, mutations: 2, errors: 3 });
  });

  it('counts the operations of a batch, those that end with errors or are refused once each', async () => {
    const { url, adapter } = await start({
      allowBatchedQueries: true,
      persistedQueryProvider: mercurius.persistedQueryDefaults.automatic(),
    });
    const counts = () => adapter.introspect().metrics;
    const batch = (...bodies: object[]) =>
      call(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...as('a') },
        body: JSON.stringify(bodies),
      });
    await batch({ query: '{ tenant }' });
    await batch({ query: '{ tenant }' }, { query: 'mutation { buy }' });
    expect(counts()).toEqual({ queries: 2, mutations: 1, errors: 0 });
    const { body } = await batch(
      { query: '{ fails }' },
      { query: '{ nothing }' },
      { query: '{ syntax' },
      { extensions: persisted('{ unknown }') },
      { query: '{ tenant }' },
    );
    expect(body.map(({ errors }: { errors?: unknown[] }) => errors?.length)).toEqual([
      ...[1, 1, 1, 1],
      undefined,
    ]);
    expect(counts()).toEqual({ queries: 4, mutations: 1, errors: 4 });
  });

  it('remembers documents by its own option', async () => {
    const { url } = await start({
      persistedQueryProvider: mercurius.persistedQueryDefaults.automatic(),
    });
    const extensions = persisted('{ tenant }');
    const send = (more: object, tenant: string) =>
      call(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...as(tenant) },
        body: JSON.stringify({ extensions, ...more }),
      });
    expect((await send({}, 'a')).body.errors[0].message).toBe('PersistedQueryNotFound');
    expect((await send({ query: '{ tenant }' }, 'a')).body.data).toEqual({ tenant: 'a,a,a' });
    expect((await send({}, 'b')).body.data).toEqual({ tenant: 'b,b,b' });
  });

  it('works with forRootAsync, and with a path below the global prefix', async () => {
    @Module({
      imports: [
        TenantsModule,
        GraphqlMercuriusModule.forRoot({ name: 'Shop', path: '/shop' }),
        GraphQLModule.forRootAsync<MercuriusDriverConfig>({
          driver: MercuriusDriver,
          inject: [MercuriusContextFactory],
          useFactory: (factory: MercuriusContextFactory) => ({
            autoSchemaFile: true,
            path: '/shop',
            useGlobalPrefix: true,
            context: factory.create,
          }),
        }),
      ],
      providers: [Shop, Basket],
    })
    class AppModule {}
    const { app, url } = await serve(AppModule, fastify!, (each) => each.setGlobalPrefix('api'));
    expect((await query(`${url}/api/shop`, '{ tenant }', as('a'))).body.data).toEqual({
      tenant: 'a,a,a',
    });
    expect(
      app.get<GraphqlAdapter>(getGraphqlAdapterToken('Shop'), { strict: false }).introspect(),
    ).toMatchObject({
      name: 'Shop',
      state: { path: '/shop' },
      metrics: { queries: 1 },
    });
  });

  it('serves subscriptions with the tenant of each subscriber, for each event', async () => {
    const { url } = await start({}, [GraphqlSubscriptionsModule.forMercurius()]);
    const tenants = ['acme', 'globex'];
    const wires = await Promise.all(tenants.map((name) => Wire.connect(url, as(name))));
    for (const wire of wires) wire.subscribe('s', 'subscription { bought }');
    const listening = () =>
      Object.keys((pubsub as never as { subscriptions: object }).subscriptions).length;
    await until(() => listening() === 2);
    for (const n of [1, 2]) await pubsub.publish('bought', { n });
    for (const [i, name] of tenants.entries()) {
      expect(await wires[i]!.events('s', 2)).toEqual([
        { bought: `1,${name},${name}` },
        { bought: `2,${name},${name}` },
      ]);
    }
  });

  it('refuses a second server of sockets, a missing module and a missing driver', async () => {
    await expect(
      start({ subscription: true }, [GraphqlSubscriptionsModule.forMercurius()]),
    ).rejects.toThrow(/`subscription` of GraphQLModule already serves WebSockets/);
    await expect(serve({ imports: [GraphqlMercuriusModule.forRoot()] }, fastify!)).rejects.toThrow(
      /Import GraphqlMercuriusModule/,
    );
    await expect(MercuriusContextFactory.create({}, {})).rejects.toThrow(
      /Import GraphqlMercuriusModule/,
    );
    expect(() => GraphqlMercuriusModule.forRoot({ nmae: 'x' } as object)).toThrow(/nmae/);
  });
});
