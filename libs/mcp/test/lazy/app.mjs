// An application of one decorated controller; with the argument `module` it imports McpModule too.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, McpTool } from '@fledge/mcp';

class TasksController {
  list() {
    return [];
  }
}
const list = Object.getOwnPropertyDescriptor(TasksController.prototype, 'list');
Get()(TasksController.prototype, 'list', list);
McpTool({ description: 'List tasks' })(TasksController.prototype, 'list', list);
Controller('tasks')(TasksController);

class AppModule {}
Module({
  imports: process.argv[2] === 'module' ? [McpModule.forRoot({ name: 'lazy' })] : [],
  controllers: [TasksController],
})(AppModule);

const app = await NestFactory.create(AppModule, { logger: false });
await app.init();
await app.close();
