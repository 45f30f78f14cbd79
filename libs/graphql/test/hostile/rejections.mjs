// An application of the built package whose lists fail twice: an item at once, and one before it later. Prints its URL.
import 'reflect-metadata';
import { setImmediate as turn } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { GraphqlMountModule } from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';

let rejected = 0;
const later = async () => {
  await turn();
  rejected += 1;
  throw new Error('a database that fails');
};
const now = () => {
  throw new Error('fails at once');
};

const options = {
  typeDefs: `
    type Item { id: Int! }
    type Query {
      numbers: [Int!]
      thrown: [Item!]
      items: [Item!]
      "Answers when the items that fail later have failed."
      rejected: Int
      foreign: Int
    }
    type Subscription { numbers: [Int!] }`,
  rootValue: {
    numbers: () => [later(), null],
    thrown: () => [{ id: later }, { id: now }],
    items: () => [{ id: later }, { id: null }],
    rejected: async () => {
      for (let turns = 0; turns < 10; turns += 1) await turn();
      return rejected;
    },
    foreign: () => {
      void Promise.reject(new Error('of the application'));
      return 1;
    },
  },
};

class AppModule {}
Module({
  imports: [
    GraphqlMountModule.forRoot({ ...options, subscriptions: { operations: 'all' } }),
    GraphqlMountModule.forRoot({ ...options, name: 'Yoga', path: '/yoga', runtime: yoga() }),
  ],
})(AppModule);

const adapter = process.argv[2] === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
process.stdout.write(`${await app.getUrl()}\n`);
