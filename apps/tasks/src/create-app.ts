import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import type { Settings } from './settings.js';

/** The application, not listening yet. It closes its database on SIGINT and SIGTERM. */
export async function createApp(platform: Settings['platform']): Promise<INestApplication> {
  const app = await build(platform);
  app.enableShutdownHooks();
  return app;
}

// Open connections are cut on shutdown: an idle event stream would hold it up for ever.
async function build(platform: Settings['platform']): Promise<INestApplication> {
  if (platform === 'express') {
    return NestFactory.create(AppModule, { forceCloseConnections: true });
  }
  const { FastifyAdapter } = await import('@nestjs/platform-fastify');
  return NestFactory.create(AppModule, new FastifyAdapter({ forceCloseConnections: true }));
}
