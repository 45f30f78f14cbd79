// An application that has decorators of Fledge, but imports none of its modules.
import 'reflect-metadata';
import { defineHttpContextDecorator } from '@fledge/core';
import { McpTool } from '@fledge/mcp';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const LoadUser = defineHttpContextDecorator({ key: 'user', resolve: () => ({ id: 'ada' }) });

class TasksController {
  list() {
    return [];
  }
}
const { prototype } = TasksController;
const list = Object.getOwnPropertyDescriptor(prototype, 'list');
for (const decorate of [Get(), McpTool({ description: 'Lists tasks' }), LoadUser]) {
  decorate(prototype, 'list', list);
}
Controller('tasks')(TasksController);

class AppModule {}
Module({ controllers: [TasksController] })(AppModule);

const app = await NestFactory.create(AppModule);
await app.listen(0, '127.0.0.1');
