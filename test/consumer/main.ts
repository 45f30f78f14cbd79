// The application of test/packed/consumer.spec.ts, once for each platform and ValidationPipe. The spec compiles this
// folder with tsc against the packed libs, as a user would, to ES modules and to CommonJS.
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

const ADAPTERS = { express: () => new ExpressAdapter(), fastify: () => new FastifyAdapter() };

async function main(): Promise<void> {
  for (const [platform, createAdapter] of Object.entries(ADAPTERS)) {
    for (const [pipe, options] of Object.entries(PIPES)) {
      const logger = ['error', 'warn', 'fatal'] as const;
      const app = await NestFactory.create(AppModule, createAdapter(), { logger: [...logger] });
      app.useGlobalPipes(new ValidationPipe(options));
      await app.listen(0, '127.0.0.1');
      process.stdout.write(`${platform}, ${pipe} at ${await app.getUrl()}\n`);
    }
  }
}

void main();
