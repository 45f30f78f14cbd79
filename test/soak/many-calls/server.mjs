// An application of the built packages with one tool and the panel, in a process started with --expose-gc, so that its
// heap holds nothing of the tests. Argument: express or fastify. Answers each message with its heap in bytes.
import 'reflect-metadata';
import { setTimeout } from 'node:timers/promises';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule, McpTool } from '@fledge/mcp';
import { PanelModule } from '@fledge/panel';

class ThingsController {
  find(id) {
    return { id };
  }
}
const find = Object.getOwnPropertyDescriptor(ThingsController.prototype, 'find');
Reflect.defineMetadata('design:paramtypes', [String], ThingsController.prototype, 'find');
Param('id')(ThingsController.prototype, 'find', 0);
Get(':id')(ThingsController.prototype, 'find', find);
McpTool({ name: 'find', description: 'Finds a thing' })(ThingsController.prototype, 'find', find);
Controller('things')(ThingsController);

class AppModule {}
Module({
  imports: [McpModule.forRoot({ name: 'task-api' }), PanelModule.forRoot()],
  controllers: [ThingsController],
})(AppModule);

const adapter = process.argv[2] === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
const { port } = app.getHttpServer().address();

process.on('message', async () => {
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await setTimeout(50);
  }
  globalThis.gc();
  process.send(process.memoryUsage().heapUsed);
});
process.send(`http://localhost:${port}`);
