import { enterOwnContext, isInOwnContext } from './cls-store.js';
import type { ContextRequest } from './platform.js';

/**
 * Wraps a middleware or a route handler of Express or Fastify, so that it always runs in the
 * context of its request. A middleware may continue in the callback of a connection that requests
 * share. Node runs this callback in the context of the request that opened the connection.
 */
export function inOwnContext<T extends object>(handler: T): T {
  if (bound.has(handler)) return handler;
  const run = handler as RequestHandler;
  return known(run, function (req, res, next) {
    return isInOwnContext(req)
      ? run.call(this, req, res, next)
      : enterOwnContext(req, () => run.call(this, req, res, next));
  }) as T;
}

/**
 * Wraps a handler whose second parameter is the request: an error handler or a WebSocket handler.
 * The result has four parameters. Express recognizes error handlers by this number.
 */
export function inOwnContextOfSecond<T extends object>(handler: T): T {
  if (bound.has(handler)) return handler;
  const run = handler as HandlerOfSecond;
  return known(run, function (first, req, res, next) {
    return isInOwnContext(req)
      ? run.call(this, first, req, res, next)
      : enterOwnContext(req, () => run.call(this, first, req, res, next));
  }) as T;
}

const bound = new WeakSet<object>();

/**
 * The name and the metadata are copied. Nest and tracers find middleware by name, and routes by the
 * metadata of handlers.
 */
function known<T extends Function>(original: T, handler: T): T {
  bound.add(handler);
  for (const key of Reflect.getMetadataKeys(original) as string[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, original), handler);
  }
  return Object.defineProperty(handler, 'name', { value: original.name });
}

type RequestHandler = (this: unknown, req: ContextRequest, res: unknown, next: unknown) => unknown;
type HandlerOfSecond = (
  this: unknown,
  first: unknown,
  req: ContextRequest,
  res: unknown,
  next: unknown,
) => unknown;
