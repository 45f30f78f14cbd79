import { tracingChannel } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { VersioningType } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { fastifyInternal } from '../routes/fastify-internals.js';
import { type MountedHandler, openShortcut, type RequestListener } from './shortcut.js';

// The parts of Fastify used here: this package does not depend on Fastify.

interface FastifyInstance {
  readonly routing: RequestListener;
  readonly log: Readonly<Record<'info' | 'error' | 'level', unknown>>;
}

/** The scope of a plugin. */
export interface FastifyScope {
  addHook(name: 'onReady', hook: (done: () => void) => void): void;
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): void;
}

/** A route as the application's plugins leave it: they may give it hooks, or another handler. */
type FastifyRoute = Readonly<Record<string, unknown>>;

/** An endpoint, and the handler of its route in Fastify. */
export type FastifyEndpoint = MountedHandler & { readonly routeHandler: unknown };

/**
 * Passes requests from the server directly to their endpoint, while on Fastify only idle hooks of Nest's
 * adapter would run before it. Fastify's request, reply and hooks cost more than the endpoint's own work.
 * @param scope to which the routes of the endpoints will be added
 */
export function openFastifyShortcut(
  adapter: AbstractHttpAdapter,
  scope: FastifyScope,
  endpoints: readonly FastifyEndpoint[],
): void {
  const fastify = adapter.getInstance<FastifyInstance>();
  const server = adapter.getHttpServer() as Server;
  const routes: FastifyRoute[] = [];
  scope.addHook('onRoute', (route) => void routes.push(route));
  const shortcuts = endpoints.map((endpoint) => ({ ...endpoint, isFree: (): boolean => false }));
  // From then on Fastify takes no more hooks.
  scope.addHook('onReady', (done) => {
    const middleware = middlewareOf(scope);
    const isFree = freeCheck(adapter, server, middleware);
    for (const shortcut of isPlain(adapter, fastify) ? shortcuts : []) {
      const route = routes.find((each) => each['handler'] === shortcut.routeHandler);
      if (
        route !== undefined &&
        hasIdleHooksOnly(scope, route) &&
        middleware.every(([path]) => isElsewhere(path, shortcut.path))
      ) {
        shortcut.isFree = isFree;
      }
    }
    done();
  });
  openShortcut(server, fastify.routing, shortcuts);
}

/** True until the application sets a hook of the adapter, adds middleware, or begins to close. */
function freeCheck(
  adapter: AdapterHooks,
  server: Server,
  middleware: readonly Middleware[],
): () => boolean {
  const known = middleware.length;
  const handlers = tracingChannel('fastify.request.handler');
  return () =>
    middleware.length === known &&
    adapter.onRequestHook === undefined &&
    adapter.onResponseHook === undefined &&
    adapter.corsHook === undefined &&
    adapter.securityHook === undefined &&
    adapter.isShuttingDown !== true &&
    server.listening &&
    !handlers.hasSubscribers;
}

/** No option of the application takes part in a request before its route, and nothing is logged. */
function isPlain(adapter: AdapterHooks, fastify: FastifyInstance): boolean {
  const options = fastifyInternal<FastifyOptions>(fastify, 'fastify.options');
  const constraints = Object.values(options?.routerOptions?.constraints ?? { unknown: true });
  return (
    options !== undefined &&
    REQUEST_OPTIONS.every((name) => !options[name]) &&
    constraints.every((constraint) => constraint === adapter.versionConstraint) &&
    adapter.versioningOptions?.type !== VersioningType.CUSTOM &&
    isSilent(fastify)
  );
}

/** Options with which the application sees a request, or Fastify keeps track of it. */
const REQUEST_OPTIONS = [
  'rewriteUrl',
  'genReqId',
  'logController',
  'childLoggerFactory',
  'serverFactory',
  'handlerTimeout',
  'forceCloseConnections',
] as const;

/** Without a logger, Fastify has one empty function for all levels, and no level to change. */
function isSilent({ log }: FastifyInstance): boolean {
  return log.info === log.error && log.level === undefined;
}

/** Whether a request to the endpoint passes only hooks of Nest's adapter, and middie. */
function hasIdleHooksOnly(scope: FastifyScope, route: FastifyRoute): boolean {
  const hooks = fastifyInternal<Readonly<Record<string, unknown>>>(scope, 'fastify.hooks');
  return REQUEST_HOOKS.every((name) => {
    const common = hooks?.[name];
    return (
      route[name] === undefined &&
      Array.isArray(common) &&
      common.every((hook) => IDLE_HOOK.test(String(hook)))
    );
  });
}

const REQUEST_HOOKS = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'onSend',
  'onResponse',
  'onError',
  'onTimeout',
  'onRequestAbort',
];

/**
 * Identifies the adapter's hooks by their source text, since they have no other mark. If a text is unknown,
 * the shortcut is not used. Each does nothing while `freeCheck` is true, or for a path without a version.
 */
const IDLE_HOOK =
  /this\.(?:on(?:Request|Response)Hook|isShuttingDown|corsHook|securityHook|isRoutableRequestTarget|versionExtractorErrors)\b|^function runMiddie\b/;

/** What middie keeps of `use(path, middleware)`, or of `use(middleware)`. */
type Middleware = readonly [pathOrMiddleware: unknown, middleware?: unknown];

/** The middleware that runs in a scope. One of every path where it cannot be read. */
function middlewareOf(scope: FastifyScope): readonly Middleware[] {
  return fastifyInternal(scope, 'fastify-middie-middlewares') ?? [['/']];
}

/** Whether middleware has a path, without patterns, that the endpoint's does not begin with. */
function isElsewhere(path: unknown, endpoint: string): boolean {
  return (
    typeof path === 'string' &&
    /^\/[\w/.-]+$/.test(path) &&
    !endpoint.toLowerCase().startsWith(path.toLowerCase().replace(/\/+$/, ''))
  );
}

type FastifyOptions = Readonly<Partial<Record<(typeof REQUEST_OPTIONS)[number], unknown>>> & {
  readonly routerOptions?: { readonly constraints?: object };
};

/** The properties in which `FastifyAdapter` stores what its hooks run. */
type AdapterHooks = AbstractHttpAdapter & {
  readonly onRequestHook?: unknown;
  readonly onResponseHook?: unknown;
  readonly corsHook?: unknown;
  readonly securityHook?: unknown;
  readonly isShuttingDown?: boolean;
  readonly versioningOptions?: { readonly type: VersioningType };
  readonly versionConstraint?: unknown;
};
