import type {
  INestApplication,
  ModuleMetadata,
  NestApplicationOptions,
  Type,
} from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Platform, platforms } from '../../../test/support/platforms.js';

export { type Platform, platforms };

const running: INestApplication[] = [];

/** An application that was not initialised, closed by `closeAll()`. */
export async function createApp(
  module: Type | ModuleMetadata,
  { adapter }: Platform,
  options: NestApplicationOptions = {},
): Promise<INestApplication> {
  const app = await NestFactory.create<INestApplication>(
    typeof module === 'function' ? module : moduleOf(module),
    adapter(),
    { logger: false, abortOnError: false, ...options },
  );
  running.push(app);
  return app;
}

/** A listening application, closed by `closeAll()`. */
export async function serve(
  module: Type | ModuleMetadata,
  platform: Platform,
  prepare: (app: INestApplication) => void = () => undefined,
  options?: NestApplicationOptions,
): Promise<{ app: INestApplication; url: string }> {
  const app = await createApp(module, platform, options);
  prepare(app);
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
}

export async function closeAll(): Promise<void> {
  await Promise.all(running.splice(0).map((app) => app.close()));
}

function moduleOf(metadata: ModuleMetadata): Type {
  @Module(metadata)
  class AppModule {}
  return AppModule;
}

export interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- whatever a test expects
}

/** Status, media type and body of a request; the body parsed where it is JSON. */
export async function call(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const type = response.headers.get('content-type')?.split(';')[0];
  return { status: response.status, type, body: type?.endsWith('json') ? JSON.parse(text) : text };
}

/** Sends an operation as GraphQL clients do. */
export function query(
  url: string,
  operation: string,
  headers: Record<string, string> = {},
  variables?: object,
): Promise<Answer> {
  return call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: operation, variables }),
  });
}
