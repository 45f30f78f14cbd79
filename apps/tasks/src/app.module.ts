import { Module, ValidationPipe } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { type McpAdapterOptions, McpModule } from '@fledge/mcp';
import { PanelModule } from '@fledge/panel';
import { QueryModule, type QueryModuleOptions } from '@fledge/query/nest';
import { Tenancy } from '@fledge/tenant';
import { AgentCallsModule } from './agent-calls/agent-calls.module.js';
import { AgentCallsService } from './agent-calls/agent-calls.service.js';
import { CompanyLifecycle } from './companies/company-lifecycle.js';
import { CompanyTenancy, CompanyRowSecurity } from './companies/company-tenancy.js';
import { Database } from './database/database.js';
import { DatabaseModule } from './database/database.module.js';
import { DEMO_OPERATOR_TOKEN, DEMO_TOKEN } from './database/demo-data.js';
import { ErrorBodyFilter } from './error-body.filter.js';
import { readSettings } from './settings.js';
import { TasksGraphqlModule } from './graphql/graphql.module.js';
import { HealthController } from './health.controller.js';
import { TasksModule } from './tasks/tasks.module.js';
import { UsersModule } from './users/users.module.js';
import { workingDays } from './working-days.js';

@Module({
  imports: [
    DatabaseModule,
    CompanyTenancy,
    CompanyRowSecurity,
    CompanyLifecycle,
    UsersModule,
    TasksModule,
    TasksGraphqlModule,
    QueryModule.forRootAsync({
      inject: [Tenancy],
      useFactory: (tenancy: Tenancy): QueryModuleOptions => ({
        // A misspelled field gets 400. If it were ignored, the response would contain every task.
        onInvalid: 'throw',
        cursors: {
          secret: readSettings(process.env).cursorSecret,
          scope: () => tenancy.currentOrNull()?.tenantId,
        },
      }),
    }),
    AgentCallsModule,
    McpModule.forRootAsync({
      imports: [AgentCallsModule],
      inject: [AgentCallsService, Database],
      useFactory: (calls: AgentCallsService, database: Database): McpAdapterOptions => ({
        name: 'task-api',
        version: '0.1.0',
        description: 'The tasks of a team: find, create, assign, complete and delete them.',
        sessions: { max: 100 },
        endpoints: [
          { path: '/_mcp/messages', exclude: ['/companies/*'] },
          {
            path: '/_mcp/operators',
            name: 'task-api-operators',
            description: 'The companies that use the task API: create, suspend and remove them.',
            tags: ['companies'],
          },
        ],
        pages: [
          {
            uri: 'ui://tasks/list',
            file: new URL('../pages/tasks.html', import.meta.url),
            title: 'Tasks',
            description: 'The tasks that a list found, each with a button to complete it.',
            prefersBorder: true,
          },
        ],
        servers: [workingDays],
        writes: { transaction: (work) => database.transaction(work) },
        audit: { onCall: (record, ctx) => calls.store(record, ctx?.get('user')) },
      }),
    }),
    PanelModule.forRoot({
      callers: [
        { name: 'Ada (Acme)', headers: bearer(DEMO_TOKEN) },
        { name: 'Hedy (Globex)', headers: bearer('demo-token-hedy') },
        { name: 'Operator', headers: bearer(DEMO_OPERATOR_TOKEN) },
      ],
    }),
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

function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}
