import { AsyncLocalStorage } from 'node:async_hooks';
import { isObservable, Observable, Subscriber } from 'rxjs';

/** Runs a function in the scope that returned a result. */
export type Within = <T>(run: () => T) => T;

/**
 * Wraps a lazy result so that its later work runs in the scope that returned it: iterators, generators,
 * cursors and Observables start when they are read. Other results are returned as they are.
 * @param onDone called when no more work will come, possibly several times
 */
export function scopedResult<T>(result: T, within: Within, onDone: () => void): T {
  if (isObservable(result)) return scopedObservable(result, within, onDone) as T;
  if (isIterator(result)) return scopedIterator(result, within, onDone) as T;
  onDone();
  return result;
}

/** The source runs in the scope of the result; the subscriber gets its values in the subscriber's scope. */
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
    // Added before the source starts: it may emit and complete synchronously.
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

/** A proxy, because cursors have more methods than an iterator. */
function scopedIterator(source: AnyIterator, within: Within, onDone: () => void): AnyIterator {
  const settled = <T>(answer: T): T => {
    if ((answer as IteratorResult<unknown> | undefined)?.done) onDone();
    return answer;
  };
  const failed = (error: unknown): never => {
    onDone();
    throw error;
  };
  const call = (method: Function, args: unknown[]): unknown => {
    let answer: unknown;
    try {
      answer = within(() => Reflect.apply(method, source, args) as unknown);
    } catch (error) {
      return failed(error);
    }
    if (answer === source) return proxy;
    return answer instanceof Promise ? answer.then(settled, failed) : settled(answer);
  };
  const proxy: AnyIterator = new Proxy(source, {
    get(_, key) {
      const property: unknown = Reflect.get(source, key);
      if (typeof property !== 'function' || key === 'constructor') return property;
      return (...args: unknown[]) => call(property, args);
    },
  });
  return proxy;
}
