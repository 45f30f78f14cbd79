import { ClsServiceManager, type ClsStore } from 'nestjs-cls';

/**
 * Makes the listeners of a request or response run in the cls store of now. Node emits `finish`,
 * `close` and `drain` from the socket, which requests share: in the store of the one before, or in
 * none.
 */
export function bindEvents(emitter: object): void {
  const store = cls.get<ClsStore | undefined>();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its emitter below
  const { emit } = emitter as Emitter;
  if (store === undefined || emit === undefined) return;
  (emitter as Emitter).emit = function emitInStore(this: Emitter, name, ...values): boolean {
    // Most events have no listener, and most of the others come in the right store.
    if (cls.get() === store || this.listenerCount(name) === 0) {
      return values.length === 0 ? emit.call(this, name) : emit.call(this, name, ...values);
    }
    return cls.runWith(store, () => emit.call(this, name, ...values));
  };
}

interface Emitter {
  /** Missing on the requests and responses of what is no HTTP, such as operations of a socket. */
  emit?(name: string | symbol, ...values: unknown[]): boolean;
  listenerCount(name: string | symbol): number;
}

const cls = ClsServiceManager.getClsService();
