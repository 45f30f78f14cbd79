import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import type { Settings } from './settings.js';

/**
 * Creates the application, but does not listen yet. SIGINT and SIGTERM close the application and
 * its database.
 */
export async function createApp(platform: Settings['platform']): Promise<INestApplication> {
  const app = await build(platform);
  app.enableShutdownHooks();
  return app;
}

// Cuts open connections at shutdown. Otherwise an idle event stream would keep the server open.
async function build(platform: Settings['platform']): Promise<INestApplication> {
  if (platform === 'express') {
    return NestFactory.create(AppModule, { forceCloseConnections: true });
  }
  const { FastifyAdapter } = await import('@nestjs/platform-fastify');
  return NestFactory.create(AppModule, new FastifyAdapter({ forceCloseConnections: true }));
}
