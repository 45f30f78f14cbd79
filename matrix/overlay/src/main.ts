import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { TaskMissingFilter } from './tasks/task-missing.filter.js';

async function bootstrap() {
  const adapter = process.env.PLATFORM === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
  const app = await NestFactory.create(AppModule, adapter);
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
  app.useGlobalFilters(new TaskMissingFilter());
  app.enableShutdownHooks();
  await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
  console.log(`listening on ${await app.getUrl()}`);
}
void bootstrap();
