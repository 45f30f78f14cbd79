import { ClsServiceManager, type ClsStore } from 'nestjs-cls';

/**
 * Makes the listeners of a request or response run in the cls store of now. Node emits `finish`,
 * `close` and `drain` from the socket, which requests share: in the store of the one before, or in
 * none.
 */
export function bindEvents(emitter: object): void {
  const store = cls.get<ClsStore | undefined>();
  const { emit } = emitter as Emitter;
  if (store === undefined || emit === undefined) return;
  (emitter as Emitter).emit = function emitInStore(this: object, ...event: unknown[]): boolean {
    if (cls.get() === store) return Reflect.apply(emit, this, event);
    return cls.runWith(store, () => Reflect.apply(emit, this, event));
  };
}

/** Operations of sockets have a request and a response that emit nothing. */
interface Emitter {
  emit?: (this: object, ...event: unknown[]) => boolean;
}

const cls = ClsServiceManager.getClsService();
