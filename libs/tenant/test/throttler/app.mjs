// Prints what requests to a throttled application were answered. Argument: express or fastify.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Throttle, ThrottlerModule } from '@nestjs/throttler';
import { TenantModule } from '@fledge/tenant';
import { TenantThrottlerGuard } from '@fledge/tenant/throttler';

class NotesController {
  first() {}
  second() {}
  strict() {}
}
const { prototype } = NotesController;
const decorate = (name, ...decorators) => {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  decorators.forEach((decorator) => decorator(prototype, name, descriptor));
};
decorate('first', Get('first'));
decorate('second', Get('second'));
decorate('strict', Get('strict'), Throttle({ default: { limit: 1, ttl: 60_000 } }));
Controller()(NotesController);

class AppModule {}
Module({
  imports: [
    TenantModule.forRoot({ strategy: 'header', mode: 'universal' }),
    ThrottlerModule.forRoot([{ ttl: 60_000, limit: 2 }]),
  ],
  controllers: [NotesController],
  providers: [{ provide: APP_GUARD, useClass: TenantThrottlerGuard }],
})(AppModule);

const adapter = process.argv[2] === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
const url = await app.getUrl();

/** Statuses and what is left, of one request after the other: `a first` asks for /first in a. */
async function ask(...requests) {
  const answers = [];
  for (const request of requests) {
    const [tenant, route] = request.split(' ');
    const headers = tenant === 'nobody' ? {} : { 'x-tenant-id': tenant };
    const response = await globalThis.fetch(`${url}/${route}`, { headers });
    answers.push(`${request} ${response.status} ${response.headers.get('x-ratelimit-remaining')}`);
  }
  return answers;
}

const answers = {
  oneRoute: await ask('a first', 'a first', 'a first', 'b first'),
  acrossRoutes: await ask('c first', 'c second', 'c second', 'c first', 'd second'),
  ownLimit: await ask('e strict', 'e strict', 'e first', 'e first', 'e second', 'f strict'),
  nobody: await ask('nobody first', 'nobody first', 'nobody first', 'nobody second', 'g first'),
};
await app.close();
console.log(JSON.stringify(answers));
