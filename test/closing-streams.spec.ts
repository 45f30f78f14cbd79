// Streams of MCP and of the panel end before anything waits for the open responses of the server.
import type { Server, ServerResponse } from 'node:http';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { afterEach, describe, expect, it } from '@jest/globals';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';
import { McpModule } from '@fledge/mcp';
import { PanelModule } from '@fledge/panel';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { DynamicModule, INestApplication, OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { closeAll, platforms, serve } from './support/platforms.js';
import { until } from './support/until.js';

/** Waits for all open responses, as `http-terminator`, `stoppable` and Apollo's plugin do. */
class Drain implements OnModuleDestroy {
  constructor(
    private readonly server: () => Server,
    private readonly begins: () => void,
  ) {}

  onModuleDestroy(): Promise<void> {
    this.begins();
    return new Promise((resolve) => void this.server().close(() => resolve()));
  }
}

class DrainModule {
  static with(begins: () => void): DynamicModule {
    const useFactory = (host: HttpAdapterHost) =>
      new Drain(() => host.httpAdapter.getHttpServer() as Server, begins);
    return {
      module: DrainModule,
      providers: [{ provide: Drain, useFactory, inject: [HttpAdapterHost] }],
    };
  }
}

/** Apollo runs the `drainServer()` of all plugins together with its own. */
const apollo = (begins: () => void) => [
  GraphqlApolloModule.forRoot(),
  GraphQLModule.forRoot<ApolloDriverConfig>({
    driver: ApolloDriver,
    typeDefs: 'type Query { hello: String }',
    context: GraphqlContextFactory.create,
    plugins: [
      {
        serverWillStart: () =>
          Promise.resolve({ drainServer: () => Promise.resolve().then(begins) }),
      },
    ],
  }),
];

const clients: Client[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await closeAll();
});

/** Opens a stream of MCP and one of the panel. Returns the responses of the server. */
async function openStreams(app: INestApplication, url: string): Promise<ServerResponse[]> {
  const responses = new Set<ServerResponse>();
  (app.getHttpServer() as Server).on('request', (_req, response: ServerResponse) => {
    responses.add(response);
    response.once('close', () => responses.delete(response));
  });
  const client = new Client({ name: 'probe', version: '1' });
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/_mcp/messages`)));
  await fetch(`${url}/_fledge/api/calls/stream`);
  const streaming = () => [...responses].filter(({ headersSent }) => headersSent);
  await until(() => streaming().length === 2 && responses.size === 2);
  return streaming();
}

describe.each(platforms)('an application on $name that closes', (platform) => {
  describe.each(['NestJS 12', 'NestJS 11, which has no beforeClose()'])('as on %s', (version) => {
    it.each([
      ['Apollo Server', apollo],
      ['a module', (begins: () => void) => [DrainModule.with(begins)]],
    ])('ends streams before %s waits for them', async (_name, drain) => {
      const own = [McpModule.forRoot({ name: 'probe' }), PanelModule.forRoot()];
      for (const order of ['before', 'after']) {
        let streams: ServerResponse[] = [];
        let open: number | undefined;
        const drains = drain(() => {
          open = streams.filter(({ writableEnded }) => !writableEnded).length;
        });
        const { app, url } = await serve(
          { imports: order === 'before' ? [...drains, ...own] : [...own, ...drains] },
          platform,
        );
        if (version !== 'NestJS 12') {
          Object.defineProperty(app.getHttpAdapter(), 'beforeClose', { value: undefined });
        }
        streams = await openStreams(app, url);
        await app.close();
        expect(open).toBe(0);
      }
    });
  });
});
