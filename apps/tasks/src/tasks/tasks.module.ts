import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { TaskChanges } from './task-changes.js';
import { TasksController } from './tasks.controller.js';
import { TasksService } from './tasks.service.js';

@Module({
  imports: [UsersModule],
  controllers: [TasksController],
  providers: [TasksService, TaskChanges],
  exports: [TasksService, TaskChanges],
})
export class TasksModule {}
