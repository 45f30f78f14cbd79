import { effect, type Signal, signal } from '@preact/signals';
import { parsedJson } from './json.js';

/**
 * A signal whose value outlives a reload. Browsers may refuse storage; the value then lasts as long
 * as the page.
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
