import { effect, type Signal, signal } from '@preact/signals';
import { endpointPath } from '../api/endpoint.js';

/** A text that outlives a reload, for each endpoint. Browsers may refuse storage; then it lasts as long as the page. */
export function stored(storage: () => Storage, key: string, initial: string): Signal<string> {
  const name = `fledge.graphql.${endpointPath}.${key}`;
  const value = signal(quietly(() => storage().getItem(name)) ?? initial);
  effect(() => {
    const text = value.value;
    quietly(() => storage().setItem(name, text));
  });
  return value;
}

function quietly<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
