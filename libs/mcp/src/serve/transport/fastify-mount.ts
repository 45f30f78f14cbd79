import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { NOT_JSON, refusalJson } from '../protocol/refusals.js';
import type { MountedHandler, MountedHandlers } from './body-reader.js';

/**
 * Adds the endpoints and their metadata documents as routes of a Fastify plugin. Hooks of the
 * application also run for these routes.
 */
export async function mountOnFastify(
  adapter: AbstractHttpAdapter,
  { endpoints, documents }: MountedHandlers,
): Promise<void> {
  const application = adapter.getInstance<FastifyApplication>();
  await application.register((scope, _options, done) => {
    // The endpoints read the body themselves, because they have their own size limit. The endpoints
    // read the stream that Fastify passes here, because a hook may have replaced the original
    // stream.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, payload, parsed) => {
      request[PAYLOAD] = payload;
      parsed(null);
    });
    for (const mounted of [...endpoints, ...documents]) {
      const route = routeOf(mounted, application);
      scope.route(route);
      // The path with a trailing slash must also work, as with Express. If that path returned 404,
      // clients would assume that the session has ended.
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

function routeOf({ path, handle }: MountedHandler, application: FastifyApplication): RouteOptions {
  return {
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'],
    url: path,
    exposeHeadRoute: false,
    handler: (request, reply) => takeOver(request, reply, handle),
    errorHandler(error, request, reply) {
      // Fastify rejects a malformed media type before all hooks have run.
      if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
        return reply.code(NOT_JSON.status).type('application/json').send(refusalJson(NOT_JSON));
      // An error of a hook. It passes the exception filters, as on other routes.
      return application.errorHandler(error, request, reply);
    },
  };
}

/** Contains the body stream. A WeakMap would triple the work of the garbage collector. */
const PAYLOAD = Symbol('fledge:payload');

function takeOver(
  request: FastifyRequest,
  reply: FastifyReply,
  handle: MountedHandler['handle'],
): void {
  reply.hijack();
  // Hooks set headers on Fastify's reply, for example for CORS. Without this loop, these headers
  // would be lost after `hijack()`.
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  handle(request.raw, reply.raw, { payload: request[PAYLOAD], request });
}

// The parts of Fastify that are used here. Fastify's types are not imported, because this package
// does not depend on Fastify.

interface FastifyApplication {
  readonly initialConfig: RouterOptions & { readonly routerOptions?: RouterOptions };
  /** The error handler of the application, which Nest sets. */
  readonly errorHandler: ErrorHandler;
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
  readonly errorHandler: ErrorHandler;
}

type ErrorHandler = (
  error: { readonly code?: unknown },
  request: FastifyRequest,
  reply: FastifyReply,
) => unknown;

interface FastifyRequest {
  [PAYLOAD]?: Readable;
  readonly raw: IncomingMessage;
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

interface FastifyReply {
  readonly raw: ServerResponse;
  hijack(): void;
  code(status: number): this;
  type(mediaType: string): this;
  send(payload: string): this;
  getHeaders(): Record<string, string | number | string[] | undefined>;
}
