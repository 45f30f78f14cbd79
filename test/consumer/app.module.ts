import { McpModule } from '@fledge/mcp';
import { QueryModule } from '@fledge/query/nest';
import { TenantModule } from '@fledge/tenant';
import { Module } from '@nestjs/common';
import { ReadersService } from './readers.js';
import { TasksController } from './tasks.controller.js';
import { TasksService } from './tasks.service.js';

@Module({
  imports: [
    QueryModule.forRoot({ maxLimit: 50 }),
    TenantModule.forRoot({ strategy: 'header' }),
    McpModule.forRoot({ name: 'consumer', sessions: { max: 10 } }),
  ],
  controllers: [TasksController],
  providers: [TasksService, ReadersService],
})
export class AppModule {}
