import type { ExecutionContext } from '@nestjs/common';
import { CLS_CTX, CLS_REQ, ClsServiceManager, type ClsStore } from 'nestjs-cls';
import { NoRequestContextError } from '../errors.js';
import { contextOfExecution, type OpenContext, openContextOf } from './opened-context.js';
import type { ContextRequest, ContextResponse } from './platform.js';
import { type ContextState, RequestContext } from './request-context.js';
import { TENANT_SCOPE } from './request-tenant.js';
import { isStoreOf, type StoreMap } from './store-maps.js';

/**
 * Uses the cls store that the application opened for the request. If there is no such store, the
 * rest of the request runs in a new store. If the current store belongs to no request, such as the
 * store of `cls.run()` in `main.ts`, the new store has its values. `enterWith` is not used, because
 * the next request of a keep-alive connection would run in the same store.
 */
export function openRequestContext(context: OpenContext, next: () => void): void {
  const active = storeInUse();
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
  const store = storeInUse();
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
  const store = storeInUse();
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
  readonly [TENANT_SCOPE]?: unknown;
}

const CONTEXT = Symbol('fledge:RequestContext');
const cls = ClsServiceManager.getClsService();

function storeInUse(): Store | undefined {
  return cls.get();
}

function belongsTo(store: Store, req: ContextRequest): boolean {
  return store[CLS_REQ] === req || isStoreOf(req, store);
}

/** Call this only if the context of the request is not open. */
function isOfAnother(store: Store, req: ContextRequest): boolean {
  return isOwned(store) && !belongsTo(store, req) && !(req.raw && belongsTo(store, req.raw));
}

/** Returns true if a store belongs to a request, a message or a tenant scope. */
function isOwned(store: Store): boolean {
  return (
    store[CONTEXT] !== undefined ||
    store[CLS_REQ] !== undefined ||
    store[CLS_CTX] !== undefined ||
    store[TENANT_SCOPE] !== undefined
  );
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
