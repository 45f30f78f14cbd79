// The application of test/consumer.spec.ts. Its folder is compiled by tsc against the packed libs, as an
// application of ours would be, and run by Node.js: `node main.js express`.
import 'reflect-metadata';
import { ValidationPipe, type ValidationPipeOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';

const PIPES: Record<string, ValidationPipeOptions> = {
  usual: { transform: true, whitelist: true },
  strictest: {
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    validateCustomDecorators: true,
  },
};

for (const [name, options] of Object.entries(PIPES)) {
  const adapter = process.argv[2] === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
  const app = await NestFactory.create(AppModule, adapter, { logger: ['error', 'warn', 'fatal'] });
  app.useGlobalPipes(new ValidationPipe(options));
  await app.listen(0, '127.0.0.1');
  process.stdout.write(`${name} at ${await app.getUrl()}\n`);
}
