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

/** Every whole-flow spec runs on both: `describe.each(platforms)('$name', ...)`. */
export const platforms: readonly Platform[] = [
  { name: 'Express', adapter: () => new ExpressAdapter() },
  { name: 'Fastify', adapter: () => new FastifyAdapter() },
];

const running: INestApplication[] = [];

/** A listening application, closed by `closeAll()`. */
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

/** A busy client may send on a connection just when the server closes it, because it was idle for 5 seconds. */
export function keepIdleConnections(app: INestApplication): void {
  (app.getHttpServer() as Server).keepAliveTimeout = 0;
}

/** An application that was not initialised, closed by `closeAll()`. */
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

/** Status and body of a request, parsed where it is JSON; undefined where it is empty. */
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
