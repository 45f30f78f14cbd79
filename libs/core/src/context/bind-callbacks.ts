import { ClsServiceManager, type ClsStore } from 'nestjs-cls';
import { enterOwnContext, isInOwnContext } from './open-context.js';
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

/**
 * Runs the listeners of a request or response in the current cls store. Node emits `finish`,
 * `close` and `drain` from the socket, and several requests share a socket. Without this function,
 * listeners would run in the store of an earlier request, or without a store.
 */
export function bindEvents(emitter: object): void {
  const store = cls.get<ClsStore | undefined>();
  const bound = emitter as BoundEmitter;
  if (store === undefined || bound.emit === undefined) return;
  bound[STORE] = store;
  shadowEmit(shared(emitter) ?? bound);
}

/**
 * Returns the prototype of all requests or responses of one Express application. Overriding `emit`
 * on this prototype costs half as much as on each request. Returns undefined if the prototype
 * belongs to a class, because other servers and clients share a class. Also returns undefined if
 * `emit` was already replaced on the request.
 */
function shared(emitter: object): BoundEmitter | undefined {
  const prototype = Object.getPrototypeOf(emitter) as BoundEmitter;
  const own = Object.hasOwn(prototype, 'constructor') || Object.hasOwn(emitter, 'emit');
  return own ? undefined : prototype;
}

interface BoundEmitter {
  [STORE]?: ClsStore;
  [EMIT]: Emit;
  /** Undefined on the request and response of a socket operation, because these emit no events. */
  emit?: Emit;
  listenerCount(name: string | symbol): number;
}

type Emit = (this: unknown, name: string | symbol, ...values: unknown[]) => boolean;

const STORE = Symbol('fledge:store-of-events');
const EMIT = Symbol('fledge:emit-of-events');
const cls = ClsServiceManager.getClsService();

/** Does nothing if `emit` is already overridden, for example in a mounted Express application. */
function shadowEmit(target: BoundEmitter): void {
  if (target.emit === undefined || target.emit === emitInStore) return;
  target[EMIT] = target.emit;
  // One shared function, because V8 optimizes its call sites. A closure for each request would
  // prevent that.
  target.emit = emitInStore;
}

function emitInStore(this: unknown, name: string | symbol, ...values: unknown[]): boolean {
  const bound = this as BoundEmitter;
  const store = bound[STORE];
  // Most events have no listener. Most of the other events already run in the right store.
  if (store === undefined || cls.get() === store || bound.listenerCount(name) === 0) {
    return values.length === 0 ? bound[EMIT](name) : bound[EMIT](name, ...values);
  }
  return cls.runWith(store, () => bound[EMIT](name, ...values));
}
