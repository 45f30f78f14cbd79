// Prints the statuses of requests to a throttled application. Argument: express or fastify.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { PanelModule } from '@fledge/panel';

class TasksController {
  list() {}
}
const { prototype } = TasksController;
Get()(prototype, 'list', Object.getOwnPropertyDescriptor(prototype, 'list'));
Controller('tasks')(TasksController);

class AppModule {}
Module({
  imports: [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 1 }]), PanelModule.forRoot()],
  controllers: [TasksController],
  providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
})(AppModule);

const adapter = process.argv[2] === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
const url = await app.getUrl();
const statuses = [];
for (const path of [
  '/_fledge/api/app',
  '/_fledge/api/app',
  '/tasks',
  '/tasks',
  '/_fledge/api/app',
]) {
  statuses.push((await fetch(url + path)).status);
}
await app.close();
console.log(JSON.stringify(statuses));
