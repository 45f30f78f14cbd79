import { Module, ValidationPipe } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { McpModule } from '@fledge/mcp';
import { PanelModule } from '@fledge/panel';
import { QueryModule } from '@fledge/query/nest';
import { CompanyTenancy, CompanyRowSecurity } from './companies/company-tenancy.js';
import { DatabaseModule } from './database/database.module.js';
import { ErrorBodyFilter } from './error-body.filter.js';
import { TasksGraphqlModule } from './graphql/graphql.module.js';
import { HealthController } from './health.controller.js';
import { TasksModule } from './tasks/tasks.module.js';
import { UsersModule } from './users/users.module.js';

@Module({
  imports: [
    DatabaseModule,
    CompanyTenancy,
    CompanyRowSecurity,
    UsersModule,
    TasksModule,
    TasksGraphqlModule,
    // A misspelled field answers 400. Ignoring it would return every task.
    QueryModule.forRoot({ onInvalid: 'throw' }),
    McpModule.forRoot({
      name: 'task-api',
      version: '0.1.0',
      description: 'The tasks of a team: find, create, assign, complete and delete them.',
      sessions: { max: 100 },
    }),
    PanelModule.forRoot(),
  ],
  controllers: [HealthController],
  providers: [
    {
      provide: APP_PIPE,
      useValue: new ValidationPipe({
        whitelist: true,
        forbidNonWhitelisted: true,
        transform: true,
      }),
    },
    { provide: APP_FILTER, useClass: ErrorBodyFilter },
  ],
})
export class AppModule {}
