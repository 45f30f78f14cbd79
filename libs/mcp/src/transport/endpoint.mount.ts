import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { MCP_OPTIONS } from '../mcp.tokens.js';
import { McpEndpoint } from './endpoint.js';
import { type ExpressApplication, openShortcut } from './express.shortcut.js';

/**
 * Puts the endpoint into the application: behind all that `main.ts` added to it (CORS, helmet,
 * its own middleware), ahead of Nest's body parser, which would answer malformed and large messages
 * in its own way.
 *
 * Nest calls the adapter's `init()` at exactly that point of `app.init()`. There is no hook for it,
 * so the method is wrapped; `test/endpoint.spec.ts` notices when the order changes.
 */
@Injectable()
export class EndpointMount {
  constructor(
    private readonly endpoint: McpEndpoint,
    @Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions,
    adapterHost: HttpAdapterHost,
  ) {
    if (options.transport !== 'http') return;
    adapterHost.init$.subscribe(() => {
      // Null in a standalone application context: there is no server to serve on.
      const adapter = adapterHost.httpAdapter as AbstractHttpAdapter | null;
      if (adapter) this.mountAfterInit(adapter);
    });
  }

  private mountAfterInit(adapter: AbstractHttpAdapter): void {
    const init = adapter.init.bind(adapter);
    adapter.init = async () => {
      adapter.init = init;
      await init();
      if (adapter.getType() === 'fastify') await this.mountOnFastify(adapter.getInstance());
      else this.mountOnExpress(adapter);
    };
  }

  private mountOnExpress(adapter: AbstractHttpAdapter): void {
    const { endpoint } = this.options;
    const handle = (request: IncomingMessage, response: ServerResponse) =>
      this.endpoint.handle(request, response);
    adapter.getInstance<ExpressApplication>().all(endpoint, handle);
    openShortcut(adapter, endpoint, handle);
  }

  private async mountOnFastify(fastify: FastifyApplication): Promise<void> {
    await fastify.register((scope, _options, done) => {
      // The endpoint reads the body itself, within its own limit.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
      scope.route({
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'],
        url: this.options.endpoint,
        exposeHeadRoute: false,
        handler: (request, reply) => this.takeOver(request, reply),
        // Fastify refuses a malformed media type before the handler; the endpoint has an answer too.
        errorHandler: (_error, request, reply) => this.takeOver(request, reply),
      });
      done();
    });
  }

  private takeOver(request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    // What hooks set on the reply (CORS, helmet) would else be lost.
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    this.endpoint.handle(request.raw, reply.raw);
  }
}

// The few methods used here: neither platform is a dependency of this package.

interface FastifyApplication {
  register(
    plugin: (scope: FastifyScope, options: unknown, done: () => void) => void,
  ): PromiseLike<unknown>;
}

interface FastifyScope {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): void;
  route(options: {
    method: string[];
    url: string;
    exposeHeadRoute: boolean;
    handler: (request: FastifyRequest, reply: FastifyReply) => void;
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;
  }): void;
}

interface FastifyRequest {
  readonly raw: IncomingMessage;
}

interface FastifyReply {
  readonly raw: ServerResponse;
  hijack(): void;
  getHeaders(): Record<string, string | number | string[] | undefined>;
}
