import { tracingChannel } from 'node:diagnostics_channel';
import type { RequestListener, Server } from 'node:http';
import { VersioningType } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { hasHooks } from './adapter-hooks.js';
import { withPathsOf } from './fastify-copies.js';
import { fastifyInternal, type FastifyMiddleware, middlewareOfFastify } from './fastify-symbols.js';
import { isOwn } from './own-middleware.js';

// The parts of Fastify used here: this package does not depend on Fastify.

/** A Fastify application. */
export interface FastifyInstance {
  readonly routing: RequestListener;
  readonly log: Readonly<Record<'info' | 'error' | 'level', unknown>>;
}

/** A route as the application's plugins leave it: they may give it hooks, or another handler. */
export type FastifyRoute = Readonly<Record<string, unknown>>;

/** Where Fastify meets an endpoint. */
export interface FastifyPlace {
  readonly path: string;
  /** The plugin that adds the endpoint, or the application. */
  readonly scope: unknown;
  /** Undefined for an endpoint that is middleware. */
  readonly route?: FastifyRoute | undefined;
}

/**
 * Returns a function that is true while on Fastify only idle hooks of Nest's adapter would run before an endpoint.
 * Call it when Fastify takes no more hooks: in `onReady`.
 */
export function idleOnFastify(adapter: AbstractHttpAdapter, place: FastifyPlace): () => boolean {
  const { scope, path, route = {} } = place;
  const all = middlewareOfFastify(scope) ?? [['/']];
  const application = middlewareOfFastify(adapter.getInstance()) ?? [];
  const before = withPathsOf(application, all).filter(
    (each) => !isElsewhere(each, path) && !isOwn(each[0]),
  );
  const expected = place.route === undefined ? isAtPath(before, path) : before.length === 0;
  if (
    !expected ||
    !isPlain(adapter, place.route === undefined) ||
    !hasIdleHooksOnly(scope, route)
  ) {
    return () => false;
  }
  return freeCheck(adapter, all);
}

/** True until the application sets a hook of the adapter, adds middleware, or begins to close. */
function freeCheck(adapter: AdapterHooks, middleware: readonly FastifyMiddleware[]): () => boolean {
  const known = middleware.length;
  const server = adapter.getHttpServer() as Server;
  const handlers = tracingChannel('fastify.request.handler');
  return () =>
    middleware.length === known &&
    !hasHooks(adapter) &&
    adapter.corsHook === undefined &&
    adapter.securityHook === undefined &&
    adapter.isShuttingDown !== true &&
    server.listening &&
    !handlers.hasSubscribers;
}

/** No option of the application takes part in a request before its route, and nothing is logged. */
function isPlain(adapter: AdapterHooks, seesRequests: boolean): boolean {
  const fastify = adapter.getInstance<FastifyInstance>();
  const options = fastifyInternal<FastifyOptions>(fastify, 'fastify.options');
  const constraints = Object.values(options?.routerOptions?.constraints ?? { unknown: true });
  return (
    options !== undefined &&
    REQUEST_OPTIONS.every((name) => !options[name]) &&
    !(seesRequests && (options.trustProxy || options.requestIdHeader)) &&
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
function hasIdleHooksOnly(scope: unknown, route: FastifyRoute): boolean {
  const hooks = fastifyInternal<Readonly<Record<string, unknown>>>(scope, 'fastify.hooks');
  return REQUEST_HOOKS.every((name) => {
    const common = hooks?.[name];
    return (
      route[name] === undefined &&
      Array.isArray(common) &&
      common.every((hook) => isOwn(hook) || IDLE_HOOK.test(String(hook)))
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

/** Whether middleware has a path, without patterns, that the endpoint's does not begin with. */
function isElsewhere([path]: FastifyMiddleware, endpoint: string): boolean {
  return (
    typeof path === 'string' &&
    /^\/[\w/.-]+$/.test(path) &&
    !endpoint.toLowerCase().startsWith(path.toLowerCase().replace(/\/+$/, ''))
  );
}

/** Whether the only middleware is that of an endpoint. */
function isAtPath(before: readonly FastifyMiddleware[], path: string): boolean {
  return before.length === 1 && before[0]?.[0] === path;
}

type FastifyOptions = Readonly<Partial<Record<(typeof REQUEST_OPTIONS)[number], unknown>>> & {
  readonly trustProxy?: unknown;
  readonly requestIdHeader?: unknown;
  readonly routerOptions?: { readonly constraints?: object };
};

/** The properties in which `FastifyAdapter` stores what its hooks run. */
type AdapterHooks = AbstractHttpAdapter & {
  readonly corsHook?: unknown;
  readonly securityHook?: unknown;
  readonly isShuttingDown?: boolean;
  readonly versioningOptions?: { readonly type: VersioningType };
  readonly versionConstraint?: unknown;
};
