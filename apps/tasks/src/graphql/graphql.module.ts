import { GraphqlSubscriptionsModule } from '@fledge/graphql';
import {
  formatApolloError,
  GraphqlApolloModule,
  GraphqlContextFactory,
} from '@fledge/graphql/apollo';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { GraphQLISODateTime, GraphQLModule } from '@nestjs/graphql';
import { TasksModule } from '../tasks/tasks.module.js';
import { TASK_SCHEMA } from './task-schema.js';
import { TasksResolver } from './tasks.resolver.js';

/**
 * Serves the tasks over GraphQL: Apollo over HTTP, subscriptions over WebSocket, and one context
 * for both.
 */
@Module({
  imports: [
    TasksModule,
    GraphqlApolloModule.forRoot(),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      typeDefs: TASK_SCHEMA,
      resolvers: { DateTime: GraphQLISODateTime },
      context: GraphqlContextFactory.create,
      plugins: [GraphqlContextFactory.metricsPlugin()],
      formatError: formatApolloError,
    }),
    GraphqlSubscriptionsModule.forApollo(),
  ],
  providers: [TasksResolver],
})
export class TasksGraphqlModule {}
