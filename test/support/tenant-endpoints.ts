// Serves the same schema three times: at a mount, at a mount that is a route, and with Apollo.
// Sockets belong to a user of the tenant acme.
import { Module } from '@nestjs/common';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule, Int, Query, Resolver, Subscription } from '@nestjs/graphql';
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
import { currentTenantId, served } from './served-tenants.js';

export interface User {
  readonly tenantId: string;
}

export const USER: User = { tenantId: 'acme' };
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
export class ApolloModule {}

export const endpoints = {
  'a mount': () => mount('middleware'),
  'a mount that is a route': () => mount('route'),
  Apollo: () => ApolloModule,
};

/** Returns the response to a query, as text. */
export async function hello(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"query":"{ hello }"}',
  });
  return response.text();
}
