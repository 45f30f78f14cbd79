// An application of the built package whose subscription never waits between two events. Clients
// are in the parent process. Prints its URL; then, for each line it reads, how many subscriptions run.
import 'reflect-metadata';
import { once } from 'node:events';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { GraphqlSubscriptionsAdapter, GraphqlSubscriptionsModule } from '@fledge/graphql';
import { buildSchema } from 'graphql';

// Never waits: each event follows at once.
async function* eager() {
  for (let n = 0; ; n += 1) yield { eager: n };
}

class AppModule {}
Module({
  imports: [
    GraphqlSubscriptionsModule.forRoot({
      schema: buildSchema('type Query { q: Int } type Subscription { eager: Int }'),
      rootValue: { eager },
      operations: 'all',
    }),
  ],
})(AppModule);

const adapter = process.argv[2] === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');

process.stdout.write(`${(await app.getUrl()).replace('http', 'ws')}/graphql\n`);
process.stdin.on('data', () => {
  const { activeSubscriptions } = app.get(GraphqlSubscriptionsAdapter).introspect().metrics;
  process.stdout.write(`${activeSubscriptions}\n`);
});
await once(process.stdin, 'end');
await app.close();
process.stdout.write('closed\n');
