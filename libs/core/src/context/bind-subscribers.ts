import { ClsServiceManager, type ClsStore } from 'nestjs-cls';
import { Observable, Subscriber } from 'rxjs';

/**
 * Makes every subscriber of a request run in the context of that request. An Observable of a shared
 * connection emits in the context of the request that opened the connection. Without this change,
 * the operators behind the Observable and Nest's interceptors would continue in that context.
 *
 * With this change, a subscriber keeps the cls store in which it was subscribed. If `next`,
 * `error`, `complete` or `unsubscribe` is called in another store, it enters the subscriber's store
 * again. A subscriber that was subscribed outside every store, for example at startup, runs in the
 * context of the notification.
 *
 * The prototypes of RxJS are changed, once per process, because operators are subscribed inside
 * RxJS, below every interceptor. A wrapper around handlers or clients would not reach the
 * operators.
 */
export function bindSubscribers(): void {
  const subscribers = Subscriber.prototype as BoundSubscriber;
  if (BOUND in subscribers) return;
  Object.defineProperty(subscribers, BOUND, { value: true });
  bindNotifications(subscribers);
  bindSubscriptions(Observable.prototype as SubscribingObservable);
}

interface BoundSubscriber extends Subscriber<unknown> {
  [STORE]?: ClsStore | undefined;
}

/** The type includes parameters that RxJS deprecates and applications still use. */
interface SubscribingObservable {
  subscribe(
    observer?: unknown,
    error?: unknown,
    complete?: unknown,
  ): ReturnType<Observable<unknown>['subscribe']>;
}

// Shared by all copies of this package in a process.
const BOUND = Symbol.for('fledge:bound-subscribers');
const STORE: unique symbol = Symbol.for('fledge:store-of-subscriber') as never;
const cls = ClsServiceManager.getClsService();

/** No loop, because V8 would compile one, slower function for all four methods. */
function bindNotifications(subscribers: BoundSubscriber): void {
  /* oxlint-disable typescript/unbound-method -- called with their subscriber below */
  const { next, error, complete, unsubscribe } = subscribers;
  /* oxlint-enable typescript/unbound-method */

  subscribers.next = function nextInStore(this: BoundSubscriber, value: unknown): void {
    const store = this[STORE];
    if (store === undefined || store === storeInUse()) next.call(this, value);
    else cls.runWith(store, () => next.call(this, value));
  };
  subscribers.error = function errorInStore(this: BoundSubscriber, reason: unknown): void {
    const store = this[STORE];
    if (store === undefined || store === storeInUse()) error.call(this, reason);
    else cls.runWith(store, () => error.call(this, reason));
  };
  subscribers.complete = function completeInStore(this: BoundSubscriber): void {
    const store = this[STORE];
    if (store === undefined || store === storeInUse()) complete.call(this);
    else cls.runWith(store, () => complete.call(this));
  };
  subscribers.unsubscribe = function unsubscribeInStore(this: BoundSubscriber): void {
    const store = this[STORE];
    if (store === undefined || store === storeInUse()) unsubscribe.call(this);
    else cls.runWith(store, () => unsubscribe.call(this));
  };
}

function bindSubscriptions(observables: SubscribingObservable): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its Observable below
  const { subscribe } = observables;

  observables.subscribe = function subscribeInStore(observer, error, complete) {
    const store = storeInUse();
    if (!(observer instanceof Subscriber)) {
      if (store === undefined) return subscribe.call(this, observer, error, complete);
      // RxJS would create the same subscriber. It is created here, so that it has its store before
      // its first notification.
      const subscriber = create.call(Subscriber, observer, error, complete);
      subscriber[STORE] = store;
      // RxJS uses this observer directly, so the subscription must end with the observer. The
      // observer is added first, because the source may emit immediately.
      if (isOfAnotherCopy(observer)) observer.add(subscriber);
      return subscribe.call(this, subscriber);
    }
    const subscriber = observer as BoundSubscriber;
    // The first store is kept, because `subscribeOn()` subscribes later, in a scheduler that all
    // requests share.
    const own = subscriber[STORE] ?? store;
    if (own === undefined) return subscribe.call(this, subscriber);
    subscriber[STORE] = own;
    if (own === store) return subscribe.call(this, subscriber);
    return cls.runWith(own, () => subscribe.call(this, subscriber));
  };
}

/** True for a subscriber of another copy of RxJS. Checks the same properties as RxJS. */
function isOfAnotherCopy(observer: unknown): observer is Subscriber<unknown> {
  const members = ['next', 'error', 'complete', 'unsubscribe', 'add', 'remove'] as const;
  const other = observer as Subscriber<unknown> | null | undefined;
  return (
    members.every((name) => typeof other?.[name] === 'function') && 'closed' in (other as object)
  );
}

/** RxJS deprecates this call, because `subscribe()` makes it for applications. */
const create = Reflect.get(Subscriber, 'create') as (...observer: unknown[]) => BoundSubscriber;

function storeInUse(): ClsStore | undefined {
  return cls.get<ClsStore | undefined>();
}
