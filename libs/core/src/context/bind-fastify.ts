import type { AbstractHttpAdapter } from '@nestjs/core';
import { enterOwnContext, isInOwnContext } from './open-context.js';
import { inOwnContextOfSecond, inOwnContext } from './bind-callbacks.js';
import type { ContextRequest } from './platform.js';

/** Not imported, because this package does not depend on Fastify. */
export interface FastifyApplication {
  addHook(name: string, hook: unknown): unknown;
  setErrorHandler(handler: object | undefined): unknown;
  setNotFoundHandler(...args: unknown[]): unknown;
}

/**
 * Changes a Fastify application. After this call, added hooks, routes, error handlers and not-found
 * handlers run in the context of their request. Plugins inherit these methods.
 */
export function bindFastify(fastify: FastifyApplication): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with their instance below
  const { addHook, setErrorHandler, setNotFoundHandler } = fastify;
  fastify.addHook = function (name, hook) {
    const enter = ENTER[name];
    if (enter !== undefined) addHook.call(this, name, enter);
    return addHook.call(this, name, hook);
  };
  fastify.setErrorHandler = function (handler) {
    return setErrorHandler.call(this, handler && inOwnContextOfSecond(handler));
  };
  fastify.setNotFoundHandler = function (...args) {
    return setNotFoundHandler.apply(this, args.map(bound));
  };
  fastify.addHook('onRoute', (route: Route) => {
    route.handler = (route.websocket ? socketInOwnContext : inOwnContext)(route.handler);
    if (route.errorHandler) route.errorHandler = inOwnContextOfSecond(route.errorHandler);
    if (route.wsHandler) route.wsHandler = inOwnContextOfSecond(route.wsHandler);
    for (const [name, enter] of Object.entries(ENTER)) {
      const hooks = route[name];
      if (hooks !== undefined) route[name] = [hooks].flat().flatMap((hook) => [enter, hook]);
    }
  });
}

/** Binds middleware to the context of its request. Nest's adapter passes middleware to middie. */
export function bindMiddie(adapter: AbstractHttpAdapter): void {
  const use = adapter.use.bind(adapter) as (...args: unknown[]) => unknown;
  adapter.use = (...args: unknown[]) => use(...args.map(bound));
  const createFactory = adapter.createMiddlewareFactory.bind(adapter);
  adapter.createMiddlewareFactory = async (method) => {
    const add = await createFactory(method);
    return (path, callback): unknown => add(path, bound(callback) as Function);
  };
}

interface Route {
  /** The hooks of the route, such as `preHandler`: one hook or an array. */
  [hook: string]: unknown;
  handler: Handler;
  errorHandler?: object;
  /** Set by @fastify/websocket, like `wsHandler`. */
  readonly websocket?: boolean;
  wsHandler?: object;
}

type Handler = (this: unknown, first: object, second: unknown) => unknown;

/** The plugin passes the socket and the request; older versions pass the request and the reply. */
function socketInOwnContext(handler: Handler): Handler {
  const ofSocket = inOwnContextOfSecond(handler);
  const ofRequest = inOwnContext(handler);
  return function (first, second) {
    return ('raw' in first ? ofRequest : ofSocket).call(this, first, second);
  };
}

function bound(argument: unknown): unknown {
  if (Array.isArray(argument)) return argument.map(bound);
  const isHandler = typeof argument === 'function' && argument.length <= 3;
  return isHandler ? inOwnContext(argument) : argument;
}

type Done = () => void;

function enter(req: ContextRequest, _reply: unknown, done: Done): void {
  if (isInOwnContext(req)) done();
  else enterOwnContext(req, () => done());
}

function enterWithPayload(req: ContextRequest, reply: unknown, _payload: unknown, done: Done) {
  enter(req, reply, done);
}

function enterAborted(req: ContextRequest, done: Done): void {
  enter(req, undefined, done);
}

/**
 * Adds one hook before each hook of the application. The application's hooks are not wrapped,
 * because Fastify counts their parameters to distinguish callback hooks from promise hooks.
 */
const ENTER: Readonly<Partial<Record<string, (...args: never[]) => void>>> = {
  onRequest: enter,
  preParsing: enterWithPayload,
  preValidation: enter,
  preHandler: enter,
  preSerialization: enterWithPayload,
  onError: enterWithPayload,
  onSend: enterWithPayload,
  onResponse: enter,
  onTimeout: enter,
  onRequestAbort: enterAborted,
};
