import { ClsServiceManager, type ClsStore } from 'nestjs-cls';
import { Observable, Subscriber } from 'rxjs';

/**
 * Makes what is subscribed inside a request run for that request. An Observable of a shared
 * connection emits in the context of whichever request opened the connection; the operators behind
 * it, and Nest's interceptors, would go on in that context.
 *
 * A subscriber keeps the cls store in which it was subscribed. `next`, `error`, `complete` and
 * `unsubscribe` enter it again when they are called from another one. Subscribed outside of every
 * store, as at boot, a subscriber runs wherever it is notified.
 *
 * It extends the prototypes of RxJS, once per process: operators are subscribed inside of RxJS,
 * below every interceptor, so no wrapper around handlers or clients reaches them.
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

/** With the parameters of functions that RxJS deprecates and applications still use. */
interface SubscribingObservable {
  subscribe(
    observer?: unknown,
    error?: unknown,
    complete?: unknown,
  ): ReturnType<Observable<unknown>['subscribe']>;
}

// One for all copies of this package in a process.
const BOUND = Symbol.for('fledge:bound-subscribers');
const STORE: unique symbol = Symbol.for('fledge:store-of-subscriber') as never;
const cls = ClsServiceManager.getClsService();

/** Written out, not in a loop: V8 would compile one function for all four, which is slower. */
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
      // What RxJS makes of observers itself, early enough to mark it before it is notified.
      const subscriber = create.call(Subscriber, observer, error, complete);
      subscriber[STORE] = store;
      // RxJS takes it as it is, so that its end ends the subscription. Added first: the source may emit at once.
      if (isOfAnotherCopy(observer)) observer.add(subscriber);
      return subscribe.call(this, subscriber);
    }
    const subscriber = observer as BoundSubscriber;
    // The first one counts: `subscribeOn()` subscribes later, from a scheduler all requests share.
    const own = subscriber[STORE] ?? store;
    if (own === undefined) return subscribe.call(this, subscriber);
    subscriber[STORE] = own;
    if (own === store) return subscribe.call(this, subscriber);
    return cls.runWith(own, () => subscribe.call(this, subscriber));
  };
}

/** Whether an observer is a subscriber of another copy of RxJS, by the members that RxJS looks for itself. */
function isOfAnotherCopy(observer: unknown): observer is Subscriber<unknown> {
  const members = ['next', 'error', 'complete', 'unsubscribe', 'add', 'remove'] as const;
  const other = observer as Subscriber<unknown> | null | undefined;
  return (
    members.every((name) => typeof other?.[name] === 'function') && 'closed' in (other as object)
  );
}

/** Deprecated, because `subscribe()` calls it for applications. */
const create = Reflect.get(Subscriber, 'create') as (...observer: unknown[]) => BoundSubscriber;

function storeInUse(): ClsStore | undefined {
  return cls.get<ClsStore | undefined>();
}
