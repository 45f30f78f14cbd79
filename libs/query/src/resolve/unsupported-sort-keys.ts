import { InvalidQueryError } from '../query.errors.js';

/**
 * @param expected a description of supported sort keys, for the error
 * @throws InvalidQueryError with all keys
 */
export function refuseSortKeys(
  keys: readonly { readonly field: string }[],
  expected: string,
): void {
  if (keys.length === 0) return;
  throw new InvalidQueryError(
    keys.map(({ field }) => ({ kind: 'sort', field, reason: 'not-expressible', expected })),
  );
}
