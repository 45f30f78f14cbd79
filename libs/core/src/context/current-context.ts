import type { ExecutionContext } from '@nestjs/common';
import { CLS_CTX, CLS_REQ, ClsServiceManager, type ClsStore } from 'nestjs-cls';
import { NoRequestContextError } from '../core.errors.js';
import { contextOfExecution } from './execution-context.js';
import { type OpenContext, openContextOf } from './open-context.js';
import type { ContextRequest, ContextResponse } from './platform.js';
import { type ContextState, RequestContext } from './request-context.js';
import { isStoreOf, type StoreMap } from './store-maps.js';

/**
 * Opens the context of a request. Uses the cls store that the application opened for this request, or
 * runs the rest of the request in a new one. Does not use `enterWith`, which would leave the store to the
 * next request of a keep-alive connection.
 */
export function openRequestContext(context: OpenContext, next: () => void): void {
  const active = storeInUse();
  if (active !== undefined && belongsTo(active, context.state.req)) {
    active[CONTEXT] = context;
    return next();
  }
  enterContext(context, next);
}

/**
 * The context of the request being served; undefined outside of one. For code without dependency
 * injection; everything else injects `RequestContext`.
 */
export function currentRequestContext(): RequestContext | undefined {
  return currentContext();
}

/** The context that was opened for a request of Node or of a platform. Undefined if there is none. */
export function contextOfRequest(request: object): RequestContext | undefined {
  return openContextOf(request as ContextRequest);
}

/** Runs a function inside a context, in a new cls store. */
export function enterContext<T>(context: OpenContext, run: () => T): T {
  return cls.runWith({ [CONTEXT]: context } satisfies Store, run);
}

/**
 * Middleware for applications that use nestjs-cls. Mounted after the context's, it makes the guard and the
 * interceptor of nestjs-cls keep the store of the request instead of opening another. Mounted only there,
 * because it fills a WeakMap with requests.
 */
export function shareClsStore(
  map: StoreMap,
): (req: ContextRequest, res: ContextResponse, next: () => void) => void {
  return (req, _res, next) => {
    map.setByRaw(req, cls.get());
    next();
  };
}

/** The context of the request being served; undefined outside of one. */
export function currentContext(): OpenContext | undefined {
  const store = storeInUse();
  return store && (store[CONTEXT] ?? recoveredContext(store));
}

/** The injectable context: looks the current request up at every use. */
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
}

const CONTEXT = Symbol('fledge:RequestContext');
const cls = ClsServiceManager.getClsService();

function storeInUse(): Store | undefined {
  return cls.get();
}

function belongsTo(store: Store, req: ContextRequest): boolean {
  return store[CLS_REQ] === req || isStoreOf(req, store);
}

/** nestjs-cls' guard on a resolver, and its middleware with `useEnterWith`, start from an empty store. */
function recoveredContext(store: Store): OpenContext | undefined {
  const execution = store[CLS_CTX];
  const context = openContextOf(store[CLS_REQ]) ?? (execution && contextOfExecution(execution));
  if (context) store[CONTEXT] = context;
  return context;
}
