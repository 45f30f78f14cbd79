import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { MountedHandler, MountedHandlers } from './body-reader.js';

/**
 * Adds the endpoints and their documents as routes of a Fastify plugin, after the hooks of the
 * application.
 */
export async function mountOnFastify(
  adapter: AbstractHttpAdapter,
  { endpoints, documents }: MountedHandlers,
): Promise<void> {
  const application = adapter.getInstance<FastifyApplication>();
  await application.register((scope, _options, done) => {
    // The endpoints read the body themselves, with a separate limit, from the stream that hooks may
    // have replaced.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, payload, parsed) => {
      request[PAYLOAD] = payload;
      parsed(null);
    });
    for (const route of [...endpoints, ...documents].map(routeOf)) {
      scope.route(route);
      // As on Express, the path with a trailing slash also works. Otherwise a client with a session
      // would treat 404 as the end of its session.
      if (!ignoresTrailingSlash(application)) scope.route({ ...route, url: `${route.url}/` });
    }
    done();
  });
}

function ignoresTrailingSlash({ initialConfig }: FastifyApplication): boolean {
  return (
    initialConfig.ignoreTrailingSlash === true ||
    initialConfig.routerOptions?.ignoreTrailingSlash === true
  );
}

function routeOf({ path, handle }: MountedHandler): RouteOptions {
  return {
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'],
    url: path,
    exposeHeadRoute: false,
    handler: (request, reply) => takeOver(request, reply, handle),
    // Fastify rejects a malformed media type before the handler runs. This lets the endpoint
    // respond instead.
    errorHandler: (_error, request, reply) => takeOver(request, reply, handle),
  };
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
  // Copies the headers that hooks set on the reply (CORS, helmet), because they would otherwise be
  // lost.
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  handle(request.raw, reply.raw, { payload: request[PAYLOAD], request });
}

// The methods that are used here. Not imported, because this package depends on neither platform.

interface FastifyApplication {
  readonly initialConfig: RouterOptions & { readonly routerOptions?: RouterOptions };
  register(
    plugin: (scope: FastifyPlugin, options: unknown, done: () => void) => void,
  ): PromiseLike<unknown>;
}

interface RouterOptions {
  readonly ignoreTrailingSlash?: boolean;
}

interface FastifyPlugin {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    parser: (request: FastifyRequest, payload: Readable, done: (error: null) => void) => void,
  ): void;
  route(options: RouteOptions): void;
}

interface RouteOptions {
  readonly method: string[];
  readonly url: string;
  readonly exposeHeadRoute: boolean;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => void;
  readonly errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;
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
