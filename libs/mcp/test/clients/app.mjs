// An application with few places for sessions. Arguments: express or fastify, how many. Prints its port.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpAdapter, McpModule, McpTool } from '@fledge/mcp';

class HelloController {
  hello() {
    return { hello: 'from the route' };
  }
}

const { prototype } = HelloController;
const hello = Object.getOwnPropertyDescriptor(prototype, 'hello');
Get('hello')(prototype, 'hello', hello);
McpTool({ name: 'hello', description: 'Greets' })(prototype, 'hello', hello);
Controller()(HelloController);

const [, , platform, max] = process.argv;

class AppModule {}
Module({
  imports: [McpModule.forRoot({ name: 'few', sessions: { max: Number(max), reclaimAfterMs: 1 } })],
  controllers: [HelloController],
})(AppModule);

const adapter = platform === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
console.log(app.getHttpServer().address().port);
process.on('SIGTERM', () => {
  console.log(`sessions left: ${app.get(McpAdapter).introspect().metrics.sessions}`);
  process.exit(0);
});
