// An application of the built package and its subscribers, in one process started with --expose-gc.
// Prints one line of JSON: what subscriptions-soak.spec.ts expects.
import 'reflect-metadata';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Module, Scope } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { GraphqlSubscriptionsAdapter, GraphqlSubscriptionsModule } from '@fledge/graphql';
import { buildSchema } from 'graphql';
import { WebSocket } from 'ws';

const CYCLES = 10_000;
const SOCKETS = 500;
const WARM_UP = 4_000;
const AT_ONCE = 50;

/** Made for each operation; kept by nobody behind it. */
class PerRequest {
  filler = new Array(1_000).fill(0);
}

let waiting = 0;

const rootValue = {
  // Gives one event, then waits until it is told that its reader left.
  async *event({ n }, { ctx, container }) {
    const [one, two] = await Promise.all([
      container.resolve(PerRequest),
      container.resolve(PerRequest),
    ]);
    const signal = ctx.get('signal');
    yield { event: one === two ? n : -1 };
    waiting += 1;
    if (!signal.aborted) await once(signal, 'abort');
    waiting -= 1;
  },
};

class AppModule {}
Module({
  imports: [
    GraphqlSubscriptionsModule.forRoot({
      schema: buildSchema('type Query { q: Int } type Subscription { event(n: Int!): Int }'),
      rootValue,
    }),
  ],
  providers: [{ provide: PerRequest, useClass: PerRequest, scope: Scope.REQUEST }],
})(AppModule);

const adapter = process.argv[2] === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
const url = (await app.getUrl()).replace('http', 'ws') + '/graphql';
const metrics = () => app.get(GraphqlSubscriptionsAdapter).introspect().metrics;

async function open() {
  const socket = new WebSocket(url, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send('{"type":"connection_init"}');
  await once(socket, 'message');
  const readers = new Map();
  socket.on('message', (data) => {
    const { id, payload } = JSON.parse(data);
    readers.get(id)?.(payload?.data?.event);
  });
  return { socket, readers };
}

/** Subscribes, reads one event, and leaves. Whether the event was this subscriber's. */
async function cycle({ socket, readers }, n) {
  const id = `${n}`;
  const event = await new Promise((resolve) => {
    readers.set(id, resolve);
    const payload = { query: `subscription ($n: Int!) { event(n: $n) }`, variables: { n } };
    socket.send(JSON.stringify({ id, type: 'subscribe', payload }));
  });
  readers.delete(id);
  socket.send(JSON.stringify({ id, type: 'complete' }));
  return event === n;
}

async function run(count, job) {
  let next = 0;
  let right = 0;
  const worker = async () => {
    while (next < count) if (await job(next++)) right++;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return right;
}

/** A client that vanishes in the middle of a subscription. */
async function visit(n) {
  const client = await open();
  const right = await cycle(client, n);
  const payload = { query: 'subscription { event(n: 1) }' };
  client.socket.send(JSON.stringify({ id: 'left', type: 'subscribe', payload }));
  await once(client.socket, 'message');
  client.socket.terminate();
  return right;
}

async function heapBytes() {
  for (let i = 0; i < 4; i++) {
    await setTimeout(50);
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

const client = await open();
await run(WARM_UP, (n) => cycle(client, n));
await run(300, visit);

const before = await heapBytes();
const cycles = await run(CYCLES, (n) => cycle(client, n));
const afterCycles = await heapBytes();
const visits = await run(SOCKETS, visit);
const afterVisits = await heapBytes();

process.stdout.write(
  JSON.stringify({
    cycles,
    visits,
    waiting,
    ...metrics(),
    bytesPerCycle: Math.round(((afterCycles - before) / CYCLES) * 10) / 10,
    bytesPerSocket: Math.round((afterVisits - afterCycles) / SOCKETS),
  }) + '\n',
);
client.socket.terminate();
await app.close();
