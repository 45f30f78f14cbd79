// node dist/main.js [express | fastify]: listens on any free port of this machine and says which.
import 'reflect-metadata';
import type { INestApplication, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

const app = await build(process.argv[2]);
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
process.stdout.write(`${await app.getUrl()}/_mcp/messages\n`);

async function build(platform: string | undefined): Promise<INestApplication> {
  // Open connections are cut on shutdown: an idle event stream would hold it up for ever.
  const options: NestApplicationOptions = {
    forceCloseConnections: true,
    logger: ['warn', 'error', 'fatal'],
  };
  if (platform !== 'fastify') return NestFactory.create(AppModule, options);
  const { FastifyAdapter } = await import('@nestjs/platform-fastify');
  const adapter = new FastifyAdapter({ forceCloseConnections: true });
  return NestFactory.create(AppModule, adapter, options);
}
