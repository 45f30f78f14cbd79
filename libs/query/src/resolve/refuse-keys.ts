import { InvalidQueryError } from '../query.errors.js';

/**
 * Rejects sort keys that are valid in other queries but not in this one.
 * @param expected describes the sort keys to use instead
 * @throws InvalidQueryError that lists the keys. Does not throw if there are no keys
 */
export function refuseKeys(keys: readonly { readonly field: string }[], expected: string): void {
  if (keys.length === 0) return;
  throw new InvalidQueryError(
    keys.map(({ field }) => ({ kind: 'sort', field, reason: 'not-expressible', expected })),
  );
}
