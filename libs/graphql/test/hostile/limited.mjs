// An application of the built package with limits of operations, at /graphql and with Yoga at /yoga. Clients are in
// the parent process. Prints its URL; then, for each line it reads, its CPU time in microseconds and its heap in bytes.
import 'reflect-metadata';
import { once } from 'node:events';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { GraphqlMountModule } from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';

const typeDefs = `
  directive @complexity(value: Int!, multipliers: [String!]) on FIELD_DEFINITION
  input In { in: In, n: [Int!] }
  type Query {
    a: Int
    q: Query
    r: Query
    list(first: Int = 10, ids: [Int!], in: In): [Query!] @complexity(value: 1, multipliers: ["first", "ids"])
  }
  type Subscription { a: Int }
`;
const rootValue = { a: 1, q: () => rootValue, r: () => rootValue, list: () => [] };
const mount = (options) =>
  GraphqlMountModule.forRoot({
    typeDefs,
    rootValue,
    limits: { cost: 1_000 },
    documentCache: 20,
    ...options,
  });

class AppModule {}
Module({
  imports: [
    mount({ subscriptions: { operations: 'all' } }),
    mount({ name: 'Yoga', path: '/yoga', runtime: yoga() }),
  ],
})(AppModule);

const adapter =
  process.argv[2] === 'Fastify'
    ? new FastifyAdapter({ forceCloseConnections: true })
    : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');

process.stdout.write(`${await app.getUrl()}\n`);
process.stdin.on('data', () => {
  const { user, system } = process.cpuUsage();
  globalThis.gc();
  process.stdout.write(`${user + system} ${process.memoryUsage().heapUsed}\n`);
});
await once(process.stdin, 'end');
await app.close();
