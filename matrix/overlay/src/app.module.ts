import { ContextModule } from '@fledge/core';
import { GraphqlMountModule } from '@fledge/graphql';
import { McpModule } from '@fledge/mcp';
import { QueryModule } from '@fledge/query/nest';
import { TenantModule } from '@fledge/tenant';
import { Module } from '@nestjs/common';
import { AppController } from './app.controller.js';
import { AppService } from './app.service.js';
import { LoadReader } from './tasks/load-reader.js';
import { rootValue, typeDefs } from './tasks/tasks.graphql.js';
import { TasksController } from './tasks/tasks.controller.js';
import { TasksService } from './tasks/tasks.service.js';

@Module({
  imports: [
    ContextModule.forRoot({ contributors: [LoadReader] }),
    TenantModule.forRoot({ strategy: 'header' }),
    QueryModule.forRoot({ maxLimit: 50 }),
    McpModule.forRoot({ name: 'matrix', sessions: { max: 4 } }),
    GraphqlMountModule.forRoot({ typeDefs, rootValue, subscriptions: true }),
  ],
  controllers: [AppController, TasksController],
  providers: [AppService, TasksService],
})
export class AppModule {}
