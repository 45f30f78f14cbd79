import { locatedError } from 'graphql';

/** Returns what a resolver threw as an Error, with graphql-js' text for other values. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return locatedError(thrown, undefined).originalError!;
}

/** Throws what a resolver threw as an Error. */
export function rethrow(thrown: unknown): never {
  throw asError(thrown);
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function';
}
