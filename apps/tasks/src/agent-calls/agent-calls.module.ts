import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { AgentCallsController } from './agent-calls.controller.js';
import { AgentCallsService } from './agent-calls.service.js';

@Module({
  imports: [UsersModule],
  controllers: [AgentCallsController],
  providers: [AgentCallsService],
  exports: [AgentCallsService],
})
export class AgentCallsModule {}
