// A tenant that is suspended keeps no subscription: over sockets of a mount and of Apollo, and over
// event streams.
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module, type ModuleMetadata } from '@nestjs/common';
import { GraphQLModule, Int, Query, Resolver, Subscription } from '@nestjs/graphql';
import { GraphqlMountModule, GraphqlSubscriptionsModule } from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { Tenancy, TenantModule, type TenantRecord } from '@fledge/tenant';
import { createClient } from 'graphql-ws';
import { PubSub } from 'graphql-subscriptions';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { closeAll, platforms, serve } from './support/platforms.js';

const pubsub = new PubSub();
const ticks = () => pubsub.asyncIterableIterator('tick');

afterEach(closeAll);

@Resolver()
class Ticks {
  @Query(() => Int)
  one() {
    return 1;
  }

  @Subscription(() => Int)
  tick() {
    return ticks();
  }
}

const mount: ModuleMetadata = {
  imports: [
    GraphqlMountModule.forRoot({
      typeDefs: 'type Query { one: Int } type Subscription { tick: Int! }',
      rootValue: { tick: ticks },
      runtime: yoga(),
      subscriptions: true,
    }),
  ],
};
const apollo: ModuleMetadata = {
  imports: [
    GraphQLModule.forRoot<ApolloDriverConfig>({ driver: ApolloDriver, autoSchemaFile: true }),
    GraphqlSubscriptionsModule.forApollo(),
  ],
  providers: [Ticks],
};

describe.each(platforms)('a suspended tenant on $name', (platform) => {
  async function start({ imports = [], providers = [] }: ModuleMetadata) {
    const records: Record<string, TenantRecord> = {
      acme: { tenantId: 't1' },
      globex: { tenantId: 't2' },
    };
    const tenants = TenantModule.forRoot({ strategy: 'header', store: (name) => records[name] });
    @Module({ imports: [tenants, ...imports], providers })
    class AppModule {}
    const { app, url } = await serve(AppModule, platform);
    const suspend = (name: string) => {
      records[name] = { ...records[name]!, status: 'suspended' };
      app.get(Tenancy, { strict: false }).invalidate(records[name].tenantId);
    };
    return { app, url, suspend };
  }

  /** What a subscriber of a tenant hears: numbers, or what ends it. */
  function subscriber(url: string, tenant: string) {
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'x-tenant-id': tenant },
      retryAttempts: 0,
    });
    const heard: unknown[] = [];
    const ended = (async () => {
      for await (const { data } of client.iterate({ query: 'subscription { tick }' })) {
        heard.push((data as { tick: number }).tick);
      }
    })().catch((error: unknown) => JSON.stringify(error));
    return { heard, ended, client };
  }

  /** Publishes until everybody has heard something. */
  async function publishUntilHeard(...all: { heard: unknown[] }[]) {
    const before = all.map(({ heard }) => heard.length);
    while (all.some(({ heard }, i) => heard.length === before[i])) {
      await pubsub.publish('tick', { tick: 1 });
      await wait(10);
    }
  }

  it.each([
    ['a mount', mount],
    ['Apollo', apollo],
  ])('loses its subscriptions of %s, and no other tenant does', async (_name, endpoint) => {
    const { url, suspend } = await start(endpoint);
    const acme = subscriber(url, 'acme');
    const globex = subscriber(url, 'globex');
    await publishUntilHeard(acme, globex);
    suspend('acme');
    expect(await acme.ended).toMatch(/suspended/i);
    await publishUntilHeard(globex);
    await Promise.all([acme.client.dispose(), globex.client.dispose()]);
  });

  it('goes on when nothing but its record changed', async () => {
    const { app, url } = await start(mount);
    const acme = subscriber(url, 'acme');
    await publishUntilHeard(acme);
    app.get(Tenancy, { strict: false }).invalidate('t1');
    app.get(Tenancy, { strict: false }).invalidate('acme');
    await publishUntilHeard(acme);
    await acme.client.dispose();
  });

  it('loses its event streams', async () => {
    const { url, suspend } = await start(mount);
    const query = encodeURIComponent('subscription { tick }');
    const response = await fetch(`${url}/graphql?query=${query}`, {
      headers: { accept: 'text/event-stream', 'x-tenant-id': 'acme' },
    });
    const text = response.text();
    suspend('acme');
    expect(await text).toMatch(/suspended/i);
  });
});
