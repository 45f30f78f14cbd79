import { ClsServiceManager } from 'nestjs-cls';
import { currentAttributes, enterScope, enterScopeWith, type TenantScope } from './tenant-scope.js';
import { AsyncLocalStorage } from 'node:async_hooks';
import { isObservable, Observable, Subscriber } from 'rxjs';

const cls = ClsServiceManager.getClsService();

/**
 * Awaits the function's result in the scope. Lazy results also run there.
 * @param release is called when the work is done. It may be called several times
 */
export function runInScope<R>(
  scope: TenantScope,
  run: () => R,
  release: () => void = noop,
): Promise<Awaited<R>> {
  return enterScope(scope, () => resultOf(run, release));
}

/** Uses only one async function, because promises are the main cost of a scope. */
async function resultOf<R>(run: () => R, release: () => void): Promise<Awaited<R>> {
  try {
    const within = withinStore();
    // The result is awaited here, because queries and other thenables start only when they are
    // awaited.
    return scopedResult(await run(), within, release);
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Passes a function to `enter`. `enter` finds the tenant, then runs the function. If an error is
 * thrown before the function starts, calls `refuse` with this error.
 */
export async function runOrRefuse<R>(
  enter: (run: () => R) => Promise<Awaited<R>>,
  run: () => R,
  refuse: (error: unknown) => Awaited<R> | Promise<Awaited<R>>,
): Promise<Awaited<R>> {
  let begun = false;
  try {
    return await enter(() => {
      begun = true;
      return run();
    });
  } catch (error) {
    if (begun) throw error;
    return refuse(error);
  }
}

export function bindToScope<Args extends unknown[], R>(
  scope: TenantScope,
  run: (...args: Args) => R,
): (...args: Args) => R {
  // The caller of the bound function may have attributes of another person.
  const attributes = currentAttributes();
  return function bound(this: unknown, ...args: Args): R {
    return enterScopeWith(attributes, scope, () =>
      scopedResult(run.apply(this, args), withinStore(), noop),
    );
  };
}

/** Returns a function that enters the current async store again. */
function withinStore(): Within {
  const store = cls.get();
  return (run) => cls.runWith(store, run);
}

function noop(): void {}

type Within = <T>(run: () => T) => T;

/**
 * Iterators, generators, cursors and Observables start when they are read. The wrapper runs them in
 * the scope of the function that returned them. Returns other results unchanged.
 * @param onDone is called when all work is done. It may be called several times
 */
function scopedResult<T>(result: T, within: Within, onDone: () => void): T {
  if (isObservable(result)) return scopedObservable(result, within, onDone) as T;
  if (isIterator(result)) return scopedIterator(result, within, onDone) as T;
  onDone();
  return result;
}

/** The source runs in the scope of the result. The subscriber receives values in its own scope. */
function scopedObservable<T>(
  source: Observable<T>,
  within: Within,
  onDone: () => void,
): Observable<T> {
  return new Observable<T>((subscriber) => {
    const outside = AsyncLocalStorage.snapshot();
    const inside = new Subscriber<T>({
      next: (value) => outside(() => subscriber.next(value)),
      error: (error: unknown) => outside(() => subscriber.error(error)),
      complete: () => outside(() => subscriber.complete()),
    } as Subscriber<T>);
    // This teardown is added before the source starts, because the source may complete
    // synchronously.
    subscriber.add(() => {
      within(() => inside.unsubscribe());
      onDone();
    });
    within(() => source.subscribe(inside));
  });
}

type Step = 'next' | 'return' | 'throw';
type AnyIterator = Partial<Record<Step, (value?: unknown) => unknown>> &
  Partial<Record<typeof Symbol.iterator | typeof Symbol.asyncIterator, () => unknown>>;

function isIterator(value: unknown): value is AnyIterator {
  if (typeof value !== 'object' || value === null) return false;
  const it = value as AnyIterator;
  return (
    typeof it.next === 'function' &&
    (typeof it[Symbol.asyncIterator] === 'function' || typeof it[Symbol.iterator] === 'function')
  );
}

/**
 * `Iterator.prototype` and `AsyncIterator.prototype`. Their methods, such as `map()` of Node.js 22,
 * are not wrapped, because they call `next()` and `return()` of the proxy.
 */
const ITERATOR_PROTOTYPES = [function* () {}, async function* () {}].map(
  (make) => Object.getPrototypeOf(Object.getPrototypeOf(make.prototype)) as object,
);

/** Returns a proxy, because cursors have more methods than iterators. */
function scopedIterator(source: AnyIterator, within: Within, onDone: () => void): AnyIterator {
  // A cursor without return() does not report that the caller stops early. Resources that are held
  // for the cursor might therefore never be released.
  if (typeof source.return !== 'function') onDone();
  const settled = (answer: unknown, key: string | symbol): unknown => {
    if (answer === source) return proxy;
    if (isIterator(answer)) {
      // The iterator of a cursor is often another object. Other iterators do not end the cursor.
      const isOwn = key === Symbol.asyncIterator || key === Symbol.iterator;
      return scopedIterator(answer, within, isOwn ? onDone : () => undefined);
    }
    if ((answer as IteratorResult<unknown> | undefined)?.done) onDone();
    return answer;
  };
  const failed = (error: unknown): never => {
    onDone();
    throw error;
  };
  const call = (method: Function, key: string | symbol, args: unknown[]): unknown => {
    try {
      const answer: unknown = within(() => Reflect.apply(method, source, args) as unknown);
      return answer instanceof Promise
        ? answer.then((value: unknown) => settled(value, key), failed)
        : settled(answer, key);
    } catch (error) {
      return failed(error);
    }
  };
  const proxy: AnyIterator = new Proxy(source, {
    get(_, key) {
      const property: unknown = Reflect.get(source, key);
      if (typeof property !== 'function' || key === 'constructor') return property;
      if (ITERATOR_PROTOTYPES.some((base) => Reflect.get(base, key) === property)) return property;
      return (...args: unknown[]) => call(property, key, args);
    },
  });
  return proxy;
}
