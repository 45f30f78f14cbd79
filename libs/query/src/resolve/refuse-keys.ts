import { InvalidQueryError } from '../query.errors.js';

/**
 * For sort keys that a query may have elsewhere, but not here.
 * @param expected what stands in their place
 * @throws InvalidQueryError naming each key; nothing if there is none
 */
export function refuseKeys(keys: readonly { readonly field: string }[], expected: string): void {
  if (keys.length === 0) return;
  throw new InvalidQueryError(
    keys.map(({ field }) => ({ kind: 'sort', field, reason: 'not-expressible', expected })),
  );
}
