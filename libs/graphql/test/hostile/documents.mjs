// An application of the built package in a small heap, and clients that send documents of many nodes:
// invalid ones, valid ones, and ones of comments. Prints 'alive' when it still answers.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { GraphqlMountModule } from '@fledge/graphql';

class AppModule {}
Module({
  imports: [
    GraphqlMountModule.forRoot({
      typeDefs: 'type Query { a: Int }',
      rootValue: { a: 1 },
      // So that documents of many nodes are parsed, validated, executed and cached.
      limits: { rootFields: false, fields: false },
    }),
  ],
})(AppModule);

const adapter = process.argv[2] === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
const url = `${await app.getUrl()}/graphql`;

const send = async (query) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return answer.text();
};
const documents = [
  (i) => `{${' b'.repeat(14_000)} #${i}\n}`,
  (i) => `{${' a'.repeat(14_000)} #${i}\n}`,
  (i) => `{${' a'.repeat(2_000)} #${i}\n}`,
  (i) => `{ a ${'#\n'.repeat(30_000)} #${i}\n}`,
];
for (const document of documents) for (let i = 0; i < 40; i += 1) await send(document(i));
const answer = await send('{ a }');
await app.close();
process.stdout.write(answer === '{"data":{"a":1}}' ? 'alive' : answer);
