import { textOf } from './path-segment.js';

/**
 * A query string without `?`. Arrays become repeated keys, objects the keys `a[b]` (OpenAPI
 * "deepObject"), null and undefined nothing; an empty text stays.
 * @throws ArgumentError for what a query cannot carry
 */
export function queryStringOf(
  entries: readonly (readonly [name: string, value: unknown])[],
): string {
  const pairs: string[] = [];
  for (const [name, value] of entries) addTo(pairs, name, value, 0);
  return pairs.join('&');
}

/** Objects nest no deeper than query parsers read them (qs: 5). */
const MAX_DEPTH = 5;

function addTo(pairs: string[], name: string, value: unknown, depth: number): void {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object' || depth >= MAX_DEPTH) {
    pairs.push(
      `${encodeURIComponent(textOf('name', name))}=${encodeURIComponent(textOf(name, value))}`,
    );
  } else if (Array.isArray(value)) {
    for (const item of value) addTo(pairs, name, item, depth + 1);
  } else {
    for (const [key, item] of Object.entries(value))
      addTo(pairs, `${name}[${key}]`, item, depth + 1);
  }
}
