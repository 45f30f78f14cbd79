import type { Server } from 'node:http';
import type {
  INestApplication,
  ModuleMetadata,
  NestApplicationOptions,
  Type,
} from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

export interface Platform {
  readonly name: string;
  readonly adapter: () => ExpressAdapter | FastifyAdapter;
}

/** The platforms on which every whole-flow spec runs: `describe.each(platforms)('$name', ...)`. */
export const platforms: readonly Platform[] = [
  { name: 'Express', adapter: () => new ExpressAdapter() },
  { name: 'Fastify', adapter: () => new FastifyAdapter() },
];

const running: INestApplication[] = [];

/** Starts an application that listens. `closeAll()` closes it. */
export async function serve(
  module: Type | ModuleMetadata,
  { adapter }: Platform,
  prepare: (app: INestApplication) => void = () => undefined,
  options: NestApplicationOptions = {},
): Promise<{ app: INestApplication; url: string }> {
  const app = await createApp(module, adapter(), options);
  prepare(app);
  await app.listen(0, '127.0.0.1');
  keepIdleConnections(app);
  return { app, url: await app.getUrl() };
}

/**
 * Keeps idle connections open. Otherwise the server closes them after 5 seconds, and a busy client
 * may send a request at that moment.
 */
export function keepIdleConnections(app: INestApplication): void {
  (app.getHttpServer() as Server).keepAliveTimeout = 0;
}

/** Creates an application without initializing it. `closeAll()` closes it. */
export async function createApp(
  module: Type | ModuleMetadata,
  adapter: ExpressAdapter | FastifyAdapter,
  options: NestApplicationOptions = {},
): Promise<INestApplication> {
  const app = await NestFactory.create<INestApplication>(
    typeof module === 'function' ? module : moduleOf(module),
    adapter,
    { logger: false, abortOnError: false, ...options },
  );
  running.push(app);
  return app;
}

function moduleOf(metadata: ModuleMetadata): Type {
  @Module(metadata)
  class AppModule {}
  return AppModule;
}

export async function closeAll(): Promise<void> {
  await Promise.all(running.splice(0).map((app) => app.close()));
}

/**
 * Sends a request. Returns the status and the body, parsed if it is JSON, undefined if it is empty.
 */
export async function call(
  url: string,
  init?: RequestInit,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, body: isJson ? JSON.parse(text) : text || undefined };
}

export function post(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}
