import { ClsServiceManager, type ClsStore } from 'nestjs-cls';

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
