import type { AbstractHttpAdapter } from '@nestjs/core';
import { enterOwnContext, isInOwnContext } from './cls-store.js';
import { inOwnContextOfSecond, inOwnContext } from './cls-store.js';
import type { ContextRequest } from './platform.js';

/** The parts of Fastify used here: this package does not depend on Fastify. */
export interface FastifyApplication {
  addHook(name: string, hook: unknown): unknown;
  setErrorHandler(handler: object | undefined): unknown;
  setNotFoundHandler(...args: unknown[]): unknown;
}

/**
 * Makes what is added to an application of Fastify from now on run in the context of its request: hooks, routes,
 * and handlers of errors and unknown paths. Plugins inherit these methods.
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
  });
}

/** The same for middleware, which Nest's adapter passes on to middie. */
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
  handler: Handler;
  errorHandler?: object;
  /** Of @fastify/websocket, as is `wsHandler`. */
  readonly websocket?: boolean;
  wsHandler?: object;
}

type Handler = (this: unknown, first: object, second: unknown) => unknown;

/** The plugin for WebSockets passes the socket and the request, or the request and the reply if it is older than us. */
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
 * Hooks in front of each hook of the application, which leave it as it is: Fastify tells hooks with a callback from
 * those with a promise by their parameters.
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
