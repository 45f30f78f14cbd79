import { ClsServiceManager, type ClsStore } from 'nestjs-cls';

/**
 * Makes the listeners of a request or response run in the cls store of now. Node emits `finish`,
 * `close` and `drain` from the socket, which requests share: in the store of the one before, or in
 * none.
 */
export function bindEvents(emitter: object): void {
  const store = cls.get<ClsStore | undefined>();
  const bound = emitter as BoundEmitter;
  if (store === undefined || bound.emit === undefined) return;
  bound[STORE] = store;
  bound[EMIT] = bound.emit;
  // One function for all requests: V8 optimizes its calls, and those of a closure a request it does not.
  bound.emit = emitInStore;
}

interface BoundEmitter {
  [STORE]: ClsStore;
  [EMIT]: Emit;
  /** Missing on the requests and responses of what is no HTTP, such as operations of a socket. */
  emit?: Emit;
  listenerCount(name: string | symbol): number;
}

type Emit = (this: unknown, name: string | symbol, ...values: unknown[]) => boolean;

const STORE = Symbol('fledge:store-of-events');
const EMIT = Symbol('fledge:emit-of-events');
const cls = ClsServiceManager.getClsService();

function emitInStore(this: unknown, name: string | symbol, ...values: unknown[]): boolean {
  const bound = this as BoundEmitter;
  const store = bound[STORE];
  // Most events have no listener, and most of the others come in the right store.
  if (cls.get() === store || bound.listenerCount(name) === 0) {
    return values.length === 0 ? bound[EMIT](name) : bound[EMIT](name, ...values);
  }
  return cls.runWith(store, () => bound[EMIT](name, ...values));
}
