// A list that is declared, and that is too large for one result. Argument: express or fastify.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiOkResponse } from '@nestjs/swagger';
import { McpModule, McpTool } from '@fledge/mcp';
import { platformAdapter } from '../support/platform-adapter.mjs';

class TasksController {
  list() {
    return Array.from({ length: 10 }, (_, id) => ({ id }));
  }
}
const { prototype } = TasksController;
const items = { type: 'object', properties: { id: { type: 'integer' } } };
for (const [name, result] of [
  ['short', undefined],
  ['long', { maxBytes: 30, overflow: 'link' }],
]) {
  prototype[name] = prototype.list.bind(prototype);
  const route = Object.getOwnPropertyDescriptor(prototype, name);
  Get(name)(prototype, name, route);
  McpTool({ name, description: 'Lists tasks', result })(prototype, name, route);
  ApiOkResponse({ schema: { type: 'array', items } })(prototype, name, route);
}
Controller()(TasksController);

class AppModule {}
Module({
  imports: [McpModule.forRoot({ name: 'results', transport: 'stdio', outputSchemas: 'declared' })],
  controllers: [TasksController],
})(AppModule);

const adapter = await platformAdapter(process.argv[2]);
const app = await NestFactory.create(AppModule, adapter);
await app.listen(0);
