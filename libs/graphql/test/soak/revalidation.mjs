// Subscriptions of the built package that are checked again and again, in a process started with --expose-gc.
// Prints one line of JSON: what revalidation-soak.spec.ts expects.
import 'reflect-metadata';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { GraphqlOperations, GraphqlSubscriptionsModule } from '@fledge/graphql';
import { buildSchema } from 'graphql';
import { WebSocket } from 'ws';

const SUBSCRIPTIONS = 100;
const WARM_UP = 50;
const ROUNDS = 100;

const rootValue = {
  async *event(_args, { ctx }) {
    await once(ctx.get('signal'), 'abort');
    yield { event: 1 };
  },
};

class AppModule {}
Module({
  imports: [
    GraphqlSubscriptionsModule.forRoot({
      schema: buildSchema('type Query { q: Int } type Subscription { event: Int }'),
      rootValue,
      maxSubscriptions: SUBSCRIPTIONS,
      revalidate: { everyMs: 60_000, check: () => setTimeout(0) },
    }),
  ],
})(AppModule);

const adapter = process.argv[2] === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
const operations = app.get(GraphqlOperations, { strict: false });
const url = (await app.getUrl()).replace('http', 'ws') + '/graphql';
const socket = new WebSocket(url, 'graphql-transport-ws');
await once(socket, 'open');
socket.send('{"type":"connection_init"}');
await once(socket, 'message');
const payload = { query: 'subscription { event }' };
for (let id = 0; id < SUBSCRIPTIONS; id += 1) {
  socket.send(JSON.stringify({ id: `${id}`, type: 'subscribe', payload }));
}
const started = () => operations.list().filter(({ kind }) => kind === 'subscription').length;
while (started() < SUBSCRIPTIONS) await setTimeout(5);

async function checks(rounds) {
  let valid = 0;
  for (let round = 0; round < rounds; round += 1) valid += (await operations.revalidate()).valid;
  return valid;
}

async function heapBytes() {
  for (let i = 0; i < 4; i += 1) {
    await setTimeout(50);
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

await checks(WARM_UP);
const before = await heapBytes();
const valid = await checks(ROUNDS);
const after = await heapBytes();
// The timers of the next checks end with their subscriptions, so this process exits.
await app.close();
socket.terminate();
process.stdout.write(
  JSON.stringify({ valid, bytesPerCheck: (after - before) / valid, running: started() }) + '\n',
);
