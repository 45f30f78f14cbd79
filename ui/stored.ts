import { effect, type Signal, signal } from '@preact/signals';
import { parsedJson } from './json.js';

/**
 * A signal whose value is kept in browser storage. If the browser denies storage, the value is lost
 * when the page closes.
 */
export function stored<Value>(
  storage: () => Storage,
  key: string,
  read: (value: unknown) => Value,
): Signal<Value> {
  const name = `fledge.${key}`;
  const value = signal(read(parsedJson(quietly(() => storage().getItem(name)) ?? 'null')));
  effect(() => {
    const text = JSON.stringify(value.value);
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
