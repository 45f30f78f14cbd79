import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { closeNow } from '../../../../test/support/close-now.js';

export interface QueryServer {
  readonly name: string;
  readonly adapter: () => ExpressAdapter | FastifyAdapter;
}

/** Servers that decode query strings differently: `describe.each(servers)('$name', ...)`. */
export const servers: readonly QueryServer[] = [
  { name: 'Express, simple parser', adapter: () => expressWith('simple') },
  { name: 'Express, extended parser', adapter: () => expressWith('extended') },
  { name: 'Fastify', adapter: () => new FastifyAdapter() },
];

function expressWith(parser: 'simple' | 'extended'): ExpressAdapter {
  const adapter = new ExpressAdapter();
  adapter.set('query parser', parser);
  return adapter;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly link: string | null;
}

export interface Running {
  readonly app: INestApplication;
  get(path: string): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts an application with that module. */
export async function listen(
  { adapter }: QueryServer,
  metadata: ModuleMetadata,
  main: (app: INestApplication) => void = () => undefined,
): Promise<Running> {
  const app = await NestFactory.create<INestApplication>(
    { module: class AppModule {}, ...metadata },
    adapter(),
    { logger: false, abortOnError: false },
  );
  main(app);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    app,
    async get(path) {
      const response = await fetch(`${url}${path}`);
      const body: unknown = await response.json();
      return { status: response.status, body, link: response.headers.get('link') };
    },
    close: () => closeNow(app),
  };
}
