import { isObservable, Observable } from 'rxjs';

/** Runs a function in the scope a result belongs to. */
export type Within = <T>(run: () => T) => T;

/**
 * What a scope returned, made to work inside of it later, too: an iterator, a generator or an
 * Observable begins its work only when it is asked. Everything else is done and returned as it is.
 * @param over called once no more work will come
 */
export function pinned<T>(result: T, within: Within, over: () => void): T {
  if (isObservable(result)) return pinnedObservable(result, within, over) as T;
  if (isIterator(result)) return pinnedIterator(result, within, over) as T;
  over();
  return result;
}

function pinnedObservable<T>(
  source: Observable<T>,
  within: Within,
  over: () => void,
): Observable<T> {
  return new Observable<T>((subscriber) => {
    const subscription = within(() => source.subscribe(subscriber));
    return () => {
      within(() => subscription.unsubscribe());
      over();
    };
  });
}

type AnyIterator = Partial<Record<'next' | 'return' | 'throw', (value?: unknown) => unknown>> &
  Partial<Record<typeof Symbol.iterator | typeof Symbol.asyncIterator, () => unknown>>;

function isIterator(value: unknown): value is AnyIterator {
  if (typeof value !== 'object' || value === null) return false;
  const it = value as AnyIterator;
  return (
    typeof it.next === 'function' &&
    (typeof it[Symbol.asyncIterator] === 'function' || typeof it[Symbol.iterator] === 'function')
  );
}

function pinnedIterator(source: AnyIterator, within: Within, over: () => void): AnyIterator {
  const step = (name: 'next' | 'return' | 'throw') => (value?: unknown) => {
    const answer = within(() => source[name]!(value));
    if (answer instanceof Promise) {
      return answer.then(noticed, (error: unknown) => {
        over();
        throw error;
      });
    }
    return noticed(answer);
  };
  const noticed = (answer: unknown) => {
    if ((answer as IteratorResult<unknown>).done) over();
    return answer;
  };
  const iterator: AnyIterator = { next: step('next') };
  for (const name of ['return', 'throw'] as const) if (source[name]) iterator[name] = step(name);
  for (const symbol of [Symbol.iterator, Symbol.asyncIterator] as const) {
    if (source[symbol]) iterator[symbol] = () => iterator;
  }
  return iterator;
}
