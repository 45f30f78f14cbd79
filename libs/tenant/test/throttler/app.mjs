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
  longer() {}
}
const { prototype } = NotesController;
const decorate = (name, ...decorators) => {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  decorators.forEach((decorator) => decorator(prototype, name, descriptor));
};
decorate('first', Get('first'));
decorate('second', Get('second'));
decorate('strict', Get('strict'), Throttle({ default: { limit: 1, ttl: 60_000 } }));
decorate('longer', Get('longer'), Throttle({ default: { ttl: 90_000 } }));
Controller()(NotesController);

async function start(options) {
  class AppModule {}
  Module({
    imports: [
      TenantModule.forRoot({ strategy: 'header', mode: 'universal' }),
      ThrottlerModule.forRoot({ throttlers: [{ ttl: 60_000, limit: 2 }], ...options }),
    ],
    controllers: [NotesController],
    providers: [{ provide: APP_GUARD, useClass: TenantThrottlerGuard }],
  })(AppModule);
  const adapter = process.argv[2] === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
  const app = await NestFactory.create(AppModule, adapter, { logger: false });
  await app.listen(0, '127.0.0.1');
  return app;
}

/**
 * Statuses and what is left, of one request after the other: `a first` asks for /first in a,
 * `a first u` as the user u.
 */
async function ask(app, ...requests) {
  const url = await app.getUrl();
  const answers = [];
  for (const request of requests) {
    const [tenant, route, user = ''] = request.split(' ');
    const headers = { 'x-user': user, ...(tenant !== 'nobody' && { 'x-tenant-id': tenant }) };
    const response = await globalThis.fetch(`${url}/${route}`, { headers });
    answers.push(`${request} ${response.status} ${response.headers.get('x-ratelimit-remaining')}`);
  }
  return answers;
}

const byAddress = await start();
const byUser = await start({ getTracker: (req) => req.headers['x-user'] });
const answers = {
  oneRoute: await ask(byAddress, 'a first', 'a first', 'a first', 'b first'),
  acrossRoutes: await ask(byAddress, 'c first', 'c second', 'c second', 'c first', 'd second'),
  ownLimit: await ask(
    byAddress,
    ...['e strict', 'e strict', 'e first', 'e first', 'e second', 'f strict'],
  ),
  ownTtl: await ask(byAddress, 'h first', 'h first', 'h longer', 'h longer', 'h longer'),
  nobody: await ask(
    byAddress,
    ...['nobody first', 'nobody first', 'nobody first', 'nobody second', 'g first'],
  ),
  likeAnAddress: await ask(byAddress, 'nobody strict', '127.0.0.1 strict'),
  ownTracker: await ask(
    byUser,
    ...['a first u', 'a second u', 'a first u', 'a first v', 'b first u'],
    ...['a strict u', 'b strict u'],
  ),
};
await byAddress.close();
await byUser.close();
console.log(JSON.stringify(answers));
