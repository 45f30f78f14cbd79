// GraphQL over WebSocket: each subscriber gets the events of its own tenant.
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type GraphqlContext, GraphqlMountModule } from '@fledge/graphql';
import { Tenancy, TenantModule } from '@fledge/tenant';
import { PubSub } from 'graphql-subscriptions';

@Injectable()
class Messages {
  private readonly pubsub = new PubSub();

  constructor(private readonly tenancy: Tenancy) {}

  async post(text: string): Promise<boolean> {
    await this.pubsub.publish(this.topic(), { posted: text });
    return true;
  }

  watch(): AsyncIterableIterator<{ posted: string }> {
    return this.pubsub.asyncIterableIterator(this.topic());
  }

  /** The name of this tenant's topic: no resolver can name another one. */
  private topic(): string {
    return this.tenancy.key('messages');
  }
}

@Module({
  imports: [
    TenantModule.forRoot({ strategy: 'header' }),
    GraphqlMountModule.forRoot({
      typeDefs: `
        type Query { ready: Boolean! }
        type Mutation { post(text: String!): Boolean! }
        type Subscription { posted: String! }
      `,
      rootValue: {
        ready: true,
        post: ({ text }: { text: string }, { container }: GraphqlContext) =>
          container.get(Messages).post(text),
        posted: (_args: object, { container }: GraphqlContext) => container.get(Messages).watch(),
      },
      subscriptions: true,
    }),
  ],
  providers: [Messages],
})
class AppModule {}

const app = await NestFactory.create(AppModule);
await app.listen(process.env['PORT'] ?? 3000);
