import type {
  INestApplication,
  ModuleMetadata,
  NestApplicationOptions,
  Type,
} from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { McpAdapter } from '../../src/mcp.adapter.js';
import { McpModule } from '../../src/mcp.module.js';
import type { McpAdapterOptions } from '../../src/mcp.options.js';
import { closeNow } from '../../../../test/support/close-now.js';
import { keepIdleConnections } from '../../../../test/support/platforms.js';
import { connect, type ConnectedClient } from './clients.js';
import { type Wire, wire } from './wire.js';

export interface RunningApp {
  readonly app: INestApplication;
  readonly url: string;
  readonly endpoint: string;
  readonly wire: Wire;
  connect(headers?: Record<string, string>): Promise<ConnectedClient>;
  close(): Promise<void>;
}

export interface AppSetup extends Omit<ModuleMetadata, 'exports'> {
  readonly mcp?: Partial<McpAdapterOptions>;
  /** Options of `NestFactory.create()`. */
  readonly app?: NestApplicationOptions;
  /** What a `main.ts` would do between `create` and `listen`. */
  main?(app: INestApplication): void | Promise<void>;
}

/** An application with `McpModule`, listening on a port of its own. */
export async function startApp(
  adapter: AbstractHttpAdapter,
  { mcp, app: options, main, imports = [], ...metadata }: AppSetup,
): Promise<RunningApp> {
  const app = await NestFactory.create(
    {
      module: class AppModule {},
      imports: [...imports, McpModule.forRoot({ name: 'spec', sessions: { max: 100 }, ...mcp })],
      ...metadata,
    },
    adapter,
    { logger: false, abortOnError: false, ...options },
  );
  await main?.(app);
  await app.listen(0, '127.0.0.1');
  keepIdleConnections(app);
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const endpoint = `${url}${mcp?.basePath ?? '/_mcp'}/messages`;
  return {
    app,
    url,
    endpoint,
    wire: wire(endpoint),
    connect: (headers) => connect(endpoint, headers),
    close: () => closeNow(app),
  };
}

/** Sessions open now, as the application's own introspection counts them. */
export function openSessions({ app }: Pick<RunningApp, 'app'>): unknown {
  return app.get(McpAdapter, { strict: false }).introspect().metrics?.['sessions'];
}

/** An application of nothing but controllers. */
export function controllers(...types: object[]): AppSetup {
  return { controllers: types as Type[] };
}
