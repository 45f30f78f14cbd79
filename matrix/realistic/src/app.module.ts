import { GraphqlSubscriptionsModule } from '@fledge/graphql';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';
import { McpModule } from '@fledge/mcp';
import { QueryModule } from '@fledge/query/nest';
import { TenantModule } from '@fledge/tenant';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { ThrottlerModule } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from './auth/auth.module.js';
import { JwtGuard } from './auth/jwt.guard.js';
import { RateGuard } from './auth/rate.guard.js';
import type { User } from './auth/user.js';
import { PingMiddleware } from './database/ping.middleware.js';
import { SharedConnection } from './database/shared-connection.js';
import { Task } from './tasks/task.entity.js';
import { TasksModule } from './tasks/tasks.module.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'sqljs', entities: [Task], synchronize: true }),
    ThrottlerModule.forRoot([{ ttl: 60_000, limit: 100_000 }]),
    AuthModule,
    TasksModule,
    TenantModule.forRoot({
      strategy: 'header',
      verify: { principal: (req) => (req.user as User | undefined)?.tenants, required: true },
    }),
    QueryModule.forRoot({ maxLimit: 50 }),
    McpModule.forRoot({
      name: 'realistic',
      mode: 'auto',
      exclude: ['/auth/*', '/tasks/events'],
      forwardHeaders: ['cookie'],
      sessions: { max: 10 },
    }),
    GraphqlApolloModule.forRoot(),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      autoSchemaFile: true,
      useGlobalPrefix: true,
      context: GraphqlContextFactory.create,
    }),
    GraphqlSubscriptionsModule.forApollo(),
  ],
  providers: [
    SharedConnection,
    { provide: APP_GUARD, useClass: RateGuard },
    { provide: APP_GUARD, useClass: JwtGuard },
  ],
})
export class AppModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(PingMiddleware).forRoutes('{*path}');
  }
}
