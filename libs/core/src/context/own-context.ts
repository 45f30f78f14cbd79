import { enterOwnContext, isInOwnContext } from './current-context.js';
import type { ContextRequest } from './platform.js';

/**
 * Returns a middleware or a route's handler, of Express or Fastify, that runs in the context of its request,
 * whatever ran before it. A middleware may continue in the callback of a connection that requests share: Node calls
 * back in the context of the request that opened the connection.
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

/** The same for a handler of errors. It has four parameters, by which Express knows it. */
export function errorInOwnContext<T extends object>(handler: T): T {
  if (bound.has(handler)) return handler;
  const run = handler as ErrorHandler;
  return known(run, function (error, req, res, next) {
    return isInOwnContext(req)
      ? run.call(this, error, req, res, next)
      : enterOwnContext(req, () => run.call(this, error, req, res, next));
  }) as T;
}

const bound = new WeakSet<object>();

/** Nest and tracers find middleware by its name. */
function known<T extends Function>({ name }: T, handler: T): T {
  bound.add(handler);
  return Object.defineProperty(handler, 'name', { value: name });
}

type RequestHandler = (this: unknown, req: ContextRequest, res: unknown, next: unknown) => unknown;
type ErrorHandler = (
  this: unknown,
  error: unknown,
  req: ContextRequest,
  res: unknown,
  next: unknown,
) => unknown;
