import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { PanelSessions } from '@fledge/core/packages';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import type { Operations } from '../operations/operations.js';
import type { CallWatches } from '../messages/call-watches.js';
import type { HostApplication } from '../routes/host-application.js';
import { McpEndpoint } from './endpoint.js';
import { type ExpressApplication, type MountedHandler, openShortcut } from './express-shortcut.js';
import { Mount } from './mount.js';
import { metadataHandlers } from './resource-metadata.js';

/**
 * Mounts the endpoint and the metadata of its authorization: after everything that `main.ts` added (CORS,
 * helmet, middleware), and before Nest's body parser, which would answer malformed and large messages
 * differently.
 *
 * Nest calls the adapter's `init()` at exactly that point of `app.init()`. There is no hook for it, so the
 * method is wrapped. `test/endpoint.spec.ts` fails if the order changes.
 */
export class EndpointMount extends Mount {
  readonly place: string;
  private readonly endpoint: McpEndpoint;
  private readonly handlers: readonly [endpoint: MountedHandler, ...documents: MountedHandler[]];
  private scopes: readonly string[] = [];

  constructor(options: ResolvedMcpOptions, application: HostApplication, watches: CallWatches) {
    super();
    this.place = options.endpoint;
    const endpoint = (this.endpoint = new McpEndpoint(options, watches));
    this.handlers = [
      {
        path: options.endpoint,
        handle: (request, response, body) => endpoint.handle(request, response, body),
      },
      ...metadataHandlers(options, () => this.scopes),
    ];
    application.onAdapter((adapter) => this.mountAfterInit(adapter));
  }

  /** Opens the endpoint for clients. Before that it answers that the server is not initialized. */
  async open(operations: Operations): Promise<void> {
    this.scopes = operations.scopes;
    await this.endpoint.open(operations);
  }

  get openSessions(): number {
    return this.endpoint.openSessions;
  }

  override get sessions(): PanelSessions {
    return this.endpoint.sessions?.overview ?? super.sessions;
  }

  override endSession(key: string): boolean {
    return this.endpoint.sessions?.endByKey(key) ?? false;
  }

  resourceUpdated(uri: string): void {
    this.endpoint.resourceUpdated(uri);
  }

  onModuleDestroy(): Promise<void> {
    return this.endpoint.close();
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
    const express = adapter.getInstance<ExpressApplication>();
    const [endpoint, ...documents] = this.handlers;
    express.all(endpoint.path, (request, response) => endpoint.handle(request, response));
    openShortcut(adapter, endpoint);
    for (const { path, handle } of documents) express.all(path, handle);
  }

  private async mountOnFastify(fastify: FastifyApplication): Promise<void> {
    await fastify.register((scope, _options, done) => {
      // The endpoint reads the body itself, with a separate limit, from the stream that hooks may have
      // replaced.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (request, payload, parsed) => {
        request[PAYLOAD] = payload;
        parsed(null);
      });
      for (const { path, handle } of this.handlers) {
        scope.route({
          method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'],
          url: path,
          exposeHeadRoute: false,
          handler: (request, reply) => takeOver(request, reply, handle),
          // Fastify refuses a malformed media type before the handler; this lets the endpoint answer
          // instead.
          errorHandler: (_error, request, reply) => takeOver(request, reply, handle),
        });
      }
      done();
    });
  }
}

/**
 * Key of a request's body stream. A WeakMap entry per request would triple the work of the garbage
 * collector.
 */
const PAYLOAD = Symbol('fledge:payload');

function takeOver(
  request: FastifyRequest,
  reply: FastifyReply,
  handle: MountedHandler['handle'],
): void {
  reply.hijack();
  // Copies the headers that hooks set on the reply (CORS, helmet), which would otherwise be lost.
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  handle(request.raw, reply.raw, { payload: request[PAYLOAD], request });
}

// Only the methods used here: this package depends on neither platform.

interface FastifyApplication {
  register(
    plugin: (scope: FastifyScope, options: unknown, done: () => void) => void,
  ): PromiseLike<unknown>;
}

interface FastifyScope {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    parser: (request: FastifyRequest, payload: Readable, done: (error: null) => void) => void,
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
  [PAYLOAD]?: Readable;
  readonly raw: IncomingMessage;
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

interface FastifyReply {
  readonly raw: ServerResponse;
  hijack(): void;
  getHeaders(): Record<string, string | number | string[] | undefined>;
}
