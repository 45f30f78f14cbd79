import type { ExecutionContext } from '@nestjs/common';
import { CLS_CTX, CLS_REQ, ClsServiceManager, type ClsStore } from 'nestjs-cls';
import { NoRequestContextError } from '../errors.js';
import type { ContextRequest, ContextResponse } from './platform.js';
import { type ContextState, RequestContext, TENANT_SCOPE } from './request-context.js';
import type { ProviderLookup } from './shared-methods.js';
import { isStoreOf, type StoreMap } from './store-maps.js';

/**
 * The context of one request. Exists as soon as the request arrives. It is stored on the request, and
 * in the cls store that serves the request.
 */
export class OpenContext extends RequestContext {
  /** Context decorators that ran, or are running, for this request. */
  contributed: Map<object, Promise<void>> | undefined;
  /** The cls store that last served the request. */
  store: ClsStore | undefined;
  override readonly state: {
    req: ContextRequest;
    res: ContextResponse;
    readonly values: Map<string, unknown>;
    readonly kept: Map<symbol, unknown>;
    readonly provided: ProviderLookup;
  };

  constructor(
    req: ContextRequest,
    res: ContextResponse,
    provided: ProviderLookup = () => undefined,
  ) {
    super();
    this.state = { req, res, values: new Map(), kept: new Map(), provided };
    (req as OpenedRequest)[OPENED] = this;
  }

  /** On Fastify, middleware receives Node's request. Later steps receive Fastify's own request. */
  attach(req: ContextRequest, res: ContextResponse): void {
    this.state.req = req;
    this.state.res = res;
  }
}

export function openContextOf(req: OpenedRequest | undefined): OpenContext | undefined {
  return req?.[OPENED] ?? (req?.raw as OpenedRequest | undefined)?.[OPENED];
}

/**
 * The context is stored on the request, so it stays available if another initializer of nestjs-cls
 * replaces the cls store. A WeakMap with requests as keys would cost the garbage collector 10 µs
 * for each request.
 */
const OPENED = Symbol('fledge:OpenContext');

type OpenedRequest = ContextRequest & { [OPENED]?: OpenContext };

/**
 * Returns the context of the request for which a guard, an interceptor or a parameter decorator
 * runs. Supports HTTP handlers and GraphQL resolvers. Returns undefined for messages and sockets,
 * because these are not requests.
 */
export function contextOfExecution(execution: ExecutionContext): OpenContext | undefined {
  switch (execution.getType<'http' | 'graphql' | 'rpc' | 'ws'>()) {
    case 'http': {
      const req = execution.getArgByIndex<ContextRequest>(0);
      const context = openContextOf(req);
      if (context && context.state.req !== req) context.attach(req, execution.getArgByIndex(1));
      return context;
    }
    case 'graphql':
      return contextOfResolver(execution.getArgByIndex<GraphqlContext | undefined>(2));
    default:
      return undefined;
  }
}

/**
 * The context that drivers pass to resolvers: `{ req, res }` of Apollo (`reply` on Fastify), or `{
 * ctx }` of Fledge.
 */
interface GraphqlContext {
  readonly ctx?: unknown;
  readonly req?: ContextRequest;
  readonly res?: ContextResponse;
  readonly reply?: ContextResponse;
}

function contextOfResolver(graphql: GraphqlContext | undefined): OpenContext | undefined {
  if (graphql?.ctx instanceof OpenContext) return graphql.ctx;
  const context = openContextOf(graphql?.req);
  if (context && graphql?.req && context.state.req !== graphql.req) {
    context.attach(graphql.req, graphql.reply ?? graphql.res ?? context.state.res);
  }
  return context;
}

/**
 * Uses the cls store that the application opened for the request. If there is no such store, the
 * rest of the request runs in a new store. If the current store belongs to no request, such as the
 * store of `cls.run()` in `main.ts`, the new store has its values. `enterWith` is not used, because
 * the next request of a keep-alive connection would run in the same store.
 */
export function openRequestContext(context: OpenContext, next: () => void): void {
  const active = cls.get<Store | undefined>();
  if (active !== undefined && belongsTo(active, context.state.req)) {
    active[CONTEXT] = context;
    context.store = active;
    return next();
  }
  if (active === undefined || isOwned(active)) return enterContext(context, next);
  const store: Store = { ...active, [CONTEXT]: context };
  context.store = store;
  cls.runWith(store, next);
}

/**
 * Returns true if the current code runs for a request. If false, a callback of a shared connection
 * has moved the request into the context of another request. Use `enterOwnContext()` to return.
 * This function runs before each handler, so it must be fast.
 */
export function isInOwnContext(req: ContextRequest): boolean {
  const context = openContextOf(req);
  const store = cls.get<Store | undefined>();
  if (context === undefined) return store === undefined || !isOfAnother(store, req);
  if (store === context.store) return true;
  if (store === undefined || contextIn(store) !== context) return false;
  // A nested store of the same request, such as a store of nestjs-cls middleware or of a tenant
  // scope.
  context.store = store;
  return true;
}

/**
 * Runs a function in the store that last served the request. If the request's context is not open
 * yet, runs the function outside every store. This happens before Nest's middleware.
 */
export function enterOwnContext<T>(req: ContextRequest, run: () => T): T {
  const store = openContextOf(req)?.store;
  return store === undefined ? cls.exit(run) : cls.runWith(store, run);
}

/**
 * Returns the context of the current request, or undefined outside a request. Only for code that
 * cannot use dependency injection. Other code should inject `RequestContext`.
 */
export function currentRequestContext(): RequestContext | undefined {
  return currentContext();
}

/** Returns the context that was opened for a request of Node or of a platform, or undefined. */
export function contextOfRequest(request: object): RequestContext | undefined {
  return openContextOf(request as ContextRequest);
}

/** Runs a function inside a context, in a new cls store. */
export function enterContext<T>(context: OpenContext, run: () => T): T {
  const store: Store = { [CONTEXT]: context };
  context.store = store;
  return cls.runWith(store, run);
}

/**
 * Runs a function in a copy of the cls store that belongs to no request and to no tenant. A request
 * that starts there keeps the other values, such as a transaction, and finds its own tenant.
 */
export function withoutOwner<T>(run: () => T): T {
  const store = { ...cls.get<Store | undefined>() };
  for (const owner of OWNERS) delete store[owner];
  return cls.runWith(store, run);
}

/**
 * Middleware for applications that use nestjs-cls. It runs after the context's middleware. Because
 * of this middleware, the guard and the interceptor of nestjs-cls keep the request's store and do
 * not open another one. Other applications do not mount this middleware, because adding requests to
 * a WeakMap takes time.
 */
export function shareClsStore(
  map: StoreMap,
): (req: ContextRequest, res: ContextResponse, next: () => void) => void {
  return (req, _res, next) => {
    map.setByRaw(req, cls.get());
    next();
  };
}

/** Returns undefined outside a request. */
export function currentContext(): OpenContext | undefined {
  const store = cls.get<Store | undefined>();
  return store && contextIn(store);
}

/** Finds the current request each time it is used. */
export class CurrentRequestContext extends RequestContext {
  protected override get state(): ContextState {
    const context = currentContext();
    if (context === undefined) throw new NoRequestContextError();
    return context.state;
  }
}

interface Store extends ClsStore {
  [CONTEXT]?: OpenContext;
  [CLS_REQ]?: ContextRequest;
  [CLS_CTX]?: ExecutionContext;
  [TENANT_SCOPE]?: unknown;
}

const CONTEXT = Symbol('fledge:RequestContext');
/** The keys of a store that belongs to a request, a message or a tenant scope. */
const OWNERS = [CONTEXT, CLS_REQ, CLS_CTX, TENANT_SCOPE] as const;
const cls = ClsServiceManager.getClsService();

function belongsTo(store: Store, req: ContextRequest): boolean {
  return store[CLS_REQ] === req || isStoreOf(req, store);
}

/** Call this only if the context of the request is not open. */
function isOfAnother(store: Store, req: ContextRequest): boolean {
  return isOwned(store) && !belongsTo(store, req) && !(req.raw && belongsTo(store, req.raw));
}

function isOwned(store: Store): boolean {
  return OWNERS.some((owner) => store[owner] !== undefined);
}

function contextIn(store: Store): OpenContext | undefined {
  return store[CONTEXT] ?? recoveredContext(store);
}

/**
 * Finds the context for an empty store that nestjs-cls opened. Such stores come from the guard of
 * nestjs-cls for resolvers, and from its middleware with `useEnterWith`.
 */
function recoveredContext(store: Store): OpenContext | undefined {
  const execution = store[CLS_CTX];
  const context = openContextOf(store[CLS_REQ]) ?? (execution && contextOfExecution(execution));
  if (context) store[CONTEXT] = context;
  return context;
}
