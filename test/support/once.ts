/**
 * Returns a function that calls `make` once and returns the same result each time. For applications
 * that several tests only read from.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
