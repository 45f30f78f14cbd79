import { getNullableType, type GraphQLOutputType, isListType } from 'graphql';
import { asError, isPromise } from './thrown.js';

/** Makes the value of a list field safe for graphql-jit. */
type Completer = (value: unknown) => unknown;

/**
 * Returns a function that makes the value of a list field an array whose items are settled; undefined if the
 * type is no list. graphql-jit puts rejected items in wrong places, and does not catch errors of an iterator.
 */
export function listCompleter(type: GraphQLOutputType): Completer | undefined {
  const list = getNullableType(type);
  if (!isListType(list)) return undefined;
  const inner = listCompleter(list.ofType);
  return (value) => {
    if (!isIterable(value)) return value;
    const items: readonly unknown[] = Array.isArray(value) ? value : Array.from(value);
    if (items.some(isPromise)) return Promise.all(items.map((item) => settled(item, inner)));
    if (inner === undefined) return items;
    const completed = items.map((item) => tried(item, inner));
    return completed.some(isPromise) ? Promise.all(completed) : completed;
  };
}

/** An error as an item is the error of that item, in graphql-jit as in graphql-js. */
async function settled(item: unknown, inner: Completer | undefined): Promise<unknown> {
  try {
    const value = await item;
    return inner === undefined ? value : await inner(value);
  } catch (error) {
    return asError(error);
  }
}

function tried(item: unknown, inner: Completer): unknown {
  try {
    return inner(item);
  } catch (error) {
    return asError(error);
  }
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
