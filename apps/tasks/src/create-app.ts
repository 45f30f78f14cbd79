import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import type { Settings } from './settings.js';

/** Creates the application without listening. SIGINT and SIGTERM close it and its database. */
export async function createApp(platform: Settings['platform']): Promise<INestApplication> {
  const app = await build(platform);
  app.enableShutdownHooks();
  return app;
}

// Shutdown cuts open connections: an idle event stream would otherwise keep the server open.
async function build(platform: Settings['platform']): Promise<INestApplication> {
  if (platform === 'express') {
    return NestFactory.create(AppModule, { forceCloseConnections: true });
  }
  const { FastifyAdapter } = await import('@nestjs/platform-fastify');
  return NestFactory.create(AppModule, new FastifyAdapter({ forceCloseConnections: true }));
}
