import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { hasHooks } from '../nest/adapter-hooks.js';
import { dresserOf, type ExpressDress } from './express-dress.js';
import {
  type ExpressHandler,
  type ExpressLayer,
  layersOf,
  mayRunFor,
  runsHooks,
} from '../nest/express-layers.js';
import type { MiddlewareEndpoint } from './middleware-endpoint.js';
import { isNestParser } from '../nest/nest-parsers.js';
import { isOwn } from '../nest/own-middleware.js';
import { openShortcut, type RequestListener } from './shortcut.js';

/** An application of Express. */
type ExpressApplication = RequestListener & ExpressDress;

/** Opens the shortcut of an endpoint of Express, if only body parsers run before it. */
export function openForExpress(adapter: AbstractHttpAdapter, endpoint: MiddlewareEndpoint): void {
  const express = adapter.getInstance<ExpressApplication>();
  const stack = layersOf(adapter);
  const place = stack.findIndex((layer) => mayServe(layer, endpoint.path));
  const before = stack.slice(0, Math.max(place, 0)).filter((each) => runsFor(each, endpoint.path));
  const parsers = before.filter(isParser).map(({ handle }) => handle);
  const dress = dresserOf(express, !parsers.every(isNestParser));
  const run = chainOf([...parsers, endpoint.open as ExpressHandler]);
  const isIdle = before.every((each) => runsHooks(each) || isParser(each) || isOwn(each.handle));
  // A second layer that may serve the path may be the application's middleware, or a route of its own.
  const others = stack.slice(place + 1).filter((layer) => mayServe(layer, endpoint.path));
  if (place < 0 || !isIdle || others.length > 0) return;
  const own = stack[place];
  const isFree = (request: IncomingMessage) =>
    stack[place] === own && !hasHooks(adapter) && endpoint.takes(request);
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    dress(request, response);
    (request as IncomingMessage & { route?: unknown }).route = own?.route;
    run(request, response, (error) => {
      if (isError(error)) endpoint.refuse(error, request, response);
      else endpoint.serve(request, response);
    });
  };
  const { path } = endpoint;
  openShortcut(adapter.getHttpServer() as Server, express, [{ path, isFree, handle }]);
}

/** Whether a layer is a route that takes POST requests for a path. Middleware of `consumer.apply()` is one. */
function mayServe(layer: ExpressLayer, path: string): boolean {
  const methods = layer.route?.methods;
  return methods !== undefined && !!(methods['post'] || methods['_all']) && mayRunFor(layer, path);
}

/** Whether a layer runs for requests of a path that have no error. A function of four parameters handles errors. */
function runsFor(layer: ExpressLayer, path: string): boolean {
  return layer.route === undefined && layer.handle.length < 4 && mayRunFor(layer, path);
}

/** The body parsers that Nest adds, or the application instead. Nest tells them by these names too. */
function isParser({ handle }: ExpressLayer): boolean {
  return handle.name === 'jsonParser' || handle.name === 'urlencodedParser';
}

/** A handler that runs others one after the other, until one fails. */
function chainOf(handlers: readonly ExpressHandler[]): ExpressHandler {
  return handlers.reduce((first, second) => (request, response, next) => {
    first(request, response, (error) => {
      if (isError(error)) next(error);
      else second(request, response, next);
    });
  });
}

/** Whether a handler gave an error to `next`. */
function isError(error: unknown): boolean {
  return error !== undefined && error !== null;
}
