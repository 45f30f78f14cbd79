// Whoever is authenticated is held against the tenant of a GraphQL request as against that of any
// other: at a mount, at its sockets and in Apollo, whoever found out the user.
import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module, type Type } from '@nestjs/common';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule, Int, Query, Resolver, Subscription } from '@nestjs/graphql';
import { ContextModule, defineHttpContextDecorator } from '@fledge/core';
import {
  GraphqlMountModule,
  GraphqlSubscriptionsModule,
  type SubscriptionLimits,
} from '@fledge/graphql';
import {
  formatApolloError,
  GraphqlApolloModule,
  GraphqlContextFactory,
} from '@fledge/graphql/apollo';
import { currentTenantId, served } from './support/served-tenants.js';
import { type TenantAdapterOptions, TenantModule } from '@fledge/tenant';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { closeAll, platforms, serve } from './support/platforms.js';

afterEach(async () => {
  served.length = 0;
  await closeAll();
});

interface User {
  readonly tenantId: string;
}

const USER: User = { tenantId: 'acme' };
const verified: TenantAdapterOptions = {
  strategy: 'header',
  verify: { principal: (req) => (req.user as User | undefined)?.tenantId, required: true },
};
const onConnect: SubscriptionLimits['onConnect'] = (_, { ctx }) => ctx.set('user', USER);

async function* ticks() {
  served.push(currentTenantId());
  yield await Promise.resolve({ tick: 1 });
}

const mount = (mountAs: 'middleware' | 'route') =>
  GraphqlMountModule.forRoot({
    mountAs,
    typeDefs: 'type Query { hello: String! } type Subscription { tick: Int! }',
    rootValue: {
      hello: () => {
        served.push(currentTenantId());
        return 'world';
      },
      tick: ticks,
    },
    subscriptions: { onConnect },
  });

@Resolver()
class Ticks {
  @Query(() => String)
  hello() {
    served.push(currentTenantId());
    return 'world';
  }

  @Subscription(() => Int)
  tick() {
    return ticks();
  }
}

@Module({
  imports: [
    GraphqlApolloModule.forRoot(),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      autoSchemaFile: true,
      context: GraphqlContextFactory.create,
      formatError: formatApolloError,
    }),
    GraphqlSubscriptionsModule.forApollo({ onConnect }),
  ],
  providers: [Ticks],
})
class ApolloModule {}

const endpoints = {
  'a mount': () => mount('middleware'),
  'a mount that is a route': () => mount('route'),
  Apollo: () => ApolloModule,
};

const LoadUser = defineHttpContextDecorator({
  key: 'user',
  // Of a socket it is known since it was opened.
  resolve: (ctx) => (ctx.headers['authorization'] === undefined ? ctx.get('user') : USER),
});

describe.each(platforms)('binding on $name', (platform) => {
  describe.each(Object.entries(endpoints))('at %s', (_, endpoint) => {
    const boot = async () => {
      @Module({
        imports: [
          ContextModule.forRoot({ contributors: [LoadUser] }),
          TenantModule.forRoot(verified),
          endpoint(),
        ],
      })
      class AppModule {}
      return serve(AppModule as Type, platform);
    };

    const ask = async (app: INestApplication, headers: Record<string, string>) =>
      hello(`${await app.getUrl()}/graphql`, headers);

    it('a user of one tenant gets nothing of another', async () => {
      const { app } = await boot();
      const authorization = 'Bearer ada';
      expect(await ask(app, { authorization, 'x-tenant-id': 'globex' })).toContain(
        'TENANT_MISMATCH',
      );
      expect(await ask(app, { 'x-tenant-id': 'acme' })).toContain('TENANT_MISMATCH');
      expect(served).toEqual([]);
      expect(await ask(app, { authorization, 'x-tenant-id': 'acme' })).toContain('world');
      expect(served).toEqual(['acme']);
    });

    it('nor does a subscriber, whom onConnect knows', async () => {
      const { url } = await boot();
      const first = async (tenant: string) => {
        const client = createClient({
          url: `${url.replace('http', 'ws')}/graphql`,
          webSocketImpl: WebSocket,
          connectionParams: { 'x-tenant-id': tenant },
          retryAttempts: 0,
        });
        try {
          const { value } = await client.iterate({ query: 'subscription { tick }' }).next();
          return JSON.stringify(value);
        } catch (error) {
          return JSON.stringify(error);
        } finally {
          await client.dispose();
        }
      };
      expect(await first('globex')).toContain('TENANT_MISMATCH');
      expect(served).toEqual([]);
      expect(await first('acme')).toContain('"tick":1');
      expect(served).toEqual(['acme']);
    });
  });
});

describe.each(platforms)('the explorer on $name', (platform) => {
  it.each(Object.entries(endpoints))(
    'of %s needs no tenant, its operations do',
    async (_, endpoint) => {
      const imports = [TenantModule.forRoot({ strategy: 'header' }), endpoint()];
      const { url } = await serve({ imports }, platform);
      await expectExplorer(`${url}/graphql`);
      expect(await hello(`${url}/graphql`)).toContain('TENANT_');
      expect(await hello(`${url}/graphql`, { 'x-tenant-id': 'acme' })).toContain('world');
    },
  );

  it('is also below the tenant in the path', async () => {
    const imports = [TenantModule.forRoot({ strategy: 'path', path: { strip: true } })];
    const { url } = await serve({ imports: [...imports, ApolloModule] }, platform);
    await expectExplorer(`${url}/acme/graphql`);
    expect(await hello(`${url}/acme/graphql`)).toContain('world');
    expect(served).toEqual(['acme']);
  });
});

async function expectExplorer(url: string): Promise<void> {
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('explorer.js')]);
  expect((await fetch(`${url}/explorer.js`)).status).toBe(200);
}

async function hello(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"query":"{ hello }"}',
  });
  return response.text();
}
