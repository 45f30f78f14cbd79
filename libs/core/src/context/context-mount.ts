import { Injectable } from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { enterOwnContext, isInOwnContext, shareClsStore } from './open-context.js';
import { inOwnContext, inOwnContextOfSecond } from './bind-callbacks.js';
import type { ContextRequest } from './platform.js';
import { RequestContexts } from './request-contexts.js';
import { storeMapsOf } from './store-maps.js';
import { bindFastify, bindMiddie, type FastifyApplication } from './bind-fastify.js';
import { METHODS } from 'node:http';

@Injectable()
export class ContextMount {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly modules: ModulesContainer,
    private readonly contexts: RequestContexts,
  ) {
    // Microservices have no adapter. Applications of a testing module get their adapter later.
    const adapter = host.httpAdapter as AbstractHttpAdapter | null | undefined;
    if (adapter) bindHandlers(adapter);
    // The first versions of NestJS 11 have no `init$`.
    else (host as Partial<HttpAdapterHost>).init$?.subscribe(() => bindHandlers(host.httpAdapter));
  }

  /**
   * Call this after `main.ts` has run and before the routes are registered. The middleware is added
   * with `use` of the adapter, so it runs for every request, also for unknown and excluded paths.
   * On Express, middleware of `consumer.apply()` does not run for every request.
   */
  mount(): void {
    const { httpAdapter } = this.host;
    bindHandlers(httpAdapter);
    // This function must have three parameters. Express treats a function with four parameters as
    // an error handler.
    httpAdapter.use(this.contexts.serve.bind(this.contexts));
    const modules = [...this.modules.values()].map(({ metatype }) => metatype);
    for (const map of storeMapsOf(modules)) httpAdapter.use(shareClsStore(map));
  }
}

/** Not imported, because this package does not depend on Express. */
type ExpressApplication = Record<string, ((...args: unknown[]) => unknown) | undefined>;

/**
 * Middleware, routes, mounts and error handlers that are added later run in the context of their
 * request. Nest's adapter and its middleware modules use these methods.
 */
function bindExpress(express: ExpressApplication): void {
  for (const method of ['use', 'all', ...METHODS.map((name) => name.toLowerCase())]) {
    const add = express[method];
    // `bind` is the name of an HTTP method too.
    if (add === undefined || !Object.hasOwn(express, method)) continue;
    express[method] = function (this: unknown, ...args) {
      return add.apply(this, args.map(bound));
    };
  }
}

/** Returns paths and settings unchanged. */
function bound(argument: unknown): unknown {
  if (Array.isArray(argument)) return argument.map(bound);
  if (typeof argument !== 'function') return argument;
  // Routers and applications must not be wrapped, because Express recognizes them by their
  // properties.
  if ('handle' in argument) return [enter, argument];
  return argument.length > 3 ? inOwnContextOfSecond(argument) : inOwnContext(argument);
}

/** Middleware that runs before a router. */
function enter(req: ContextRequest, _res: unknown, next: () => void): void {
  if (isInOwnContext(req)) next();
  else enterOwnContext(req, () => next());
}

const boundAdapters = new WeakSet<object>();

/**
 * Call this before `main.ts` continues. Several applications may share an adapter. An application
 * context has no adapter.
 */
function bindHandlers(adapter: AbstractHttpAdapter | null): void {
  if (adapter === null || boundAdapters.has(adapter)) return;
  boundAdapters.add(adapter);
  switch (adapter.getType()) {
    case 'express':
      return bindExpress(adapter.getInstance<ExpressApplication>());
    case 'fastify':
      bindFastify(adapter.getInstance<FastifyApplication>());
      return bindMiddie(adapter);
  }
}
